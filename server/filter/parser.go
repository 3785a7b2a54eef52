package filter

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"ayna/archive"
)

// parser reads an expression by recursive descent: or binds less than and,
// that less than not, that less than comparisons.
type parser struct {
	lexer
	token   token // the next one
	allowed []Property
	aliases map[string]string // by their names in lower case: @p
	zone    *time.Location
	nodes   int
	depth   int
}

// operand is an expression that was read: a condition, a property, a value, or
// another term.
type operand struct {
	from      token
	condition archive.Condition
	property  *Property
	value     *value
	term      archive.Term
	kind      kind // of the term
	day       bool // the term is the day of a date
}

func (p *parser) errorf(at token, format string, args ...any) error {
	return p.errorAt(at.at, fmt.Sprintf(format, args...))
}

func (p *parser) advance() (err error) {
	p.token, err = p.next()
	return err
}

// node counts one more part of the expression.
func (p *parser) node(at token) error {
	if p.nodes++; p.nodes > MaxNodes {
		return p.errorf(at, "more than %d comparisons, functions, and, or, not", MaxNodes)
	}
	return nil
}

// deeper runs read one level further down.
func (p *parser) deeper(at token, read func() (operand, error)) (operand, error) {
	if p.depth++; p.depth > MaxDepth {
		return operand{}, p.errorf(at, "nested deeper than %d", MaxDepth)
	}
	defer func() { p.depth-- }()
	return read()
}

// condition makes sure that an operand is one.
func (p *parser) condition(o operand) (archive.Condition, error) {
	switch {
	case o.condition != nil:
		return o.condition, nil
	case o.value != nil && o.value.sort == boolean:
		return truth(o.value.yes), nil
	case o.property != nil || o.term != nil:
		return nil, p.errorf(p.token, "expected a comparison: eq, ne, gt, ge, lt, le or in")
	}
	return nil, p.errorf(o.from, "expected a condition, this is a value")
}

func truth(yes bool) archive.Condition {
	if yes {
		return archive.And{}
	}
	return archive.Or{}
}

func (p *parser) or() (operand, error) {
	return p.chain("or", p.and, func(list []archive.Condition) archive.Condition { return archive.Or(list) })
}

func (p *parser) and() (operand, error) {
	return p.chain("and", p.not, func(list []archive.Condition) archive.Condition { return archive.And(list) })
}

// chain reads operands that are joined by a word.
func (p *parser) chain(joint string, read func() (operand, error), join func([]archive.Condition) archive.Condition) (operand, error) {
	first, err := read()
	if err != nil || !p.token.is(joint) {
		return first, err
	}
	condition, err := p.condition(first)
	if err != nil {
		return operand{}, err
	}
	list := []archive.Condition{condition}
	for p.token.is(joint) {
		if err := p.node(p.token); err != nil {
			return operand{}, err
		}
		if err := p.advance(); err != nil {
			return operand{}, err
		}
		next, err := read()
		if err != nil {
			return operand{}, err
		}
		if condition, err = p.condition(next); err != nil {
			return operand{}, err
		}
		list = append(list, condition)
	}
	return operand{from: first.from, condition: join(list)}, nil
}

// not reads a comparison, or its contrary. OData binds not closer than eq; for
// what is true or false that comes to the same.
func (p *parser) not() (operand, error) {
	if !p.token.is("not") {
		return p.comparison()
	}
	from := p.token
	if err := p.node(from); err != nil {
		return operand{}, err
	}
	if err := p.advance(); err != nil {
		return operand{}, err
	}
	inner, err := p.deeper(from, p.not)
	if err != nil {
		return operand{}, err
	}
	condition, err := p.condition(inner)
	return operand{from: from, condition: archive.Not{Condition: condition}}, err
}

var operators = map[string]archive.Operator{
	"eq": archive.Equal, "ne": archive.NotEqual,
	"gt": archive.Greater, "ge": archive.AtLeast, "lt": archive.Less, "le": archive.AtMost,
}

func (p *parser) comparison() (operand, error) {
	left, err := p.operand()
	if err != nil {
		return operand{}, err
	}
	for p.token.sort == word {
		if p.token.is("and") || p.token.is("or") {
			break
		}
		condition, err := p.comparisonWith(left)
		if err != nil {
			return operand{}, err
		}
		left = operand{from: left.from, condition: condition}
	}
	return left, nil
}

// comparisonWith reads an operator and what comes after it.
func (p *parser) comparisonWith(left operand) (archive.Condition, error) {
	at := p.token
	operator, ok := operators[strings.ToLower(at.text)]
	if !ok && !at.is("in") {
		return nil, p.errorf(at, "no such operator; there are eq, ne, gt, ge, lt, le, in, and, or, not")
	}
	if err := p.node(at); err != nil {
		return nil, err
	}
	if err := p.advance(); err != nil {
		return nil, err
	}
	if ok {
		right, err := p.operand()
		if err != nil {
			return nil, err
		}
		return p.compare(at, left, operator, right)
	}
	list, err := p.list()
	if err != nil {
		return nil, err
	}
	var any archive.Or
	for _, right := range list {
		one, err := p.compare(at, left, archive.Equal, right)
		if err != nil {
			return nil, err
		}
		any = append(any, one)
	}
	return any, nil
}

// operand reads what stands on one side of a comparison, or by itself.
func (p *parser) operand() (operand, error) {
	from := p.token
	switch from.sort {
	case open:
		if err := p.advance(); err != nil {
			return operand{}, err
		}
		inner, err := p.deeper(from, p.or)
		if err != nil {
			return operand{}, err
		}
		return inner, p.expect(shut, ")")
	case quoted:
		v, err := p.quotedValue(from)
		if err != nil {
			return operand{}, err
		}
		return operand{from: from, value: v}, p.advance()
	case word:
		if err := p.advance(); err != nil {
			return operand{}, err
		}
		if p.token.sort == open {
			return p.function(from)
		}
		return p.name(from)
	}
	return operand{}, p.errorf(from, "expected a property, a value, a function or (; properties are %s", p.names())
}

// expect skips a token of that sort.
func (p *parser) expect(s sort, name string) error {
	if p.token.sort != s {
		return p.errorf(p.token, "expected %s", name)
	}
	return p.advance()
}

// name reads a word that is a value or a property.
func (p *parser) name(from token) (operand, error) {
	if strings.HasPrefix(from.text, "@") {
		return p.alias(from)
	}
	v, err := p.wordValue(from)
	if v != nil || err != nil {
		return operand{from: from, value: v}, err
	}
	i := slices.IndexFunc(p.allowed, func(a Property) bool { return strings.EqualFold(a.Name, from.text) })
	if i < 0 {
		return operand{}, p.errorf(from, "no such property here; allowed properties are %s; strings stand in single quotes", p.names())
	}
	return operand{from: from, property: &p.allowed[i]}, nil
}

func (p *parser) names() string {
	var names []string
	for _, property := range p.allowed {
		names = append(names, property.Name)
	}
	return strings.Join(names, ", ")
}

var mirrored = map[archive.Operator]archive.Operator{
	archive.Equal: archive.Equal, archive.NotEqual: archive.NotEqual,
	archive.Greater: archive.Less, archive.AtLeast: archive.AtMost, archive.Less: archive.Greater, archive.AtMost: archive.AtLeast,
}
