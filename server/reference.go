package server

import (
	"bytes"
	_ "embed"
	"html/template"
	"net/http"
	"slices"
	"strings"
)

//go:embed reference.css
var referenceStyle []byte

//go:embed reference.html
var referenceText string

var referencePage = template.Must(template.New("reference").Parse(referenceText))

// referenceView is what the page that explains the API shows.
type referenceView struct {
	Largest  int // $top
	Sections []referenceSection
}

// referenceSection is a group, or an operation that belongs to none.
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
	InList, InSingle bool // as the API document has it
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
	for _, g := range groups {
		examples, err := s.examples(r.Context(), g)
		if err != nil {
			fail(w, err)
			return
		}
		view.Sections = append(view.Sections, groupSection(g, examples))
	}
	search, err := s.searchExamples(r.Context())
	if err != nil {
		fail(w, err)
		return
	}
	for _, o := range operations {
		if o.group == nil {
			view.Sections = append(view.Sections, looseSection(o, search))
		}
	}
	var page bytes.Buffer
	if err := referencePage.Execute(&page, view); err != nil {
		fail(w, err)
		return
	}
	w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	send(w, "text/html; charset=utf-8", page.Bytes())
}

// groupSection describes a group. examples are those of its list and of its
// single operation.
func groupSection(g *group, examples [2][]example) referenceSection {
	section := referenceSection{Name: strings.ToUpper(g.many[:1]) + g.many[1:]}
	for _, o := range operations {
		if o.group == g {
			section.Operations = append(section.Operations, viewOf(o, examples[min(1, len(section.Operations))]))
		}
	}
	for _, name := range g.fields() {
		section.Fields = append(section.Fields, fieldView{
			Name: name, Meaning: fieldsByName[name].meaning,
			InList: slices.Contains(g.list, name), InSingle: slices.Contains(g.single, name),
		})
	}
	return section
}

// looseSection describes an operation that belongs to no group.
func looseSection(o *operation, searches []example) referenceSection {
	examples := searches
	if len(o.parameters) == 0 {
		examples = []example{{o.path, o.path}}
	}
	return referenceSection{Name: o.name, Operations: []operationView{viewOf(o, examples)}}
}

func viewOf(o *operation, examples []example) operationView {
	view := operationView{Path: o.path, Summary: o.summary, Examples: examples}
	for _, p := range o.parameters {
		view.Parameters = append(view.Parameters, parameterView{p.name, p.description})
	}
	return view
}
