package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"ayna/archive"
)

// The archive holds JSON that was decoded when it arrived. Answers are cut out
// of it byte for byte, without decoding it again: a search for a new word, which
// cuts 50 whole records, would take twice the time with encoding/json.

var errNotObject = errors.New("the record is not a JSON object")

// project appends a record with the named fields only, or the whole record if
// fields is nil.
func project(out, record []byte, fields []string) ([]byte, error) {
	switch {
	case fields == nil && out == nil:
		return record, nil
	case fields == nil:
		return append(out, record...), nil
	}
	out = append(out, '{')
	start := len(out)
	err := members(record, func(key, value []byte) {
		if !isOneOf(key, fields) {
			return
		}
		if len(out) > start {
			out = append(out, ',')
		}
		out = append(append(append(out, key...), ':'), value...)
	})
	return append(out, '}'), err
}

// isOneOf reports whether a key, quotes included, is one of the fields.
func isOneOf(key []byte, fields []string) bool {
	name := string(key[1:max(1, len(key)-1)])
	if strings.Contains(name, `\`) && json.Unmarshal(key, &name) != nil {
		return false
	}
	return slices.ContainsFunc(fields, func(f string) bool { return strings.EqualFold(f, name) })
}

// appendHit appends a record as a search shows it. A hit that came from the
// source's own search is unchanged. Others are the single record, completed with
// the date of the last change and an empty list of related news.
func appendHit(out []byte, d archive.Document) ([]byte, error) {
	if d.FromSearch {
		return append(out, d.JSON...), nil
	}
	out, err := project(out, d.JSON, hitAll)
	if err != nil {
		return nil, err
	}
	own := pick(d.JSON, `"ModifiedDate"`, `"ModifieDate"`, `"RelatedNews"`)
	if own[0] == nil {
		for _, date := range append(pick(d.Listed, `"ModifiedDate"`, `"ModifieDate"`), own[1]) {
			if date != nil && string(date) != "null" {
				out = appendMember(out, "ModifiedDate", date)
				break
			}
		}
	}
	if own[2] == nil {
		out = appendMember(out, "RelatedNews", []byte("[]"))
	}
	return out, nil
}

// appendMember adds a member to the object that out ends with.
func appendMember(out []byte, name string, value []byte) []byte {
	out = out[:len(out)-1]
	if out[len(out)-1] != '{' {
		out = append(out, ',')
	}
	return append(fmt.Appendf(out, "%q:%s", name, value), '}')
}

// pick returns the values of the members with these keys, which are in quotes.
// A missing member, or any member of an unreadable record, is nil.
func pick(record []byte, keys ...string) [][]byte {
	values := make([][]byte, len(keys))
	err := members(record, func(key, value []byte) {
		if i := slices.Index(keys, string(key)); i >= 0 {
			values[i] = value
		}
	})
	if err != nil {
		clear(values)
	}
	return values
}

// members calls visit for each member of a JSON object, with the key in its
// quotes and the value.
func members(object []byte, visit func(key, value []byte)) error {
	rest := bytes.TrimLeft(object, blanks)
	if len(rest) == 0 || rest[0] != '{' {
		return errNotObject
	}
	for rest = rest[1:]; ; {
		rest = bytes.TrimLeft(rest, blanks+",")
		if len(rest) > 0 && rest[0] == '}' {
			return nil
		}
		key := rest[:valueLength(rest)]
		value, colon := bytes.CutPrefix(bytes.TrimLeft(rest[len(key):], blanks), []byte(":"))
		value = bytes.TrimLeft(value, blanks)
		length := valueLength(value)
		if len(key) == 0 || !colon || length == 0 {
			return errNotObject
		}
		visit(key, value[:length])
		rest = value[length:]
	}
}

const blanks = " \t\r\n"

// valueLength returns the length of the JSON value that b begins with, 0 if there
// is none. It checks no more than it needs for that.
func valueLength(b []byte) int {
	depth := 0
	for i := 0; i < len(b); i++ {
		switch b[i] {
		case '{', '[':
			depth++
			continue
		case '}', ']':
			if depth--; depth < 0 {
				return i
			}
		case '"':
			n := stringLength(b[i:])
			if n == 0 {
				return 0
			}
			i += n - 1
		default:
			if i+1 < len(b) && strings.IndexByte(blanks+",:]}", b[i+1]) < 0 {
				continue // a number or a word
			}
		}
		if depth == 0 {
			return i + 1
		}
	}
	return 0
}

// stringLength returns the length of the JSON string that b begins with, quotes
// included, 0 if it does not end.
func stringLength(b []byte) int {
	for i := 1; ; {
		n := bytes.IndexByte(b[i:], '"')
		if n < 0 {
			return 0
		}
		escapes := 0
		for escapes < n && b[i+n-1-escapes] == '\\' {
			escapes++
		}
		if i += n + 1; escapes%2 == 0 {
			return i
		}
	}
}
