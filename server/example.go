package server

import (
	"context"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"ayna/archive"
)

// newest is from how many records examples are taken.
const newest = 10

// examples returns requests that this archive has an answer to: of the list of
// a group, and of its single operation.
func (s *api) examples(ctx context.Context, g *group) (both [2][]example, err error) {
	records, err := s.newest(ctx, g.kind)
	if err != nil || len(records) == 0 {
		return both, err
	}
	path := "/v1/" + g.name
	list := []example{
		request(path),
		request(path, "$select", strings.Join(g.list[:2], ","), "$top", "3"),
	}
	var first struct{ Path, WriterId string } // of another shape they stay empty
	json.Unmarshal(records[0].JSON, &first)
	if slices.Contains(g.filters, byPath) && first.Path != "" {
		list = append(list, request(path, "$filter", "Path eq "+quote(first.Path), "$top", "3"))
	}
	if slices.Contains(g.filters, byWriter) && first.WriterId != "" {
		list = append(list, request(path, "$filter", "WriterId eq "+quote(first.WriterId), "$top", "3"))
	}
	both[0] = list
	for _, record := range records {
		whole, err := s.archive.Single(ctx, g.kind, record.ID)
		if err != nil {
			return both, err
		}
		if whole.JSON != nil {
			both[1] = []example{request(path + "/" + url.PathEscape(record.ID)), request(path, "Id", record.ID)}
			break
		}
	}
	return both, nil
}

func (s *api) newest(ctx context.Context, kind archive.Kind) ([]archive.Document, error) {
	var records []archive.Document
	for record, err := range s.archive.List(ctx, archive.Query{Kind: kind, Limit: newest}) {
		if err != nil {
			return nil, err
		}
		if !s.leaveOut(record) {
			records = append(records, record)
		}
	}
	return records, nil
}

// searchExamples search for the longest word among the newest headlines.
func (s *api) searchExamples(ctx context.Context) ([]example, error) {
	records, err := s.newest(ctx, archive.Article)
	if err != nil {
		return nil, err
	}
	longest := ""
	for _, record := range records {
		var r struct{ Title string }
		json.Unmarshal(record.JSON, &r)
		for word := range strings.FieldsFuncSeq(r.Title, func(c rune) bool { return !unicode.IsLetter(c) }) {
			if utf8.RuneCountInString(word) > utf8.RuneCountInString(longest) {
				longest = word
			}
		}
	}
	if longest == "" {
		return nil, nil
	}
	path := "/v1/search/" + url.PathEscape(longest)
	return []example{request(path), request(path, "$top", "3", "s", "1")}, nil
}

// request is the address of an operation with parameters, name and value by
// turns.
func request(path string, parameters ...string) example {
	text, address := path, path
	if readable, err := url.PathUnescape(path); err == nil {
		text = readable
	}
	for i := 0; i+1 < len(parameters); i += 2 {
		joint := "&"
		if i == 0 {
			joint = "?"
		}
		text += joint + parameters[i] + "=" + parameters[i+1]
		address += joint + url.QueryEscape(parameters[i]) + "=" + url.QueryEscape(parameters[i+1])
	}
	return example{text, address}
}

// quote writes a string as $filter wants it.
func quote(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }
