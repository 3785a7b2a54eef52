package press

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"text/template/parse"
)

// value is what a pipeline comes to. typ is nil if its type shows only when the
// template runs: then all that can be asked is whether it is true.
type value struct {
	typ reflect.Type
	get func(r *run, dot reflect.Value) (reflect.Value, error)
}

var errNil = errors.New("nil pointer")

// pipe compiles a pipeline that nothing is piped on to.
func (c *compiler) pipe(pipe *parse.PipeNode, s scope) (value, error) {
	if len(pipe.Cmds) != 1 {
		return value{}, errUnknown
	}
	return c.command(pipe.Cmds[0], s)
}

func (c *compiler) command(command *parse.CommandNode, s scope) (value, error) {
	if len(command.Args) == 1 {
		return c.operand(command.Args[0], s)
	}
	function, ok := command.Args[0].(*parse.IdentifierNode)
	if !ok {
		return value{}, errUnknown
	}
	var args []value
	for _, node := range command.Args[1:] {
		arg, err := c.operand(node, s)
		if err != nil {
			return value{}, err
		}
		args = append(args, arg)
	}
	return call(function.Ident, args)
}

// operand compiles what stands for a value by itself.
func (c *compiler) operand(node parse.Node, s scope) (value, error) {
	switch n := node.(type) {
	case *parse.DotNode:
		return value{s.dot, func(_ *run, dot reflect.Value) (reflect.Value, error) { return dot, nil }}, nil
	case *parse.FieldNode:
		v, _ := c.operand(&parse.DotNode{}, s)
		v, err := fields(v, n.Ident)
		return v, located(err, n)
	case *parse.VariableNode:
		for _, known := range slices.Backward(s.vars) {
			if known.name == n.Ident[0] {
				v := value{known.typ, func(r *run, _ reflect.Value) (reflect.Value, error) { return r.vars[known.slot], nil }}
				v, err := fields(v, n.Ident[1:])
				return v, located(err, n)
			}
		}
	case *parse.PipeNode:
		if len(n.Decl) > 0 {
			return value{}, errUnknown
		}
		return c.pipe(n, s)
	case *parse.StringNode:
		return constant(n.Text), nil
	case *parse.NumberNode:
		if n.IsInt {
			return constant(int(n.Int64)), nil
		}
	}
	return value{}, errUnknown
}

func constant[T any](x T) value {
	v := reflect.ValueOf(x)
	return value{v.Type(), func(*run, reflect.Value) (reflect.Value, error) { return v, nil }}
}

// NoFieldError tells of a name in a template that is no field of what it is
// looked for in, with whatever view.
type NoFieldError struct {
	Where string // file, line and column
	Name  string
	Type  reflect.Type
}

func (e *NoFieldError) Error() string {
	return fmt.Sprintf("%s: %s has no field %s", e.Where, e.Type, e.Name)
}

// Is has html/template execute what gets by.
func (e *NoFieldError) Is(target error) bool { return target == errUnknown }

// located has an error say where in a template it arose.
func located(err error, node parse.Node) error {
	var none *NoFieldError
	if errors.As(err, &none) {
		none.Where, _ = (*parse.Tree)(nil).ErrorContext(node)
	}
	return err
}

// fields follows names from a value: each is a method or a field.
func fields(v value, names []string) (value, error) {
	for _, name := range names {
		var err error
		if v, err = field(v, name); err != nil {
			return v, err
		}
	}
	return v, nil
}

func field(from value, name string) (value, error) {
	if from.typ == nil {
		return value{}, errUnknown
	}
	in := from
	if from.typ.Kind() == reflect.Pointer {
		in.typ = from.typ.Elem()
		in.get = func(r *run, dot reflect.Value) (reflect.Value, error) {
			v, err := from.get(r, dot)
			if err == nil && v.IsNil() {
				return v, fmt.Errorf("%s of %s: %w", name, from.typ, errNil)
			}
			return v.Elem(), err
		}
	}
	switch in.typ.Kind() {
	case reflect.Struct:
	case reflect.Map, reflect.Interface:
		return value{}, errUnknown
	default:
		return value{}, &NoFieldError{Name: name, Type: in.typ}
	}
	if _, ok := reflect.PointerTo(in.typ).MethodByName(name); ok {
		return method(in, name)
	}
	f, ok := in.typ.FieldByName(name)
	if !ok {
		return value{}, &NoFieldError{Name: name, Type: in.typ}
	}
	if !f.IsExported() || throughPointer(in.typ, f.Index) {
		return value{}, errUnknown
	}
	found := value{f.Type, func(r *run, dot reflect.Value) (reflect.Value, error) {
		v, err := in.get(r, dot)
		if err != nil {
			return v, err
		}
		for _, i := range f.Index {
			v = v.Field(i)
		}
		return v, nil
	}}
	if f.Type == anyHTML {
		return found.written(), nil
	}
	return found, nil
}

// throughPointer reports whether a field lies in an embedded struct that may be
// missing.
func throughPointer(t reflect.Type, index []int) bool {
	for _, i := range index[:len(index)-1] {
		if t = t.Field(i).Type; t.Kind() != reflect.Struct {
			return true
		}
	}
	return false
}

// method compiles the call of a method without arguments. One that wants a
// pointer is left to html/template, which may or may not have one.
func method(in value, name string) (value, error) {
	m, ok := in.typ.MethodByName(name)
	if !ok || m.Type.NumIn() != 1 {
		return value{}, errUnknown
	}
	switch m.Type.NumOut() {
	case 1:
	case 2:
		if m.Type.Out(1) != reflect.TypeFor[error]() {
			return value{}, errUnknown
		}
	default:
		return value{}, errUnknown
	}
	onPointer, _ := reflect.PointerTo(in.typ).MethodByName(name)
	return value{m.Type.Out(0), func(r *run, dot reflect.Value) (reflect.Value, error) {
		v, err := in.get(r, dot)
		if err != nil {
			return v, err
		}
		var results []reflect.Value
		if v.CanAddr() {
			results = v.Addr().Method(onPointer.Index).Call(nil)
		} else {
			results = v.Method(m.Index).Call(nil)
		}
		if len(results) == 2 && !results[1].IsNil() {
			return results[0], fmt.Errorf("%s: %w", name, results[1].Interface().(error))
		}
		return results[0], nil
	}}, nil
}

// truth is what if, with, and, or and not go by.
func truth(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Array, reflect.Map, reflect.Slice, reflect.String:
		return v.Len() > 0
	case reflect.Struct:
		return true
	}
	return !v.IsZero()
}

// hasTruth are the kinds of which truth is what html/template takes it for.
func hasTruth(v value) bool {
	if v.typ == nil {
		return true
	}
	switch v.typ.Kind() {
	case reflect.Slice, reflect.String, reflect.Struct, reflect.Bool, reflect.Int, reflect.Int64, reflect.Pointer:
		return true
	}
	return false
}
