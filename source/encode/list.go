package encode

import (
	"bytes"
	"encoding/json"
	"errors"
	"iter"
	"unicode/utf8"
)

// MaxElements is the most elements that a list may have. It bounds what an answer of tiny ones
// takes in memory.
const MaxElements = 20_000

var (
	errNoList = errors.New("no array")
	errMany   = errors.New("an array of more than 20,000 elements")
)

// List returns the elements of a JSON array, which is valid. They are parts of the data, not
// copies.
func List(data []byte) ([]json.RawMessage, error) {
	if data = bytes.TrimSpace(data); !bytes.HasPrefix(data, []byte("[")) {
		return nil, errNoList
	}
	var list []json.RawMessage
	for element := range Elements(data) {
		if len(list) == MaxElements {
			return nil, errMany
		}
		list = append(list, element)
	}
	return list, nil
}

// MaxNamed is the most elements of a list within a record, as of the ids that it names.
const MaxNamed = 1000

// A Bounded is a list within a record. Elements beyond the first MaxNamed are left out, and one
// of another type is zero.
type Bounded[T any] []T

// UnmarshalJSON implements [json.Unmarshaler].
func (b *Bounded[T]) UnmarshalJSON(data []byte) error {
	*b = nil
	for raw := range Elements(data) {
		if len(*b) == MaxNamed {
			break
		}
		value, _ := Read[T](raw)
		*b = append(*b, value)
	}
	return nil
}

// Elements returns the elements of a JSON array, which is valid, as [List] does, one by one.
func Elements(data []byte) iter.Seq[json.RawMessage] {
	return func(yield func(json.RawMessage) bool) {
		if data = bytes.TrimSpace(data); !bytes.HasPrefix(data, []byte("[")) {
			return
		}
		for part := range parts(data) {
			if !yield(part) {
				return
			}
		}
	}
}

// Fields returns the fields of a JSON object, which is valid, in their order. Their values are
// parts of the data, not copies. Data that is no object has none.
func Fields(data []byte) iter.Seq2[string, json.RawMessage] {
	return func(yield func(string, json.RawMessage) bool) {
		if data = bytes.TrimSpace(data); !bytes.HasPrefix(data, []byte("{")) {
			return
		}
		for part := range parts(data) {
			end := min(endOfString(part, 0)+1, len(part))
			_, value, ok := bytes.Cut(part[end:], []byte(":"))
			name, err := textOf(part[:end])
			if err != nil || !ok || !yield(name, bytes.TrimSpace(value)) {
				return
			}
		}
	}
}

// textOf decodes a string, at once if it is as it looks.
func textOf(data []byte) (text string, err error) {
	isPlain := len(data) > 1 && !bytes.ContainsFunc(data, func(r rune) bool { return r < ' ' || r == '\\' || r == utf8.RuneError })
	if isPlain && data[0] == '"' && data[len(data)-1] == '"' {
		return string(data[1 : len(data)-1]), nil
	}
	err = json.Unmarshal(data, &text)
	return text, err
}

// Without returns a JSON object, which is valid, without the fields that drop accepts.
func Without(data []byte, drop func(name string, value json.RawMessage) bool) json.RawMessage {
	return Change(data, func(name string, value json.RawMessage) json.RawMessage {
		if drop(name, value) {
			return nil
		}
		return value
	})
}

// Change returns a JSON object, which is valid, with the values that change returns for its
// fields. A field for which it returns nil is left out.
func Change(data []byte, change func(name string, value json.RawMessage) json.RawMessage) json.RawMessage {
	var b bytes.Buffer
	b.WriteByte('{')
	for name, value := range Fields(data) {
		if value = change(name, value); value == nil {
			continue
		}
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		b.Write(Encode(name))
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes()
}

// parts returns what commas separate in an array or object.
func parts(data []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		depth, start := 0, 1
		for at := 0; at < len(data)-1; at++ {
			switch data[at] {
			case '"':
				at = endOfString(data, at)
			case '[', '{':
				depth++
			case ']', '}':
				depth--
			case ',':
				if depth == 1 {
					if !yield(bytes.TrimSpace(data[start:at:at])) {
						return
					}
					start = at + 1
				}
			}
		}
		end := len(data) - 1
		if last := bytes.TrimSpace(data[start:end:end]); start > 1 || len(last) > 0 {
			yield(last)
		}
	}
}

// endOfString returns the place of the quotation mark that ends a string.
func endOfString(data []byte, at int) int {
	for at++; at < len(data) && data[at] != '"'; at++ {
		if data[at] == '\\' {
			at++
		}
	}
	return at
}
