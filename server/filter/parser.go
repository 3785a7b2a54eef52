package filter

import (
	"slices"
	"strings"
	"time"

	"ayna/archive"
)

// parser reads an expression by recursive descent. From loosest to tightest bind
// or, and, not, comparisons.
type parser struct {
	lexer
	token   token // the next one
	allowed []Property
	aliases map[string]string // by name in lower case: @p
	zone    *time.Location
	uses    []archive.Property // those that the expression names
	nodes   int
	depth   int
}

// operand is a part of an expression: a condition, a term, or a literal, whose
// kind depends on what it is compared with.
type operand struct {
	from      token
	condition *archive.Condition
	term      term             // of a property or a function
	kind      kind             // of the term
	property  archive.Property // that is the term, else ""
	isDay     bool             // the term is a date without its time of day
	literal   literal
	text      string // of a literal, as it was written
}

func (p *parser) advance() { p.token = p.next() }

// expect skips a token of that kind.
func (p *parser) expect(kind tokenKind, name string) {
	if p.token.kind != kind {
		p.fail(p.token, "expected %s", name)
	}
	p.advance()
}

// node counts a node of the expression.
func (p *parser) node(at token) {
	if p.nodes++; p.nodes > MaxNodes {
		p.fail(at, "more than %d comparisons, functions, and, or, not", MaxNodes)
	}
}

// deeper calls read one level further down.
func (p *parser) deeper(at token, read func() operand) operand {
	if p.depth++; p.depth > MaxDepth {
		p.fail(at, "nested deeper than %d", MaxDepth)
	}
	o := read()
	p.depth--
	return o
}

// condition returns the operand as a condition.
func (p *parser) condition(o operand) *archive.Condition {
	switch {
	case o.condition != nil:
		return o.condition
	case o.literal == boolean:
		return truth(o.text == "true")
	case o.term != nil:
		p.fail(p.token, "expected a comparison: eq, ne, gt, ge, lt, le or in")
	}
	p.fail(o.from, "expected a condition, this is a value")
	return nil
}

func (p *parser) or() operand { return p.chain("or", p.and, or) }

func (p *parser) and() operand { return p.chain("and", p.not, and) }

// chain reads operands with a word between them.
func (p *parser) chain(between string, read func() operand, join func([]*archive.Condition) *archive.Condition) operand {
	first := read()
	if !p.token.is(between) {
		return first
	}
	list := []*archive.Condition{p.condition(first)}
	for p.token.is(between) {
		p.node(p.token)
		p.advance()
		list = append(list, p.condition(read()))
	}
	return operand{from: first.from, condition: join(list)}
}

// not reads a comparison, perhaps negated. In OData not binds as tightly as eq;
// for conditions that makes no difference.
func (p *parser) not() operand {
	if !p.token.is("not") {
		return p.comparison()
	}
	from := p.token
	p.node(from)
	p.advance()
	inner := p.deeper(from, p.not)
	return operand{from: from, condition: not(p.condition(inner))}
}

func (p *parser) comparison() operand {
	left := p.operand()
	for p.token.kind == word && !p.token.is("and") && !p.token.is("or") {
		left = operand{from: left.from, condition: p.comparisonWith(left)}
	}
	return left
}

// comparisonWith reads an operator and its right side.
func (p *parser) comparisonWith(left operand) *archive.Condition {
	at := p.token
	operator, ok := operators[strings.ToLower(at.text)]
	if !ok && !at.is("in") {
		p.fail(at, "no such operator; there are eq, ne, gt, ge, lt, le, in, and, or, not")
	}
	p.node(at)
	p.advance()
	if ok {
		return p.compare(left, operator, p.operand())
	}
	var list []*archive.Condition
	for _, right := range p.list() {
		list = append(list, p.compare(left, operators["eq"], right))
	}
	return or(list)
}

// operand reads one side of a comparison, or a condition.
func (p *parser) operand() operand {
	from := p.token
	switch from.kind {
	case opening:
		p.advance()
		inner := p.deeper(from, p.or)
		p.expect(closing, ")")
		return inner
	case quoted:
		p.advance()
		return p.quoted(from)
	case word:
		p.advance()
		if p.token.kind == opening {
			return p.function(from)
		}
		return p.name(from)
	}
	p.fail(from, "expected a property, a value, a function or (; properties are %s", Names(p.allowed))
	return operand{}
}

// name reads a word that is an alias, a literal or a property.
func (p *parser) name(from token) operand {
	if strings.HasPrefix(from.text, "@") {
		return p.alias(from)
	}
	if o := p.wordLiteral(from); o.literal != none {
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
	o := operand{from: from, property: property, kind: text, term: func(v *archive.Values) any { return v.Of(property) }}
	if property.IsDate() {
		o.kind = date
	}
	return o
}

// alias reads the expression that an alias such as @p names. An alias without a
// parameter is null.
func (p *parser) alias(from token) operand {
	text, given := p.aliases[strings.ToLower(from.text)]
	if !given {
		return operand{from: from, literal: null}
	}
	o := p.within(from, text, p.or)
	o.from = from
	return o
}

// within reads the text of an alias one level further down, since it may name
// itself. Errors in it have the position of the alias.
func (p *parser) within(from token, text string, read func() operand) (o operand) {
	if len(text) > MaxBytes {
		p.fail(from, "%s is longer than %d bytes", from.text, MaxBytes)
	}
	p.node(from)
	return p.deeper(from, func() operand {
		outer, next := p.lexer, p.token
		defer p.catch(func(e *Error) {
			p.lexer = outer
			p.fail(from, "in %s, %v", from.text, e)
		})
		p.lexer = lexer{text: text}
		p.advance()
		o := read()
		if p.token.kind != end {
			p.fail(p.token, "expected the end")
		}
		p.lexer, p.token = outer, next
		return o
	})
}

// list reads the operands in parentheses after in, or an alias of them.
func (p *parser) list() (list []operand) {
	from := p.token
	if from.kind == word && strings.HasPrefix(from.text, "@") {
		text, given := p.aliases[strings.ToLower(from.text)]
		if !given {
			p.fail(from, "there is no parameter %s; write it as %s=('1','2')", from.text, from.text)
		}
		p.within(from, text, func() operand { list = p.list(); return operand{} })
		for i := range list {
			list[i].from = from
		}
		p.advance()
		return list
	}
	p.expect(opening, "( and values")
	for p.token.kind != closing || len(list) > 0 {
		p.node(p.token)
		list = append(list, p.deeper(from, p.operand))
		if p.token.kind != comma {
			break
		}
		p.advance()
	}
	p.expect(closing, ")")
	return list
}
