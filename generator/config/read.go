package config

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"time"
	_ "time/tzdata" // for machines without time zone files
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"ayna/slug"
)

// Load reads and checks the file name, see [Parse].
func Load(name string, env func(string) (string, bool)) (*Config, error) {
	source, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("read the configuration: %w", err)
	}
	return Parse(name, source, env)
}

// Parse reads and checks the text of the configuration file name. env looks up the
// variables in values, as [os.LookupEnv] does. Errors name file, line and key, and what
// to write. The error joins all faults; the configuration has defaults in their place.
func Parse(name string, source []byte, env func(string) (string, bool)) (*Config, error) {
	source = bytes.TrimPrefix(source, []byte("\ufeff")) // some editors write it
	lines := bytes.Split(source, []byte("\n"))
	for i, line := range lines {
		if !utf8.Valid(line) {
			return nil, fmt.Errorf("%s:%d: is not UTF-8; save the file as UTF-8", name, i+1)
		}
	}
	file, err := parser.ParseBytes(source, parser.ParseComments)
	if err != nil {
		return nil, syntaxError(name, lines, err)
	}
	if len(file.Docs) > 1 {
		return nil, fmt.Errorf("%s: more than one YAML document; remove the lines ---", name)
	}
	config := defaults()
	r := newReader(name, env)
	for _, doc := range file.Docs {
		if doc.Body == nil {
			continue
		}
		r.fault("", r.read("", doc.Body, reflect.ValueOf(&config).Elem()))
	}
	r.readKey(&config.Source)
	config.unset, config.at = r.unset, r.position
	check(&config, r)
	return &config, errors.Join(r.faults...)
}

// syntaxError writes an error of the YAML parser as file:line:column: message, without
// the line itself, which may hold a key.
func syntaxError(file string, lines [][]byte, err error) error {
	var located yaml.Error
	if !errors.As(err, &located) || located.GetToken() == nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	message, at := located.GetMessage(), located.GetToken().Position
	switch {
	case strings.Contains(message, "\t"), strings.Contains(message, "tab character"):
		message = "a tab where YAML wants blanks; write blanks instead of it"
	case at.Line <= len(lines) && bytes.Contains(lines[at.Line-1], []byte("${")):
		message += "; between { and } write ${NAME} in quotes"
	default:
		message += "; look at its quotes and at the blanks before it"
	}
	return fmt.Errorf("%s:%d:%d: %s", file, at.Line, at.Column, message)
}

// reader sets the fields of a [Config] from the syntax tree of site.yaml. It reads
// scalars as they are written, and goes on after a fault. The YAML decoder would turn a
// limit of 0.5 into 0, which means no limit, 5e2 into 5 and 0500 into 320, pass over a key
// after a question mark, and stop at the first fault.
type reader struct {
	file    string
	env     func(string) (string, bool)
	anchors map[string]ast.Node
	keys    map[string]*token.Position // by path: "source.url"
	keyName string                     // the variable in source.api_key
	unset   map[string]error           // by path: why a secret is missing
	faults  []error
	faulty  map[string]bool // paths, and those above them
	rules   map[string]rule // by path
}

func newReader(file string, env func(string) (string, bool)) *reader {
	return &reader{
		file: file, env: env, keys: make(map[string]*token.Position), anchors: make(map[string]ast.Node),
		unset: make(map[string]error), faulty: make(map[string]bool), rules: make(map[string]rule),
	}
}

// fault keeps the first error of a key.
func (r *reader) fault(key string, err error) {
	if err == nil || r.faulty[key] {
		return
	}
	r.faults = append(r.faults, err)
	for ; key != ""; key = key[:max(0, strings.LastIndexByte(key, '.'))] {
		r.faulty[key] = true
	}
}

// read sets a field from the value of a key. Without a value the default stays.
func (r *reader) read(key string, node ast.Node, into reflect.Value) error {
	text, isText := "", false
	switch n := node.(type) {
	case *ast.NullNode, *ast.CommentGroupNode:
		return nil
	case *ast.TagNode:
		return r.read(key, n.Value, into)
	case *ast.AnchorNode:
		err := r.read(key, n.Value, into)
		r.anchors[n.Name.GetToken().Value] = n.Value // afterwards: an anchor must not contain itself
		return err
	case *ast.AliasNode:
		if value, ok := r.anchors[n.Value.GetToken().Value]; ok {
			return r.read(key, value, into)
		}
		return r.wrong(key, node, "no value before it has that name; define it above with &")
	case *ast.StringNode:
		text, isText = n.Value, true
	case *ast.LiteralNode:
		text, isText = n.Value.Value, true
	case ast.ScalarNode:
		text, isText = n.GetToken().Value, true
	}
	if search, ok := into.Addr().Interface().(*SavedSearch); ok && isText { // a word instead of {title, query}
		err := r.readText(key, node, text, reflect.ValueOf(&search.Query).Elem())
		search.Query = strings.TrimSpace(search.Query)
		return err
	}
	switch {
	case into.Kind() == reflect.Struct:
		return r.readGroup(key, node, into)
	case into.Kind() == reflect.Slice:
		return r.readList(key, node, into)
	case isText:
		return r.readText(key, node, text, into)
	}
	return r.wrong(key, node, "write a text")
}

// readGroup sets the fields of a struct from a mapping. Unknown keys are errors.
func (r *reader) readGroup(path string, node ast.Node, into reflect.Value) error {
	group, ok := node.(ast.MapNode)
	if !ok {
		return r.wrong(path, node, "write keys and values below it")
	}
	for pairs := group.MapRange(); pairs.Next(); {
		token := pairs.Key().GetToken()
		if explicit, ok := pairs.Key().(*ast.MappingKeyNode); ok { // ? key
			token = explicit.Value.GetToken()
		}
		var field reflect.Value
		var known []string
		for tag, f := range fields(into.Type()) {
			if known = append(known, tag); tag == token.Value {
				field = into.FieldByIndex(f.Index)
			}
		}
		key := strings.TrimPrefix(path+"."+token.Value, ".")
		if !field.IsValid() {
			r.fault(key, fmt.Errorf("%s:%d:%d: unknown key %q; nearest: %s", r.file, token.Position.Line, token.Position.Column, token.Value, slug.Nearest(known, token.Value, "en")))
			continue
		}
		r.keys[key] = token.Position
		r.fault(key, r.read(key, pairs.Value(), field))
	}
	return nil
}

// fields yields the keys of a group and their fields, also those of Shown.
func fields(group reflect.Type) iter.Seq2[string, reflect.StructField] {
	return func(yield func(string, reflect.StructField) bool) {
		for _, f := range reflect.VisibleFields(group) {
			key := f.Tag.Get("yaml")
			if key != "-" && !f.Anonymous && f.IsExported() && !yield(key, f) {
				return
			}
		}
	}
}

func (r *reader) readList(key string, node ast.Node, into reflect.Value) error {
	list, ok := node.(*ast.SequenceNode)
	if !ok {
		return r.wrong(key, node, "write a list, as [a, b]")
	}
	into.Set(reflect.MakeSlice(into.Type(), len(list.Values), len(list.Values)))
	for i, value := range list.Values {
		if err := r.read(key, value, into.Index(i)); err != nil {
			return err
		}
	}
	return nil
}

// readText sets a field from a scalar.
func (r *reader) readText(key string, node ast.Node, text string, into reflect.Value) error {
	text, ok, err := r.expand(key, text, into.Type() == reflect.TypeFor[Secret]())
	if err != nil || !ok {
		return err
	}
	switch into.Interface().(type) {
	case int:
		n, err := strconv.Atoi(text)
		if err != nil || strconv.Itoa(n) != text {
			return r.wrong(key, node, "write a whole number, as 5 or 500")
		}
		into.SetInt(int64(n))
	case time.Duration:
		d, err := time.ParseDuration(text)
		if err != nil {
			return r.wrong(key, node, "write a duration, as 30s or 2m")
		}
		into.SetInt(int64(d))
	case Size:
		size, err := ParseSize(text)
		if err != nil {
			return r.wrong(key, node, err.Error())
		}
		into.SetInt(int64(size))
	case bool:
		if text = strings.ToLower(text); text != "true" && text != "false" {
			return r.wrong(key, node, "write true or false")
		}
		into.SetBool(text == "true")
	default:
		into.SetString(text)
	}
	return nil
}

// credential is the name under which systemd's LoadCredential= gives the API key.
const credential = "ayna_api_key"

// readKey reads the API key from the file that site.yaml names or, where it names an
// unset variable, from the credential that systemd passes. A file that cannot be read
// matters only to commands that make requests.
func (r *reader) readKey(s *Source) {
	const key = "source.api_key_file"
	if s.APIKeyFile != "" {
		s.KeyFrom = fmt.Sprintf("the file %s, which site.yaml names in %s", s.APIKeyFile, key)
		content, err := os.ReadFile(s.APIKeyFile)
		if err != nil {
			err = r.errorf(key, "%w; write the key into that file, readable for this user alone", err)
		} else if len(bytes.TrimSpace(content)) == 0 {
			err = r.errorf(key, "%s is empty; write the key into it", s.APIKeyFile)
		}
		if err != nil {
			r.unset[key] = err
		}
		s.APIKey = Secret(content)
		return
	}
	if r.keyName != "" {
		s.KeyFrom = fmt.Sprintf("the environment variable %s, which site.yaml names in source.api_key", r.keyName)
	}
	dir, _ := r.env("CREDENTIALS_DIRECTORY")
	unset := (*UnsetError)(nil)
	if dir == "" || !errors.As(r.unset["source.api_key"], &unset) {
		return
	}
	content, err := os.ReadFile(filepath.Join(dir, credential))
	if err != nil {
		return
	}
	s.KeyFrom = fmt.Sprintf("systemd's credential %s, which ayna@NAME.service reads from /etc/ayna/NAME.key", credential)
	// The unit passes an empty credential if there is no key.
	if unset.credential = s.KeyFrom; len(bytes.TrimSpace(content)) > 0 {
		s.APIKey = Secret(content)
		delete(r.unset, "source.api_key")
	}
}

var variable = regexp.MustCompile(`\$\{([A-Za-z_][A-Za-z0-9_]*)\}`)

// expand replaces ${NAME}, and refuses a literal secret. ok is false if a variable is
// unset that only some commands need; the default stays then.
func (r *reader) expand(key, text string, secret bool) (expanded string, ok bool, err error) {
	if secret && strings.TrimSpace(variable.ReplaceAllString(text, "")) != "" {
		return "", false, r.errorf(key, "the key itself is in the file; write ${AYNA_API_KEY}, and set that variable in the environment")
	}
	ok = true
	text = variable.ReplaceAllStringFunc(text, func(match string) string {
		name := match[len("${") : len(match)-len("}")]
		value, _ := r.env(name)
		value = strings.TrimSpace(value)
		if key == "source.api_key" {
			r.keyName = name
		}
		switch {
		case value == "" && (secret || strings.HasPrefix(key, "serve.") || strings.HasPrefix(key, "notify.")):
			ok = false
			r.unset[key] = &UnsetError{At: r.position(key), Key: key, Name: name}
		case value == "" && err == nil:
			err = &UnsetError{At: r.position(key), Key: key, Name: name}
		case !utf8.ValidString(value) && err == nil:
			err = r.errorf(key, "%s is not UTF-8; set it to UTF-8 text", match)
		}
		return value
	})
	return text, ok, err
}

// wrong returns an error about the type of a value, with the position of the value.
func (r *reader) wrong(key string, node ast.Node, advice string) error {
	at := node.GetToken().Position
	if key != "" {
		key += ": "
	}
	return fmt.Errorf("%s:%d:%d: %s%s", r.file, at.Line, at.Column, key, advice)
}

// errorf returns an error about a key, with the position of the key.
func (r *reader) errorf(key, format string, args ...any) error {
	return fmt.Errorf("%s: %s: %w", r.position(key), key, fmt.Errorf(format, args...))
}

// position returns the file and, if the file has the key, its line.
func (r *reader) position(key string) string {
	if at := r.keys[key]; at != nil {
		return fmt.Sprintf("%s:%d", r.file, at.Line)
	}
	return r.file
}
