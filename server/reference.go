package server

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"html/template"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"ayna/archive"
)

//go:embed reference.css
var referenceStyle []byte

//go:embed reference.html
var referenceText string

var referencePage = template.Must(template.New("reference").Funcs(template.FuncMap{
	"operation": func(path string) operation { return described.Paths[path].Get },
	"schema":    func(name string) schema { return described.Components.Schemas[name] },
	"segment":   url.PathEscape, // of a path
	"quote":     func(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" },
}).Parse(referenceText))

// referenceView is what the reference page of the API shows.
type referenceView struct {
	Largest int // $top
	Groups  []*group
	Newest  map[string]newest // by the names of the groups
	Word    string            // of a headline in the archive
}

// newest holds values of the newest records of a group, for links that find
// something. A value that no record has is empty.
type newest struct {
	Listed   bool   `json:"-"` // whether there are any
	ID       string `json:"-"` // of one whose single record has arrived
	Path     string
	WriterID string `json:"WriterId"`
	Title    string
}

// reference answers with the description of the API for people.
func (s *api) reference(ctx context.Context) (document, error) {
	leave, err := s.gate.enter(ctx)
	if err != nil {
		return document{}, err
	}
	defer leave()
	view := referenceView{Largest: maxTop, Groups: groups, Newest: make(map[string]newest)}
	for _, g := range groups {
		if view.Newest[g.Name], err = s.newest(ctx, g); err != nil {
			return document{}, err
		}
	}
	view.Word = longestWord(view.Newest[groups[0].Name].Title)
	var page bytes.Buffer
	err = referencePage.Execute(&page, view)
	return document{contentType: "text/html; charset=utf-8", body: page.Bytes()}, err
}

// newest looks for values in some of the newest records of a group.
func (s *api) newest(ctx context.Context, g *group) (n newest, err error) {
	records, err := s.archive.List(ctx, archive.Query{Kind: g.kind, Limit: 10})
	if err != nil {
		return n, err
	}
	for _, record := range records {
		if !n.Listed && !s.isDamaged(record) {
			n.Listed = true
			json.Unmarshal(record.List, &n) // values of another form stay empty
			if !slices.Contains(g.filters, byPath) {
				n.Path = ""
			}
			if !slices.Contains(g.filters, byWriter) {
				n.WriterID = ""
			}
		}
		single, err := s.archive.Single(ctx, g.kind, record.ID)
		if err != nil {
			return n, err
		}
		if single.Single != nil {
			n.ID = record.ID
			return n, nil
		}
	}
	return n, nil
}

// longestWord returns the longest word of a headline.
func longestWord(title string) (longest string) {
	for word := range strings.FieldsFuncSeq(title, func(c rune) bool { return !unicode.IsLetter(c) }) {
		if utf8.RuneCountInString(word) > utf8.RuneCountInString(longest) {
			longest = word
		}
	}
	return longest
}
