package server

import (
	"bytes"
	"encoding/json"
	"iter"
	"slices"
	"strings"

	"ayna/archive"
)

// The archive's JSON was validated when it arrived, and damaged JSON is never
// returned. Answers copy parts of it byte for byte without decoding it again: with
// encoding/json a search for a new word, which copies 50 whole records, would take
// twice the time.

// project appends a record with the named fields only, or the whole record if
// fields is nil.
func project(out, record []byte, fields []string) []byte {
	if fields == nil {
		return append(out, record...)
	}
	out = append(out, '{')
	for key, value := range members(record) {
		if isOneOf(key, fields) {
			out = appendMember(out, key, value)
		}
	}
	return append(out, '}')
}

// isOneOf reports whether a key, with its quotes, is one of the fields in any case.
func isOneOf(key []byte, fields []string) bool {
	name := string(key[1 : len(key)-1])
	if strings.Contains(name, `\`) && json.Unmarshal(key, &name) != nil {
		return false
	}
	return slices.ContainsFunc(fields, func(f string) bool { return strings.EqualFold(f, name) })
}

// appendMember appends a member to an object that is not closed yet.
func appendMember(out, key, value []byte) []byte {
	if out[len(out)-1] != '{' {
		out = append(out, ',')
	}
	return append(append(append(out, key...), ':'), value...)
}

// A summary is what lists of the Read API show of an item beside its title. Lists of other
// sources lack it.
var (
	summarizedKinds = []archive.Kind{archive.Article, archive.Column, archive.Gallery, archive.Video}
	summaryFields   = []string{"Description", "Files"}
)

func hasSummary(r *archive.Record) bool {
	for key := range members(r.List) {
		if isOneOf(key, summaryFields) {
			return true
		}
	}
	return false
}

// summarized returns a record as lists show it, with the summary of the single record if
// the list has none and the single record was read.
func summarized(r *archive.Record) []byte {
	if r.Single == nil || hasSummary(r) {
		return r.List
	}
	out := slices.Clip(bytes.TrimSuffix(bytes.TrimSpace(r.List), []byte("}")))
	for key, value := range members(r.Single) {
		if isOneOf(key, summaryFields) {
			out = appendMember(out, key, value)
		}
	}
	return append(out, '}')
}

// searched returns the JSON of a record that a search shows: the single record, else
// that of the source's search, else that of a list.
func searched(r *archive.Record) []byte {
	switch {
	case r.Single != nil:
		return r.Single
	case r.Hit != nil:
		return r.Hit
	}
	return r.List
}

// appendHit appends a record as a search shows it. A hit that came from the
// source's own search is unchanged. Others are the single record, completed with
// the date of the last change and an empty list of related news.
func appendHit(out []byte, r *archive.Record) []byte {
	if r.Single == nil && r.Hit != nil {
		return append(out, r.Hit...)
	}
	out = append(out, '{')
	var modified, modifie, related []byte
	for key, value := range members(searched(r)) {
		if isOneOf(key, hitFields) {
			out = appendMember(out, key, value)
		}
		switch string(key) {
		case modifiedKey:
			modified = value
		case modifieKey:
			modifie = value
		case relatedKey:
			related = value
		}
	}
	if modified == nil {
		for _, date := range append(valuesOf(r.List, modifiedKey, modifieKey), modifie) {
			if date != nil && string(date) != "null" {
				out = appendMember(out, []byte(modifiedKey), date)
				break
			}
		}
	}
	if related == nil {
		out = appendMember(out, []byte(relatedKey), []byte("[]"))
	}
	return append(out, '}')
}

const (
	modifiedKey = `"ModifiedDate"`
	modifieKey  = `"ModifieDate"` // as the API document spells it of galleries and videos
	relatedKey  = `"RelatedNews"`
)

// valuesOf returns the value of the last member with each key, or nil.
func valuesOf(record []byte, keys ...string) [][]byte {
	values := make([][]byte, len(keys))
	for key, value := range members(record) {
		if i := slices.Index(keys, string(key)); i >= 0 {
			values[i] = value
		}
	}
	return values
}

// members yields the members of a JSON object: each key with its quotes, and the
// value. It stops at invalid JSON.
func members(object []byte) iter.Seq2[[]byte, []byte] {
	return func(yield func(key, value []byte) bool) {
		rest, ok := bytes.CutPrefix(bytes.TrimLeft(object, blanks), []byte("{"))
		for ok {
			rest = bytes.TrimLeft(rest, blanks+",")
			key := rest[:stringLength(rest)]
			value, colon := bytes.CutPrefix(bytes.TrimLeft(rest[len(key):], blanks), []byte(":"))
			value = bytes.TrimLeft(value, blanks)
			length := valueLength(value)
			ok = len(key) > 0 && colon && length > 0 && yield(key, value[:length])
			rest = value[length:]
		}
	}
}

const blanks = " \t\r\n"

// valueLength returns the length of the JSON value that b begins with, 0 if it does
// not end. It does not check that the value is valid.
func valueLength(b []byte) int {
	depth := 0
	for i := 0; i < len(b); i++ {
		switch b[i] {
		case '{', '[':
			depth++
			continue
		case '}', ']':
			depth--
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

// stringLength returns the length of the JSON string that b begins with, with its
// quotes, 0 without one or if it does not end.
func stringLength(b []byte) int {
	if len(b) == 0 || b[0] != '"' {
		return 0
	}
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
