package compiled

import (
	"errors"
	"fmt"
	"html/template"
	"reflect"
	"text/template/parse"
)

// errUnsupported marks a template that html/template has to execute.
var errUnsupported = errors.New("not supported, or known only when the template runs")

// step writes a part of the output.
type step func(r *execution, dot reflect.Value) error

// partial is a template that another one includes, with the type of its view.
type partial struct {
	name string
	view reflect.Type
}

// compiler turns the tree of a template into steps. Each variable of each template
// has its own slot, so no template may include itself.
type compiler struct {
	set      *template.Template
	contexts map[string]context
	partials map[partial]*step
	slots    int
}

// variable is a named value in a scope.
type variable struct {
	name string
	slot int
	typ  reflect.Type
}

// scope is the dot and the variables at a place in a template.
type scope struct {
	dot  reflect.Type
	vars []variable
}

func (c *compiler) declare(s scope, name string, typ reflect.Type) (scope, int) {
	slot := c.slots
	c.slots++
	vars := append(s.vars[:len(s.vars):len(s.vars)], variable{name, slot, typ})
	return scope{s.dot, vars}, slot
}

// template compiles a whole template, whose $ is the dot at its beginning.
func (c *compiler) template(t *template.Template, view reflect.Type) (step, error) {
	if t == nil || t.Tree == nil || t.Tree.Root == nil {
		return nil, fmt.Errorf("a template without a tree: %w", errUnsupported)
	}
	s, slot := c.declare(scope{dot: view}, "$", view)
	body, err := c.list(t.Tree.Root, s)
	if err != nil {
		return nil, err
	}
	return func(r *execution, dot reflect.Value) error {
		r.vars[slot] = dot
		return body(r, dot)
	}, nil
}

func (c *compiler) list(list *parse.ListNode, s scope) (step, error) {
	if list == nil {
		return func(*execution, reflect.Value) error { return nil }, nil
	}
	var steps []step
	for _, node := range list.Nodes {
		next, err := c.node(node, &s)
		if err != nil {
			where, _ := (*parse.Tree)(nil).ErrorContext(node)
			return nil, fmt.Errorf("%s: %w", where, err)
		}
		steps = append(steps, next)
	}
	if len(steps) == 1 {
		return steps[0], nil
	}
	return func(r *execution, dot reflect.Value) error {
		for _, next := range steps {
			if err := next(r, dot); err != nil {
				return err
			}
		}
		return nil
	}, nil
}

// node compiles one node of a list. An assignment adds to the scope.
func (c *compiler) node(node parse.Node, s *scope) (step, error) {
	switch n := node.(type) {
	case *parse.TextNode:
		text := string(n.Text)
		return func(r *execution, _ reflect.Value) error {
			r.out = append(r.out, text...)
			return nil
		}, nil
	case *parse.ActionNode:
		if len(n.Pipe.Decl) > 0 {
			return c.assign(n.Pipe, s)
		}
		return c.print(n.Pipe, *s)
	case *parse.IfNode:
		return c.branch(&n.BranchNode, *s)
	case *parse.WithNode:
		return c.branch(&n.BranchNode, *s)
	case *parse.RangeNode:
		return c.loop(n, *s)
	case *parse.TemplateNode:
		return c.include(n, *s)
	}
	return nil, errUnsupported
}

// assign compiles the declaration of a variable.
func (c *compiler) assign(pipe *parse.PipeNode, s *scope) (step, error) {
	v, err := c.pipe(pipe, *s)
	if err != nil {
		return nil, err
	}
	inside, slot, err := c.declarePipe(pipe, *s, v)
	*s = inside
	return func(r *execution, dot reflect.Value) (err error) {
		r.vars[slot], err = v.get(r, dot)
		return err
	}, err
}

// declarePipe adds the variable that a pipeline declares, if any, to the scope.
func (c *compiler) declarePipe(pipe *parse.PipeNode, s scope, v value) (inside scope, slot int, err error) {
	switch {
	case len(pipe.Decl) == 0:
		return s, -1, nil
	case len(pipe.Decl) > 1, pipe.IsAssign, v.typ == nil:
		return s, -1, errUnsupported
	}
	inside, slot = c.declare(s, pipe.Decl[0].Ident[0], v.typ)
	return inside, slot, nil
}

// branch compiles if and with.
func (c *compiler) branch(b *parse.BranchNode, s scope) (step, error) {
	with := b.NodeType == parse.NodeWith
	v, err := c.pipe(b.Pipe, s)
	if err != nil {
		return nil, err
	}
	inside, slot, err := c.declarePipe(b.Pipe, s, v)
	if err != nil || !hasTruth(v) || with && v.typ == nil {
		return nil, errUnsupported
	}
	if with {
		inside.dot = v.typ
	}
	then, err := c.list(b.List, inside)
	if err != nil {
		return nil, err
	}
	inside.dot = s.dot
	other, err := c.list(b.ElseList, inside)
	if err != nil {
		return nil, err
	}
	return func(r *execution, dot reflect.Value) error {
		value, err := v.get(r, dot)
		if err != nil {
			return err
		}
		if slot >= 0 {
			r.vars[slot] = value
		}
		switch {
		case !truth(value):
			return other(r, dot)
		case with:
			return then(r, value)
		}
		return then(r, dot)
	}, nil
}

// loop compiles range over a slice.
func (c *compiler) loop(n *parse.RangeNode, s scope) (step, error) {
	v, err := c.pipe(n.Pipe, s)
	if err != nil {
		return nil, err
	}
	if v.typ == nil || v.typ.Kind() != reflect.Slice || v.typ == bufferedHTMLType || n.Pipe.IsAssign {
		return nil, errUnsupported
	}
	inside, index, element := s, -1, -1
	switch decl := n.Pipe.Decl; len(decl) {
	case 1:
		inside, element = c.declare(inside, decl[0].Ident[0], v.typ.Elem())
	case 2:
		inside, index = c.declare(inside, decl[0].Ident[0], reflect.TypeFor[int]())
		inside, element = c.declare(inside, decl[1].Ident[0], v.typ.Elem())
	}
	inside.dot = v.typ.Elem()
	body, err := c.list(n.List, inside)
	if err != nil {
		return nil, err
	}
	other, err := c.list(n.ElseList, s)
	if err != nil {
		return nil, err
	}
	return func(r *execution, dot reflect.Value) error {
		list, err := v.get(r, dot)
		if err != nil {
			return err
		}
		for i := range list.Len() {
			item := list.Index(i)
			if index >= 0 {
				r.vars[index] = reflect.ValueOf(i)
			}
			if element >= 0 {
				r.vars[element] = item
			}
			if err := body(r, item); err != nil {
				return err
			}
		}
		if list.Len() == 0 {
			return other(r, dot)
		}
		return nil
	}, nil
}

// include compiles {{template}}. The set lacks templates that html/template escapes
// differently at this place.
func (c *compiler) include(n *parse.TemplateNode, s scope) (step, error) {
	if n.Pipe == nil || len(n.Pipe.Decl) > 0 {
		return nil, errUnsupported
	}
	v, err := c.pipe(n.Pipe, s)
	if err != nil {
		return nil, err
	}
	if v.typ == nil {
		return nil, errUnsupported
	}
	key := partial{n.Name, v.typ}
	body, known := c.partials[key]
	if !known {
		body = new(step)
		c.partials[key] = body
		if *body, err = c.template(c.set.Lookup(n.Name), v.typ); err != nil {
			return nil, err
		}
	} else if *body == nil {
		return nil, fmt.Errorf("%s includes itself: %w", n.Name, errUnsupported)
	}
	return func(r *execution, dot reflect.Value) error {
		view, err := v.get(r, dot)
		if err != nil {
			return err
		}
		return (*body)(r, view)
	}, nil
}
