package press

import (
	"reflect"
	"slices"
)

// call compiles the call of one of the functions that templates know.
func call(name string, args []value) (value, error) {
	switch {
	case len(args) == 0 || !slices.Contains([]string{"and", "or", "not", "len", "eq", "ne", "lt", "gt"}, name):
	case name == "and" || name == "or":
		return either(name == "or", args)
	case name == "not" && len(args) == 1 && hasTruth(args[0]):
		return truthOf(args[0]), nil
	case name == "len" && len(args) == 1 && isKind(args[0], reflect.Slice, reflect.String):
		return derive(args[0], func(v reflect.Value) reflect.Value { return reflect.ValueOf(v.Len()) }), nil
	case len(args) == 2 && isKind(args[0], reflect.Int) && isKind(args[1], reflect.Int):
		return compare(args, func(a, b reflect.Value) bool { return ordered(name, a.Int(), b.Int()) }), nil
	case len(args) == 2 && isKind(args[0], reflect.String) && isKind(args[1], reflect.String):
		return compare(args, func(a, b reflect.Value) bool { return ordered(name, a.String(), b.String()) }), nil
	}
	return value{}, errUnknown
}

func isKind(v value, kinds ...reflect.Kind) bool {
	return v.typ != nil && slices.Contains(kinds, v.typ.Kind())
}

func ordered[T int64 | string](name string, a, b T) bool {
	switch name {
	case "eq":
		return a == b
	case "ne":
		return a != b
	case "lt":
		return a < b
	}
	return a > b
}

// either is the first argument that is true, or false, and the last one if none
// is.
func either(want bool, args []value) (value, error) {
	typ := args[0].typ
	for _, arg := range args {
		if !hasTruth(arg) {
			return value{}, errUnknown
		}
		if arg.typ != typ {
			typ = nil
		}
	}
	last := args[len(args)-1]
	return value{typ, func(r *run, dot reflect.Value) (reflect.Value, error) {
		for _, arg := range args[:len(args)-1] {
			if v, err := arg.get(r, dot); err != nil || truth(v) == want {
				return v, err
			}
		}
		return last.get(r, dot)
	}}, nil
}

func truthOf(v value) value {
	return derive(v, func(v reflect.Value) reflect.Value { return reflect.ValueOf(!truth(v)) })
}

// derive is a value that is made of another one.
func derive(from value, to func(reflect.Value) reflect.Value) value {
	return value{to(zero(from)).Type(), func(r *run, dot reflect.Value) (reflect.Value, error) {
		v, err := from.get(r, dot)
		if err != nil {
			return v, err
		}
		return to(v), nil
	}}
}

func zero(v value) reflect.Value {
	if v.typ == nil {
		return reflect.ValueOf(false)
	}
	return reflect.Zero(v.typ)
}

func compare(args []value, holds func(a, b reflect.Value) bool) value {
	return value{reflect.TypeFor[bool](), func(r *run, dot reflect.Value) (reflect.Value, error) {
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
