package config

import (
	"fmt"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"
)

// reader reads values into the fields of a [Config]. The field says what a value
// may be, and the value is what is written: what YAML makes of it would turn a
// limit of 0.5 into 0, which is none, and 0500 into 320.
type reader struct {
	*places
	env     func(string) (string, bool)
	anchors map[string]ast.Node // values that have a name: &name
}

// read reads the value of a key. If there is none, the default stays.
func (r *reader) read(key string, node ast.Node, into reflect.Value) error {
	switch n := node.(type) {
	case *ast.NullNode, *ast.CommentGroupNode:
		return nil
	case *ast.TagNode:
		return r.read(key, n.Value, into)
	case *ast.AnchorNode:
		err := r.read(key, n.Value, into)
		r.anchors[n.Name.GetToken().Value] = n.Value // not before: it must not hold itself
		return err
	case *ast.AliasNode:
		if value, ok := r.anchors[n.Value.GetToken().Value]; ok {
			return r.read(key, value, into)
		}
		return r.wrong(key, node, "no value before it has that name")
	}
	text, isText := textOf(node)
	if search, ok := into.Addr().Interface().(*Search); ok && isText { // a word instead of {title, query}
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

// textOf returns what is written as a scalar.
func textOf(node ast.Node) (text string, ok bool) {
	switch n := node.(type) {
	case *ast.StringNode:
		return n.Value, true
	case *ast.LiteralNode:
		return n.Value.Value, true
	case ast.ScalarNode:
		return n.GetToken().Value, true
	}
	return "", false
}

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
		field, ok := fieldOf(into, token.Value)
		if !ok {
			return fmt.Errorf("%s:%d:%d: unknown key %q", r.file, token.Position.Line, token.Position.Column, token.Value)
		}
		key := token.Value
		if path != "" {
			key = path + "." + key
		}
		r.keys[key] = token.Position
		if err := r.read(key, pairs.Value(), field); err != nil {
			return err
		}
	}
	return nil
}

// fieldOf returns the field of a struct that a key stands for.
func fieldOf(v reflect.Value, key string) (field reflect.Value, ok bool) {
	for i := range v.NumField() {
		if tag := v.Type().Field(i).Tag.Get("yaml"); tag == key && tag != "-" {
			return v.Field(i), true
		}
	}
	return reflect.Value{}, false
}

func (r *reader) readList(key string, node ast.Node, into reflect.Value) error {
	list, ok := node.(*ast.SequenceNode)
	if !ok {
		return r.wrong(key, node, "write a list, as [a, b]")
	}
	values := reflect.MakeSlice(into.Type(), len(list.Values), len(list.Values))
	for i, value := range list.Values {
		if err := r.read(key, value, values.Index(i)); err != nil {
			return err
		}
	}
	into.Set(values)
	return nil
}

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
	case bool:
		truth := strings.ToLower(text)
		if truth != "true" && truth != "false" {
			return r.wrong(key, node, "write true or false")
		}
		into.SetBool(truth == "true")
	default:
		into.SetString(text)
	}
	return nil
}

var variable = regexp.MustCompile(`\$\{([A-Za-z_][A-Za-z0-9_]*)\}`)

// expand replaces ${NAME}, and refuses a secret that is written out. ok is false
// if a variable is missing that not every command needs: the default stays.
func (r *reader) expand(key, text string, secret bool) (expanded string, ok bool, err error) {
	if secret && strings.TrimSpace(variable.ReplaceAllString(text, "")) != "" {
		return "", false, r.errorf(key, "the key itself must not stand here; write ${AYNA_API_KEY}, and set that in the environment")
	}
	ok = true
	text = variable.ReplaceAllStringFunc(text, func(match string) string {
		name := variable.FindStringSubmatch(match)[1]
		value, _ := r.env(name)
		value = strings.TrimSpace(value)
		if secret {
			r.named[key] = name
		}
		switch {
		case value == "" && (secret || strings.HasPrefix(key, "serve.")):
			ok = false
			r.unset[key] = r.missing(key, name)
		case value == "" && err == nil:
			err = r.missing(key, name)
		case !utf8.ValidString(value) && err == nil:
			err = r.errorf(key, "%s is not UTF-8", match)
		}
		return value
	})
	return text, ok, err
}

// wrong makes an error about a value that its key cannot have.
func (r *reader) wrong(key string, node ast.Node, advice string) error {
	at := node.GetToken().Position
	if key == "" {
		return fmt.Errorf("%s:%d:%d: %s", r.file, at.Line, at.Column, advice)
	}
	return fmt.Errorf("%s:%d:%d: %s: %s", r.file, at.Line, at.Column, key, advice)
}
