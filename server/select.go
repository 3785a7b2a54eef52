package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
)

// fields reads $select and $expand: the names of the fields that are wanted,
// none if all are. Unknown names are left out. A relation is named by $expand so
// that it comes with everything else; only with $select does it narrow anything.
func (q query) fields(known []string) []string {
	selected, all := q.names("$select", known)
	if all || len(selected) == 0 {
		return nil
	}
	expanded, all := q.names("$expand", known)
	if all {
		expanded = relations(known)
	}
	return union(selected, expanded)
}

// names reads a list of field names, and whether one of them is * for all. Of a
// path such as Files/FileUrl, or an option such as Files($top=1), the field
// counts.
func (q query) names(parameter string, known []string) (list []string, all bool) {
	for name := range strings.SplitSeq(q[parameter], ",") {
		name = strings.TrimSpace(name)
		if i := strings.IndexAny(name, "/("); i >= 0 {
			name = name[:i]
		}
		all = all || name == "*"
		i := slices.IndexFunc(known, func(k string) bool { return strings.EqualFold(k, name) })
		if i >= 0 && !slices.Contains(list, known[i]) {
			list = append(list, known[i])
		}
	}
	return list, all
}

// relations returns the fields that hold objects of their own.
func relations(known []string) []string {
	var list []string
	for _, name := range known {
		if form := fieldsByName[name].form; form != asText && form != asTexts {
			list = append(list, name)
		}
	}
	return list
}

var errNoObject = errors.New("the record is no JSON object")

// project appends a record with the named fields only, each byte for byte as it
// is. Without names it is the whole record.
func project(out, record []byte, fields []string) ([]byte, error) {
	if fields == nil {
		if out == nil {
			return record, nil
		}
		return append(out, record...), nil
	}
	out = append(out, '{')
	begin := len(out)
	err := members(record, func(key, content []byte) {
		if !named(key, fields) {
			return
		}
		if len(out) > begin {
			out = append(out, ',')
		}
		out = append(append(append(out, key...), ':'), content...)
	})
	return append(out, '}'), err
}

// members calls visit for each member of a JSON object, with the key in its
// quotes and the value, both byte for byte.
func members(object []byte, visit func(key, content []byte)) error {
	rest := skip(object, blanks)
	if len(rest) == 0 || rest[0] != '{' {
		return errNoObject
	}
	for rest = rest[1:]; ; {
		rest = skip(rest, blanks+",")
		if len(rest) > 0 && rest[0] == '}' {
			return nil
		}
		key := value(rest)
		afterKey := skip(rest[key:], blanks)
		if key == 0 || len(afterKey) == 0 || afterKey[0] != ':' {
			return errNoObject
		}
		content := skip(afterKey[1:], blanks)
		length := value(content)
		if length == 0 {
			return errNoObject
		}
		visit(rest[:key], content[:length])
		rest = content[length:]
	}
}

// skip returns what follows the bytes of set at the beginning of b.
func skip(b []byte, set string) []byte {
	for len(b) > 0 && strings.IndexByte(set, b[0]) >= 0 {
		b = b[1:]
	}
	return b
}

const blanks = " \t\r\n"

// value returns how many bytes the JSON value at the beginning of b has, 0 if
// there is none. It looks only at what is needed for that: every record was
// decoded when it arrived.
func value(b []byte) int {
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
			n := text(b[i:])
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

// text returns how many bytes the JSON string at the beginning of b has, quotes
// included, 0 if it does not end.
func text(b []byte) int {
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

// named reports whether a key, quotes included, is one of the fields.
func named(key []byte, fields []string) bool {
	name := string(key[1:max(1, len(key)-1)])
	if strings.Contains(name, `\`) && json.Unmarshal(key, &name) != nil {
		return false
	}
	return slices.ContainsFunc(fields, func(f string) bool { return strings.EqualFold(f, name) })
}
