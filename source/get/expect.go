package get

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"regexp"
	"strings"

	"ayna/source/encode"
)

// An Expectation is the kind of value that an answer must hold. Plug-ins and caches of a site
// write notices, comments and pages of HTML around it.
type Expectation struct {
	isList  bool
	member  string
	counter string // header with the number of all elements, "" if the service sends no such header
}

// ListOf expects a list of objects that have a member.
func ListOf(member string) Expectation { return Expectation{isList: true, member: member} }

// ObjectWith expects an object that has a member.
func ObjectWith(member string) Expectation { return Expectation{member: member} }

// CountedBy returns the expectation of a service that sends the number of all elements in a
// header.
func (e Expectation) CountedBy(header string) Expectation {
	e.counter = header
	return e
}

// The most bytes before and after an expected value.
const (
	maxBefore = 64 << 10
	maxAfter  = 4 << 10
)

// find returns the bounds of the value in a text. A text that is JSON as a whole is one value of
// any kind: the caller knows what is wrong with another one. In any other text the value is the
// first one of the expected kind that is complete, not in a tag, a comment or a script, and near
// both ends of the text. An empty one counts only if nothing but tags and comments is before it,
// and no script is in the text, because an error page may hold it by chance; or if the header has
// the number 0.
//
// The work is linear: a value that is broken or of another kind is left out with everything in
// it. A value that the end of the text cuts off ends the search, because what is in it is part
// of a damaged answer.
func (e Expectation) find(text []byte, header http.Header) (from, to int, found bool) {
	if json.Valid(text) {
		return 0, len(text), true
	}
	isFirst := true // neither words nor scripts are before
	for at := 0; at < len(text) && at <= maxBefore; {
		switch text[at] {
		case '<':
			size, isScript := markupSize(text[at:min(len(text), maxBefore)])
			if size == 0 {
				return 0, 0, false
			}
			at, isFirst = at+size, isFirst && !isScript
		case '[', '{':
			size, isWhole := sizeOfValue(text[at:])
			if size == 0 {
				return 0, 0, false
			}
			to := at + size
			if isWhole && len(text)-to <= maxAfter {
				isEmpty, isKind := e.look(text[at:to])
				if isKind && (!isEmpty || isFirst && !hasScript(text[to:]) || e.counter != "" && header.Get(e.counter) == "0") {
					return at, to, true
				}
			}
			at, isFirst = to, false
		default:
			isFirst = isFirst && strings.IndexByte(blanks, text[at]) >= 0
			at++
		}
	}
	return 0, 0, false
}

// blanks are white space, and the bytes of a byte order mark.
const blanks = " \t\r\n\ufeff"

// skipped is a value that nothing is kept of.
type skipped struct{}

func (skipped) UnmarshalJSON([]byte) error { return nil }

// sizeOfValue returns the size of the value at the beginning of a text. Of a broken one it is
// that of the part that is JSON, and 0 if the text ends in the value.
func sizeOfValue(text []byte) (size int, isWhole bool) {
	d := json.NewDecoder(bytes.NewReader(text))
	err := d.Decode(new(skipped))
	if syntax := (*json.SyntaxError)(nil); errors.As(err, &syntax) {
		return max(1, int(syntax.Offset)-1), false
	}
	if err != nil {
		return 0, false
	}
	return int(d.InputOffset()), true
}

// look reports whether a value is of the expected kind, and whether it has no elements.
func (e Expectation) look(value json.RawMessage) (isEmpty, isKind bool) {
	if !e.isList {
		member, isKind := memberOf(value, e.member)
		return isNothing(member), isKind
	}
	if value[0] != '[' {
		return false, false
	}
	isEmpty = true
	for element := range encode.Elements(value) { // one by one, to bound memory
		if _, has := memberOf(element, e.member); !has {
			return false, false
		}
		isEmpty = false
	}
	return isEmpty, true
}

// memberOf returns a member of an object, the last one of that name.
func memberOf(value json.RawMessage, name string) (member json.RawMessage, has bool) {
	for field, value := range encode.Fields(value) {
		if field == name {
			member, has = value, true
		}
	}
	return member, has
}

// isNothing reports whether a value is null, an empty list or an empty object.
func isNothing(value json.RawMessage) bool {
	switch string(bytes.Join(bytes.Fields(value[:min(len(value), 64)]), nil)) {
	case "null", "[]", "{}", `""`:
		return true
	}
	return false
}

var scriptTag = regexp.MustCompile(`(?i)<script\b`)

func hasScript(text []byte) bool { return scriptTag.Match(text) }

var (
	isMarkup = regexp.MustCompile(`^<[a-zA-Z/!?]`)
	// rawElement is the tag of an element whose content is no HTML.
	rawElement = regexp.MustCompile(`(?i)^<(script|style)\b`)
)

// markupSize returns the size of the tag, comment, script or style at the beginning of a text,
// which is 1 for a character that begins none, and 0 for one that does not end.
func markupSize(text []byte) (size int, isScript bool) {
	head, end := text[:min(len(text), 8)], ">"
	name := rawElement.FindSubmatch(head)
	switch {
	case name != nil:
		return sizeOfElement(text, name[1]), true
	case bytes.HasPrefix(head, []byte("<!--")):
		end = "-->"
	case !isMarkup.Match(head):
		return 1, false
	}
	at := bytes.Index(text, []byte(end))
	if at < 0 {
		return 0, false
	}
	return at + len(end), false
}

// sizeOfElement returns the size of an element up to its end tag, 0 if that is missing.
func sizeOfElement(text, name []byte) int {
	for at := 0; ; at += 2 {
		next := bytes.Index(text[at:], []byte("</"))
		if next < 0 {
			return 0
		}
		at += next
		rest := text[at+2:]
		if len(rest) >= len(name) && bytes.EqualFold(rest[:len(name)], name) {
			return at + 2 + len(name)
		}
	}
}
