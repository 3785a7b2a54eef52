package compiled

import (
	"cmp"
	"errors"
	"fmt"
	"html/template"
	"reflect"
	"slices"
	"text/template/parse"
)

// value is a compiled pipeline. typ is nil if its type is known only at run time;
// such a value can only be a condition.
type value struct {
	typ reflect.Type
	get func(r *execution, dot reflect.Value) (reflect.Value, error)
}

// pipe compiles a pipeline of one command.
func (c *compiler) pipe(pipe *parse.PipeNode, s scope) (value, error) {
	if len(pipe.Cmds) != 1 {
		return value{}, errUnsupported
	}
	return c.command(pipe.Cmds[0], s)
}

func (c *compiler) command(command *parse.CommandNode, s scope) (value, error) {
	if len(command.Args) == 1 {
		return c.operand(command.Args[0], s)
	}
	function, ok := command.Args[0].(*parse.IdentifierNode)
	if !ok {
		return value{}, errUnsupported
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

// operand compiles a node that is a value by itself.
func (c *compiler) operand(node parse.Node, s scope) (value, error) {
	dot := value{s.dot, func(_ *execution, dot reflect.Value) (reflect.Value, error) { return dot, nil }}
	switch n := node.(type) {
	case *parse.DotNode:
		return dot, nil
	case *parse.FieldNode:
		return fields(dot, n.Ident, n)
	case *parse.VariableNode:
		for _, known := range slices.Backward(s.vars) {
			if known.name == n.Ident[0] {
				v := value{known.typ, func(r *execution, _ reflect.Value) (reflect.Value, error) { return r.vars[known.slot], nil }}
				return fields(v, n.Ident[1:], n)
			}
		}
	case *parse.PipeNode:
		if len(n.Decl) > 0 {
			return value{}, errUnsupported
		}
		return c.pipe(n, s)
	case *parse.StringNode:
		return constant(n.Text), nil
	case *parse.NumberNode:
		if n.IsInt {
			return constant(int(n.Int64)), nil
		}
	}
	return value{}, errUnsupported
}

func constant[T any](x T) value {
	v := reflect.ValueOf(x)
	return value{v.Type(), func(*execution, reflect.Value) (reflect.Value, error) { return v, nil }}
}

// NoFieldError reports that a template uses a field or method that the type of its
// view lacks.
type NoFieldError struct {
	Where string // file, line and column
	Name  string
	Type  reflect.Type
}

func (e *NoFieldError) Error() string {
	return fmt.Sprintf("%s: %s has no field %s", e.Where, e.Type, e.Name)
}

// Is makes errors.Is report that html/template has to execute the template.
func (e *NoFieldError) Is(target error) bool { return target == errUnsupported }

// fields compiles a chain of fields and methods, which stands at a node.
func fields(v value, names []string, node parse.Node) (value, error) {
	for _, name := range names {
		var err error
		if v, err = field(v, name); err != nil {
			if none, ok := errors.AsType[*NoFieldError](err); ok {
				none.Where, _ = (*parse.Tree)(nil).ErrorContext(node)
			}
			return v, err
		}
	}
	return v, nil
}

func field(from value, name string) (value, error) {
	if from.typ == nil {
		return value{}, errUnsupported
	}
	in := from
	if from.typ.Kind() == reflect.Pointer {
		in.typ = from.typ.Elem()
		in.get = func(r *execution, dot reflect.Value) (reflect.Value, error) {
			v, err := from.get(r, dot)
			if err == nil && v.IsNil() {
				return v, fmt.Errorf("%s of %s: nil pointer", name, from.typ)
			}
			return v.Elem(), err
		}
	}
	switch in.typ.Kind() {
	case reflect.Struct:
	case reflect.Map, reflect.Interface:
		return value{}, errUnsupported
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
		return value{}, errUnsupported
	}
	found := value{f.Type, func(r *execution, dot reflect.Value) (reflect.Value, error) {
		v, err := in.get(r, dot)
		if err != nil {
			return v, err
		}
		for _, i := range f.Index {
			v = v.Field(i)
		}
		return v, nil
	}}
	if f.Type == htmlType {
		return found.buffered(), nil
	}
	return found, nil
}

// throughPointer reports whether a field lies in an embedded pointer, which may be
// nil.
func throughPointer(t reflect.Type, index []int) bool {
	for _, i := range index[:len(index)-1] {
		if t = t.Field(i).Type; t.Kind() != reflect.Struct {
			return true
		}
	}
	return false
}

// method compiles the call of a method without arguments. It refuses methods with a
// pointer receiver: only at run time is known whether they can be called.
func method(in value, name string) (value, error) {
	m, ok := in.typ.MethodByName(name)
	if !ok || m.Type.NumIn() != 1 {
		return value{}, errUnsupported
	}
	if n := m.Type.NumOut(); n != 1 && (n != 2 || m.Type.Out(1) != reflect.TypeFor[error]()) {
		return value{}, errUnsupported
	}
	onPointer, _ := reflect.PointerTo(in.typ).MethodByName(name)
	return value{m.Type.Out(0), func(r *execution, dot reflect.Value) (reflect.Value, error) {
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

// truth reports whether a value is true for if, with, and, or and not.
func truth(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Array, reflect.Map, reflect.Slice, reflect.String:
		return v.Len() > 0
	case reflect.Struct:
		return true
	}
	return !v.IsZero()
}

// hasTruth reports whether [truth] supports the type of a value.
func hasTruth(v value) bool {
	return v.typ == nil ||
		isKind(v, reflect.Slice, reflect.String, reflect.Struct, reflect.Bool, reflect.Int, reflect.Int64, reflect.Pointer)
}

// bufferedHTML is the type of HTML that a run has in its buffer.
type bufferedHTML []byte

var (
	htmlType         = reflect.TypeFor[HTML]()
	bufferedHTMLType = reflect.TypeFor[bufferedHTML]()
)

// buffered compiles a value of type HTML.
func (v value) buffered() value {
	return value{bufferedHTMLType, func(r *execution, dot reflect.Value) (reflect.Value, error) {
		html, err := v.get(r, dot)
		if err != nil {
			return html, err
		}
		start := len(r.html)
		switch h := html.Interface().(type) {
		case nil:
		case template.HTML:
			r.html = append(r.html, h...)
		case Markup:
			r.html = h.AppendHTML(r.html)
		default:
			return html, fmt.Errorf("a field of type HTML holds a %T; it must be nil, a template.HTML or a Markup", h)
		}
		return reflect.ValueOf(bufferedHTML(r.html[start:])), nil
	}}
}

// comparisons are the functions that compare two values, by the outcome of
// [cmp.Compare].
var comparisons = map[string]func(outcome int) bool{
	"eq": func(outcome int) bool { return outcome == 0 },
	"ne": func(outcome int) bool { return outcome != 0 },
	"lt": func(outcome int) bool { return outcome < 0 },
	"gt": func(outcome int) bool { return outcome > 0 },
}

// call compiles the call of one of the functions that templates know.
func call(name string, args []value) (value, error) {
	holds, compares := comparisons[name]
	switch {
	case name == "and" || name == "or":
		return andOr(name == "or", args)
	case name == "not" && len(args) == 1 && hasTruth(args[0]):
		return derive(args[0], func(v reflect.Value) bool { return !truth(v) }), nil
	case name == "len" && len(args) == 1 && isKind(args[0], reflect.Slice, reflect.String):
		return derive(args[0], func(v reflect.Value) int { return v.Len() }), nil
	case !compares || len(args) != 2:
	case isKind(args[0], reflect.Int) && isKind(args[1], reflect.Int):
		return compare(args, func(a, b reflect.Value) bool { return holds(cmp.Compare(a.Int(), b.Int())) }), nil
	case isKind(args[0], reflect.String) && isKind(args[1], reflect.String):
		return compare(args, func(a, b reflect.Value) bool { return holds(cmp.Compare(a.String(), b.String())) }), nil
	}
	return value{}, errUnsupported
}

func isKind(v value, kinds ...reflect.Kind) bool {
	return v.typ != nil && slices.Contains(kinds, v.typ.Kind())
}

// andOr compiles or and and: the first argument whose truth is as wanted, else
// the last.
func andOr(want bool, args []value) (value, error) {
	typ := args[0].typ
	for _, arg := range args {
		if !hasTruth(arg) {
			return value{}, errUnsupported
		}
		if arg.typ != typ {
			typ = nil
		}
	}
	last := args[len(args)-1]
	return value{typ, func(r *execution, dot reflect.Value) (reflect.Value, error) {
		for _, arg := range args[:len(args)-1] {
			if v, err := arg.get(r, dot); err != nil || truth(v) == want {
				return v, err
			}
		}
		return last.get(r, dot)
	}}, nil
}

// derive compiles a function of one value.
func derive[T any](from value, to func(reflect.Value) T) value {
	return value{reflect.TypeFor[T](), func(r *execution, dot reflect.Value) (reflect.Value, error) {
		v, err := from.get(r, dot)
		if err != nil {
			return v, err
		}
		return reflect.ValueOf(to(v)), nil
	}}
}

func compare(args []value, holds func(a, b reflect.Value) bool) value {
	return value{reflect.TypeFor[bool](), func(r *execution, dot reflect.Value) (reflect.Value, error) {
		a, err := args[0].get(r, dot)
		if err != nil {
			return a, err
		}
		b, err := args[1].get(r, dot)
		if err != nil {
			return b, err
		}
		return reflect.ValueOf(holds(a, b)), nil
	}}
}
