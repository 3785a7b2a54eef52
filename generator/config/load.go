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
	p := &places{file: name, keys: make(map[string]*token.Position), unset: make(map[string]string)}
	file, err := parser.ParseBytes(source, parser.ParseComments)
	if err != nil {
		return nil, describe(p, err)
	}
	config := defaults()
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
			return nil, describe(p, err)
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
func describe(p *places, err error) error {
	var located yaml.Error
	if errors.As(err, &located) && located.GetToken() != nil {
		position := located.GetToken().Position
		message := located.GetMessage()
		switch {
		case strings.HasPrefix(message, "unknown field"):
			message = "unknown key " + strings.TrimPrefix(message, "unknown field ")
		case strings.Contains(message, "into Go "):
			message = p.keyAt(position) + ": " + expected(message)
		}
		return fmt.Errorf("%s:%d:%d: %s", p.file, position.Line, position.Column, message)
	}
	return fmt.Errorf("%s: %w", p.file, err)
}

// expected says what a value should be that was of a wrong type; message is
// the YAML package's, which ends in the name of a Go type.
func expected(message string) string {
	_, want, _ := strings.Cut(message, " of type ")
	switch {
	case want == "time.Duration":
		return "write a duration, as 30s or 2m"
	case want == "bool":
		return "write true or false"
	case strings.HasPrefix(want, "int"):
		return "write a whole number"
	case strings.HasPrefix(want, "[]"):
		return "write a list, as [a, b]"
	case strings.HasPrefix(want, "config."):
		return "write keys and values below it"
	}
	return "write a text"
}

// places knows where every key stands.
type places struct {
	file  string
	keys  map[string]*token.Position // by path: "source.url"
	unset map[string]string          // by path: the ${NAME} of a secret that is not set
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
		p.keys[key] = n.Key.GetToken().Position
		p.walk(key, n.Value)
	}
}

// keyAt returns the key whose value stands at a position: the last one before
// it on its line.
func (p *places) keyAt(at *token.Position) string {
	key, column := "a value", 0
	for name, position := range p.keys {
		if position.Line == at.Line && position.Column <= at.Column && position.Column > column {
			key, column = name, position.Column
		}
	}
	return key
}

// errorf makes an error about a key.
func (p *places) errorf(key, format string, args ...any) error {
	message := fmt.Sprintf(format, args...)
	if at := p.keys[key]; at != nil {
		return fmt.Errorf("%s:%d: %s: %s", p.file, at.Line, key, message)
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
		if !ok && isSecret(path) {
			e.unset[path] = match
		} else if !ok && e.err == nil {
			e.err = e.errorf(path, "%s is not set in the environment", match)
		}
		return strings.TrimSpace(value)
	})
}
