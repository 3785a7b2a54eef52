package config

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"reflect"
	_ "time/tzdata" // zones for machines that have none of their own
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// Load reads and checks the file name. env looks a name of ${NAME} up; it is
// called for names that occur in values only. Errors name file, line and key.
func Load(name string, env func(string) (string, bool)) (*Config, error) {
	source, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("read the configuration: %w", err)
	}
	return parse(name, source, env)
}

func parse(name string, source []byte, env func(string) (string, bool)) (*Config, error) {
	source = bytes.TrimPrefix(source, []byte("\ufeff")) // editors put it there
	if line := brokenLine(source); line > 0 {
		return nil, fmt.Errorf("%s:%d: is not UTF-8; save the file in that encoding", name, line)
	}
	p := &places{file: name, keys: make(map[string]*token.Position), named: make(map[string]string), unset: make(map[string]*UnsetError)}
	file, err := parser.ParseBytes(source, parser.ParseComments)
	if err != nil {
		return nil, p.describe(err, source)
	}
	if len(file.Docs) > 1 {
		return nil, fmt.Errorf("%s: more than one YAML document", name)
	}
	config := defaults()
	r := &reader{places: p, env: env, anchors: make(map[string]ast.Node)}
	for _, doc := range file.Docs {
		if doc.Body == nil {
			continue
		}
		if err := r.read("", doc.Body, reflect.ValueOf(&config).Elem()); err != nil {
			return nil, err
		}
	}
	config.unset = p.unset
	return &config, check(&config, p)
}

// brokenLine returns the number of the first line that is not UTF-8, 0 if there
// is none.
func brokenLine(source []byte) int {
	number := 0
	for line := range bytes.Lines(source) {
		if number++; !utf8.Valid(line) {
			return number
		}
	}
	return 0
}

// places knows where every key stands.
type places struct {
	file  string
	keys  map[string]*token.Position // by path: "source.url"
	named map[string]string          // by path: the variable that a secret is in
	unset map[string]*UnsetError     // by path
}

// errorf makes an error about a key.
func (p *places) errorf(key, format string, args ...any) error {
	message := fmt.Sprintf(format, args...)
	if at := p.keys[key]; at != nil {
		return fmt.Errorf("%s:%d: %s: %s", p.file, at.Line, key, message)
	}
	return fmt.Errorf("%s: %s: %s", p.file, key, message)
}

// describe gives an error of the YAML package the form file:line: message.
func (p *places) describe(err error, source []byte) error {
	var located yaml.Error
	if errors.As(err, &located) && located.GetToken() != nil {
		position := located.GetToken().Position
		if lines := bytes.Split(source, []byte("\n")); position.Line <= len(lines) && bytes.Contains(lines[position.Line-1], []byte("${")) {
			return fmt.Errorf("%s:%d:%d: %s; between { and } write ${NAME} in quotes", p.file, position.Line, position.Column, located.GetMessage())
		}
		return fmt.Errorf("%s:%d:%d: %s", p.file, position.Line, position.Column, located.GetMessage())
	}
	return fmt.Errorf("%s: %w", p.file, err)
}
