package client

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"unicode/utf8"
)

// object decodes the fields of a JSON object that have one of the names, ignoring case,
// or all fields if none is named. It returns nil for null. Numbers keep their text. Only
// the values of these fields are parsed, since most of a record is one long text.
func object(data []byte, names ...string) (map[string]any, error) {
	if !json.Valid(data) {
		return nil, fmt.Errorf("client: reading a record: %w", json.Unmarshal(data, new(any)))
	}
	data = bytes.Trim(data, blanks)
	switch data[0] {
	case 'n':
		return nil, nil
	case '{':
	default:
		return nil, errors.New("client: reading a record: it is no JSON object")
	}
	values := make(map[string]any)
	for key, value := range members(data) {
		name, err := decodeText(key)
		isNamed := func(s string) bool { return strings.EqualFold(s, name) }
		if err == nil && (len(names) == 0 || slices.ContainsFunc(names, isNamed)) {
			values[name], err = decodeValue(value)
		}
		if err != nil {
			return nil, fmt.Errorf("client: reading a record: %w", err)
		}
	}
	return values, nil
}

// decodeValue decodes a value. Texts skip the decoder, which would copy them once more.
func decodeValue(data []byte) (value any, err error) {
	if data[0] == '"' {
		return decodeText(data)
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	err = decoder.Decode(&value)
	return value, err
}

// decodeText decodes a JSON string. Most have no escapes.
func decodeText(data []byte) (text string, err error) {
	if inside := data[1 : len(data)-1]; bytes.IndexByte(inside, '\\') < 0 && utf8.Valid(inside) {
		return string(inside), nil
	}
	err = json.Unmarshal(data, &text)
	return text, err
}

// blanks is the white space of JSON (RFC 8259, section 2).
const blanks = " \t\r\n"

// members yields the names and values of an object as they are written. The object
// must be valid JSON.
func members(object []byte) iter.Seq2[[]byte, []byte] {
	return func(yield func(name, value []byte) bool) {
		rest := object[1:]
		for {
			rest = bytes.TrimLeft(rest, blanks+",")
			if rest[0] == '}' {
				return
			}
			name := rest[:textEnd(rest)]
			rest = bytes.TrimLeft(rest[len(name):], blanks+":")
			value := rest[:valueEnd(rest)]
			rest = rest[len(value):]
			if !yield(name, value) {
				return
			}
		}
	}
}

// valueEnd returns the length of the value at the start of data.
func valueEnd(data []byte) int {
	depth := 0
	for i := 0; ; i++ {
		switch data[i] {
		case '"':
			i += textEnd(data[i:]) - 1
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		default:
			if depth == 0 {
				return bytes.IndexAny(data, blanks+",]}")
			}
		}
		if depth == 0 {
			return i + 1
		}
	}
}

// textEnd returns the length of the string at the start of data.
func textEnd(data []byte) int {
	end := 1
	for {
		end += bytes.IndexByte(data[end:], '"') + 1
		escapes := 0
		for data[end-2-escapes] == '\\' {
			escapes++
		}
		if escapes%2 == 0 {
			return end
		}
	}
}
