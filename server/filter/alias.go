package filter

import (
	"errors"
	"strings"
)

// alias reads what an alias such as @p stands for: the expression in the
// parameter of that name. One without a parameter is null.
func (p *parser) alias(from token) (operand, error) {
	text, given := p.aliases[strings.ToLower(from.text)]
	if !given {
		return operand{from: from, value: &value{sort: null}}, nil
	}
	o, err := p.within(from, text, p.or)
	o.from = from
	return o, err
}

// within reads the text of an alias, up to its end, as one level further down:
// it may name itself.
func (p *parser) within(from token, text string, read func() (operand, error)) (o operand, err error) {
	if len(text) > MaxBytes {
		return o, p.errorf(from, "%s is longer than %d bytes", from.text, MaxBytes)
	}
	if err := p.node(from); err != nil {
		return o, err
	}
	outer, next := p.lexer, p.token
	return p.deeper(from, func() (operand, error) {
		p.lexer = lexer{text: text}
		err := p.advance()
		if err == nil {
			o, err = read()
		}
		if err == nil && p.token.sort != end {
			err = p.errorf(p.token, "expected the end")
		}
		p.lexer, p.token = outer, next
		var inside *Error
		if errors.As(err, &inside) {
			err = p.errorf(from, "in %s, %v", from.text, inside)
		}
		return o, err
	})
}

// list reads the operands in the parentheses after in, or those of an alias.
func (p *parser) list() (list []operand, err error) {
	from := p.token
	if from.sort == word && strings.HasPrefix(from.text, "@") {
		text, given := p.aliases[strings.ToLower(from.text)]
		if !given {
			return nil, p.errorf(from, "there is no parameter %s; write it as %s=('1','2')", from.text, from.text)
		}
		_, err = p.within(from, text, func() (o operand, err error) { list, err = p.list(); return o, err })
		for i := range list {
			list[i].from = from
		}
		if err != nil {
			return nil, err
		}
		return list, p.advance()
	}
	if err := p.expect(open, "( and values"); err != nil {
		return nil, err
	}
	for p.token.sort != shut || len(list) > 0 {
		if err := p.node(p.token); err != nil {
			return nil, err
		}
		o, err := p.deeper(from, p.operand)
		if err != nil {
			return nil, err
		}
		list = append(list, o)
		if p.token.sort != comma {
			break
		}
		if err := p.advance(); err != nil {
			return nil, err
		}
	}
	return list, p.expect(shut, ")")
}
