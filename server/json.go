package server

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"ayna/archive"
	"ayna/client"
	"ayna/record"
)

// The archive's JSON was validated when it arrived, and damaged JSON is never
// returned. Answers copy parts of it byte for byte without decoding it again.

// project appends a record with the named fields only, or the whole record if
// fields is nil.
func project(out, raw []byte, fields []string) []byte {
	if fields == nil {
		return append(out, raw...)
	}
	out = append(out, '{')
	for key, value := range client.JSONMembers(raw) {
		if isOneOf(key, fields...) {
			out = appendMember(out, key, value)
		}
	}
	return append(out, '}')
}

// isOneOf reports whether a key, with its quotes, is one of the fields in any case.
func isOneOf(key []byte, fields ...string) bool {
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

// A summary is the description and the files of an item, as lists of the Read API show them.
// Lists of other sources lack it.
var (
	summarizedKinds = []record.Kind{record.Article, record.Column, record.Gallery, record.Video}
	summaryFields   = []string{"Description", "Files"}
)

func hasSummary(r *archive.Record) bool {
	for key := range client.JSONMembers(r.List) {
		if isOneOf(key, summaryFields...) {
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
	for key, value := range client.JSONMembers(r.Single) {
		if isOneOf(key, summaryFields...) {
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

// appendHit appends a record as a search shows it. A hit that came from the source's own
// search is unchanged. Others have the fields of a hit that the single record has or, if it
// was not read, the list record. A missing date of the last change comes from the list record
// or from the misspelled field, and missing related news are an empty list.
func appendHit(out []byte, r *archive.Record) []byte {
	if r.Single == nil && r.Hit != nil {
		return append(out, r.Hit...)
	}
	out = append(out, '{')
	var modified, misspelled, related []byte
	for key, value := range client.JSONMembers(searched(r)) {
		if isOneOf(key, hitFields...) {
			out = appendMember(out, key, value)
		}
		switch {
		case isOneOf(key, modifiedField):
			modified = value
		case isOneOf(key, misspelledField):
			misspelled = value
		case isOneOf(key, relatedField):
			related = value
		}
	}
	if modified == nil {
		for _, date := range append(valuesOf(r.List, modifiedField, misspelledField), misspelled) {
			if date != nil && string(date) != "null" {
				out = appendMember(out, []byte(`"`+modifiedField+`"`), date)
				break
			}
		}
	}
	if related == nil {
		out = appendMember(out, []byte(`"`+relatedField+`"`), []byte("[]"))
	}
	return append(out, '}')
}

const (
	modifiedField   = "ModifiedDate"
	misspelledField = "ModifieDate" // as the API document spells it for galleries, videos and PageNews
	relatedField    = "RelatedNews"
)

// valuesOf returns the value of the last member for each field, or nil.
func valuesOf(raw []byte, fields ...string) [][]byte {
	values := make([][]byte, len(fields))
	for key, value := range client.JSONMembers(raw) {
		if i := slices.IndexFunc(fields, func(field string) bool { return isOneOf(key, field) }); i >= 0 {
			values[i] = value
		}
	}
	return values
}
