package filter

import (
	"strings"

	"ayna/archive"
)

// functions says where each of them looks, and which argument is the property.
var functions = map[string]struct {
	part     archive.Part
	property int
}{
	"startswith":  {archive.Start, 0},
	"endswith":    {archive.End, 0},
	"contains":    {archive.Anywhere, 0},
	"substringof": {archive.Anywhere, 1},
}

// function reads the arguments of a function.
func (p *parser) function(name token) (operand, error) {
	f, ok := functions[strings.ToLower(name.text)]
	if !ok {
		return operand{}, p.errorf(name, "no such function; there are startswith, endswith, contains, substringof")
	}
	if err := p.node(name); err != nil {
		return operand{}, err
	}
	if err := p.advance(); err != nil { // the parenthesis
		return operand{}, err
	}
	var arguments [2]operand
	for i, after := range []struct {
		sort sort
		name string
	}{{comma, ", and a second argument"}, {shut, ")"}} {
		argument, err := p.deeper(name, p.operand)
		if err != nil {
			return operand{}, err
		}
		if err := p.expect(after.sort, after.name); err != nil {
			return operand{}, err
		}
		arguments[i] = argument
	}
	property, text := arguments[f.property], arguments[1-f.property]
	if property.property == nil || property.property.Archive.IsDate() {
		return operand{}, p.errorf(property.from, "expected a property that is no date")
	}
	if text.value == nil || text.value.sort != str {
		return operand{}, p.errorf(text.from, "expected a string in single quotes")
	}
	return operand{from: name, condition: archive.Contain{
		Property: property.property.Archive, Part: f.part, Text: text.value.text,
	}}, nil
}
