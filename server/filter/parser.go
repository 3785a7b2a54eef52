package filter

import (
	"slices"
	"strings"
	"time"

	"ayna/archive/query"
)

// parser reads an expression by recursive descent. From loosest to tightest bind
// or, and, not, comparisons.
type parser struct {
	lexer
	token   token // the next one
	allowed []Property
	zone    *time.Location
	uses    []query.Property // those that the expression names
	nodes   int
	depth   int
}

func (p *parser) advance() { p.token = p.next() }

// node counts a node of the expression.
func (p *parser) node(at token) {
	if p.nodes++; p.nodes > MaxNodes {
		p.fail(at, "more than %d comparisons, and, or, not", MaxNodes)
	}
}

// deeper calls read one level further down.
func (p *parser) deeper(at token, read func() *query.Condition) *query.Condition {
	if p.depth++; p.depth > MaxDepth {
		p.fail(at, "nested deeper than %d", MaxDepth)
	}
	c := read()
	p.depth--
	return c
}

func (p *parser) or() *query.Condition { return p.chain("or", p.and, or) }

func (p *parser) and() *query.Condition { return p.chain("and", p.not, and) }

// chain reads conditions with a word between them.
func (p *parser) chain(between string, read func() *query.Condition, join func([]*query.Condition) *query.Condition) *query.Condition {
	list := []*query.Condition{read()}
	for p.token.is(between) {
		p.node(p.token)
		p.advance()
		list = append(list, read())
	}
	if len(list) == 1 {
		return list[0]
	}
	return join(list)
}

// not reads a comparison or a condition in parentheses, perhaps negated.
func (p *parser) not() *query.Condition {
	from := p.token
	switch {
	case from.is("not"):
		p.node(from)
		p.advance()
		return not(p.deeper(from, p.not))
	case from.kind == opening:
		p.advance()
		inner := p.deeper(from, p.or)
		if p.token.kind != closing {
			p.fail(p.token, "expected )")
		}
		p.advance()
		return inner
	}
	return p.comparison()
}

// comparison reads a property, an operator and a value, or the value first.
func (p *parser) comparison() *query.Condition {
	left := p.operand()
	at := p.token
	if at.kind == end || at.kind == closing {
		p.fail(at, "expected a comparison: eq, ne, gt, ge, lt or le")
	}
	o, ok := operators[strings.ToLower(at.text)]
	if at.kind != word || !ok {
		p.fail(at, "no such operator; there are eq, ne, gt, ge, lt, le, and, or, not")
	}
	p.node(at)
	p.advance()
	right := p.operand()
	if left.property == "" {
		left, right, o = right, left, operators[o.mirrored]
	}
	if left.property == "" || right.property != "" {
		p.fail(right.from, "a property is compared with a value; properties are %s", Names(p.allowed))
	}
	return p.compare(left.property, o, right)
}

// operand reads a property or a value.
func (p *parser) operand() operand {
	from := p.token
	if from.kind != word && from.kind != quoted {
		p.fail(from, "expected a property or a value; properties are %s", Names(p.allowed))
	}
	p.advance()
	if p.token.kind == opening && from.kind == word {
		p.fail(from, "no functions here; compare a property by eq, ne, gt, ge, lt or le")
	}
	if o, ok := p.literal(from); ok {
		return o
	}
	i := slices.IndexFunc(p.allowed, func(a Property) bool { return strings.EqualFold(a.Name, from.text) })
	if i < 0 {
		p.fail(from, "no such property here; allowed properties are %s; strings stand in single quotes", Names(p.allowed))
	}
	property := p.allowed[i].Archive
	if !slices.Contains(p.uses, property) {
		p.uses = append(p.uses, property)
	}
	return operand{from: from, property: property}
}
