package server

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"html/template"
	"net/http"
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

var referencePage = template.Must(template.New("reference").Parse(referenceText))

// referenceView is what the reference page of the API shows.
type referenceView struct {
	Largest  int // $top
	Sections []referenceSection
}

// referenceSection is a group, or an operation without one.
type referenceSection struct {
	Name       string
	Operations []operationView
	Fields     []fieldView
}

type operationView struct {
	Path, Summary string
	Parameters    []parameterView
	Examples      []example
}

type parameterView struct{ Name, Description string }

type fieldView struct {
	Name, Meaning    string
	InList, InSingle bool // in the API document
}

// example is a request that this archive has an answer to.
type example struct{ Text, URL string }

// reference answers with the description of the API for people.
func (s *api) reference(w http.ResponseWriter, r *http.Request) {
	leave, err := s.gate.enter(r.Context())
	if err != nil {
		fail(w, err)
		return
	}
	defer leave()
	view := referenceView{Largest: s.options.MaxTop}
	var page bytes.Buffer
	if view.Sections, err = s.sections(r.Context()); err == nil {
		err = referencePage.Execute(&page, view)
	}
	if err != nil {
		fail(w, err)
		return
	}
	w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	send(w, "text/html; charset=utf-8", page.Bytes())
}

// sections describes the operations in their order.
func (s *api) sections(ctx context.Context) (sections []referenceSection, err error) {
	for _, o := range operations {
		view := operationView{Path: o.path, Summary: o.summary}
		for _, p := range o.parameters {
			view.Parameters = append(view.Parameters, parameterView{p.name, p.description})
		}
		if view.Examples, err = s.examples(ctx, o); err != nil {
			return nil, err
		}
		if o.group != nil && !o.list { // belongs to the list before it
			last := &sections[len(sections)-1]
			last.Operations = append(last.Operations, view)
			continue
		}
		section := referenceSection{Name: o.name, Operations: []operationView{view}}
		if g := o.group; g != nil {
			section.Name = strings.ToUpper(g.many[:1]) + g.many[1:]
			for _, name := range g.fields() {
				section.Fields = append(section.Fields, fieldView{
					Name: name, Meaning: fieldsByName[name].meaning,
					InList: slices.Contains(g.list, name), InSingle: slices.Contains(g.single, name),
				})
			}
		}
		sections = append(sections, section)
	}
	return sections, nil
}

// examples returns requests of an operation, made of the newest records.
func (s *api) examples(ctx context.Context, o *operation) ([]example, error) {
	if len(o.parameters) == 0 {
		return []example{{o.path, o.path}}, nil
	}
	kind := archive.Article
	if o.group != nil {
		kind = o.group.kind
	}
	records, err := s.newest(ctx, kind)
	switch {
	case err != nil || len(records) == 0:
		return nil, err
	case o.group == nil:
		return searchExamples(records), nil
	case o.list:
		return listExamples(o, records[0]), nil
	}
	for _, record := range records {
		single, err := s.archive.Single(ctx, kind, record.ID)
		if err != nil {
			return nil, err
		}
		if single.JSON != nil {
			list := "/v1/" + o.group.name
			return []example{request(list + "/" + url.PathEscape(record.ID)), request(list, "Id", record.ID)}, nil
		}
	}
	return nil, nil
}

// newest returns some of the newest records of a kind.
func (s *api) newest(ctx context.Context, kind archive.Kind) (records []archive.Document, err error) {
	for record, err := range s.archive.List(ctx, archive.Query{Kind: kind, Limit: 10}) {
		if err != nil {
			return nil, err
		}
		if !s.isDamaged(record) {
			records = append(records, record)
		}
	}
	return records, nil
}

func listExamples(o *operation, record archive.Document) []example {
	examples := []example{
		request(o.path),
		request(o.path, "$select", strings.Join(o.group.list[:2], ","), "$top", "3"),
	}
	var values struct{ Path, WriterId string } // empty in a record of another form
	json.Unmarshal(record.JSON, &values)
	if slices.Contains(o.group.filters, byPath) && values.Path != "" {
		examples = append(examples, request(o.path, "$filter", "Path eq "+quote(values.Path), "$top", "3"))
	}
	if slices.Contains(o.group.filters, byWriter) && values.WriterId != "" {
		examples = append(examples, request(o.path, "$filter", "WriterId eq "+quote(values.WriterId), "$top", "3"))
	}
	return examples
}

// searchExamples search for the longest word in the headlines.
func searchExamples(records []archive.Document) []example {
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
		return nil
	}
	path := "/v1/search/" + url.PathEscape(longest)
	return []example{request(path), request(path, "$top", "3", "s", "1")}
}

// request is an example with parameters, given as names and values in turn.
func request(path string, parameters ...string) example {
	text, address := path, path
	if readable, err := url.PathUnescape(path); err == nil {
		text = readable
	}
	separator := "?"
	for pair := range slices.Chunk(parameters, 2) {
		text += separator + pair[0] + "=" + pair[1]
		address += separator + url.QueryEscape(pair[0]) + "=" + url.QueryEscape(pair[1])
		separator = "&"
	}
	return example{text, address}
}

// quote writes a string literal of $filter.
func quote(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }
