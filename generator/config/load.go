package config

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
	_ "time/tzdata" // zones for machines that have none of their own

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
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
	file, err := parser.ParseBytes(source, parser.ParseComments)
	if err != nil {
		return nil, describe(name, err)
	}
	config := defaults()
	p := &places{file: name, lines: make(map[string]int)}
	for _, doc := range file.Docs {
		if doc.Body == nil {
			continue
		}
		p.walk("", doc.Body)
		if err := expand(p, doc.Body, env); err != nil {
			return nil, err
		}
	}
	if len(file.Docs) > 1 {
		return nil, fmt.Errorf("%s: more than one YAML document", name)
	}
	if len(file.Docs) == 1 && file.Docs[0].Body != nil {
		decoder := yaml.NewDecoder(bytes.NewReader(nil), yaml.Strict(), yaml.CustomUnmarshaler(unmarshalSearch))
		if err := decoder.DecodeFromNode(file.Docs[0].Body, &config); err != nil {
			return nil, describe(name, err)
		}
	}
	return &config, check(&config, p)
}

// unmarshalSearch reads a saved search in either of its forms.
func unmarshalSearch(s *Search, source []byte) error {
	var word string
	if err := yaml.Unmarshal(source, &word); err == nil {
		*s = Search{Query: strings.TrimSpace(word)}
		return nil
	}
	type plain Search // without this function
	return yaml.UnmarshalWithOptions(source, (*plain)(s), yaml.Strict())
}

// describe gives an error of the YAML package the form file:line: message.
func describe(name string, err error) error {
	var located yaml.Error
	if errors.As(err, &located) && located.GetToken() != nil {
		position := located.GetToken().Position
		message := located.GetMessage()
		if strings.HasPrefix(message, "unknown field") {
			message = "unknown key " + strings.TrimPrefix(message, "unknown field ")
		}
		return fmt.Errorf("%s:%d:%d: %s", name, position.Line, position.Column, message)
	}
	return fmt.Errorf("%s: %w", name, err)
}

// places knows the line of every key.
type places struct {
	file  string
	lines map[string]int // by path: "source.url"
}

func (p *places) walk(path string, node ast.Node) {
	switch n := node.(type) {
	case *ast.MappingNode:
		for _, value := range n.Values {
			p.walk(path, value)
		}
	case *ast.MappingValueNode:
		key := n.Key.GetToken().Value
		if path != "" {
			key = path + "." + key
		}
		p.lines[key] = n.Key.GetToken().Position.Line
		p.walk(key, n.Value)
	}
}

// errorf makes an error about a key.
func (p *places) errorf(key, format string, args ...any) error {
	message := fmt.Sprintf(format, args...)
	if line := p.lines[key]; line > 0 {
		return fmt.Errorf("%s:%d: %s: %s", p.file, line, key, message)
	}
	return fmt.Errorf("%s: %s: %s", p.file, key, message)
}

var variable = regexp.MustCompile(`\$\{([A-Za-z_][A-Za-z0-9_]*)\}`)

// expand replaces ${NAME} in the values, and refuses an API key that is
// written out.
func expand(p *places, root ast.Node, env func(string) (string, bool)) error {
	e := &expander{places: p, env: env}
	e.walk("", root)
	return e.err
}

type expander struct {
	*places
	env func(string) (string, bool)
	err error
}

func (e *expander) walk(path string, node ast.Node) {
	switch n := node.(type) {
	case *ast.MappingNode:
		for _, value := range n.Values {
			e.walk(path, value)
		}
	case *ast.MappingValueNode:
		key := n.Key.GetToken().Value
		if path != "" {
			key = path + "." + key
		}
		e.walk(key, n.Value)
	case *ast.SequenceNode:
		for _, value := range n.Values {
			e.walk(path, value)
		}
	case *ast.StringNode:
		e.expand(path, n)
	default:
		if isSecret(path) && node.Type() != ast.NullType && e.err == nil {
			e.err = e.errorf(path, "the key itself must not stand here; write ${AYNA_API_KEY}, and set that in the environment")
		}
	}
}

func isSecret(path string) bool { return strings.HasSuffix(path, "api_key") }

func (e *expander) expand(path string, n *ast.StringNode) {
	if e.err == nil && isSecret(path) && strings.TrimSpace(variable.ReplaceAllString(n.Value, "")) != "" {
		e.err = e.errorf(path, "the key itself must not stand here; write ${AYNA_API_KEY}, and set that in the environment")
	}
	n.Value = variable.ReplaceAllStringFunc(n.Value, func(match string) string {
		name := variable.FindStringSubmatch(match)[1]
		value, ok := e.env(name)
		// A key that is not set is no error: the sample needs none, and a
		// service that wants one says so.
		if !ok && !isSecret(path) && e.err == nil {
			e.err = e.errorf(path, "%s is not set in the environment", match)
		}
		return strings.TrimSpace(value)
	})
}
