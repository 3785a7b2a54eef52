package server

import (
	_ "embed"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"ayna/archive/query"
	"ayna/record"
	"ayna/server/filter"
)

// openAPI is the description of the API, OpenAPI 3.1. It is served unchanged, and is
// the source of the fields of $select.
//
//go:embed openapi.json
var openAPI []byte

// schema is the type of a record or of one of its fields.
type schema struct {
	Items struct {
		Ref string `json:"$ref"`
	}
	Properties map[string]json.RawMessage // by the names of the fields
}

// schemas are those of openAPI by their names.
var schemas = readSchemas()

func readSchemas() map[string]schema {
	var description struct {
		Components struct{ Schemas map[string]schema }
	}
	if err := json.Unmarshal(openAPI, &description); err != nil {
		panic("openapi.json: " + err.Error()) // each test of this package would find it
	}
	return description.Components.Schemas
}

// fieldsOf returns the names of the fields of one or more types, sorted.
func fieldsOf(types ...string) []string {
	var names []string
	for _, t := range types {
		names = slices.AppendSeq(names, maps.Keys(schemas[t].Properties))
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// hitFields are the fields of a hit.
var hitFields = fieldsOf("Hit")

// isRelation reports whether a field holds a list of objects.
func isRelation(field string) bool { return schemas[field].Items.Ref != "" }

// group is a resource of the API document, section 2: an operation that lists
// records, and one that returns a single record.
type group struct {
	Name    string // in addresses: articles
	Fields  []string
	kind    record.Kind
	filters []filter.Property // for $filter and $orderby
	orders  []filter.Property // for $orderby only
}

// Properties by which lists are filtered and ordered.
var (
	byID       = filter.Property{Name: "Id", Archive: query.ByID}
	byPath     = filter.Property{Name: "Path", Archive: query.ByPath}
	byWriter   = filter.Property{Name: "WriterId", Archive: query.ByWriter}
	byModified = filter.Property{Name: "ModifiedDate", Archive: query.ByModified}
	byTitle    = filter.Property{Name: "Title", Archive: query.ByTitle}
	// The archive has one date of publication.
	byStart   = filter.Property{Name: "StartDate", Archive: query.ByPublished}
	byCreated = filter.Property{Name: "CreatedDate", Archive: query.ByPublished}
)

// groups have the properties of the API document, section 4.
var groups = []*group{
	newGroup("articles", record.Article, "Article", []filter.Property{byModified, byPath, byID}, byStart, byCreated),
	newGroup("columns", record.Column, "Column", []filter.Property{byModified, byPath, byID, byWriter}, byStart, byCreated),
	newGroup("newsphotogalleries", record.Gallery, "PhotoGallery", []filter.Property{byModified, byPath, byID}, byStart, byCreated),
	newGroup("newsvideos", record.Video, "Video", []filter.Property{byModified, byPath, byID}, byStart, byCreated),
	newGroup("pages", record.Page, "EditorialPage", []filter.Property{byID}, byCreated),
	newGroup("writers", record.Writer, "Writer", []filter.Property{byID}, byCreated),
	newGroup("paths", record.Folder, "Folder", []filter.Property{byPath, byID}, byTitle),
}

// newGroup returns a group. schema is the type of a single record; that of a record in
// lists ends in Item.
func newGroup(name string, kind record.Kind, schema string, filters []filter.Property, orders ...filter.Property) *group {
	fields := fieldsOf(schema+"Item", schema)
	if slices.Contains(fields, modifiedField) && !slices.Contains(fields, misspelledField) {
		fields = append(fields, misspelledField)
	}
	return &group{name, fields, kind, filters, orders}
}

// groupNamed returns the group of a name in any case, or nil.
func groupNamed(name string) *group {
	i := slices.IndexFunc(groups, func(g *group) bool { return strings.EqualFold(g.Name, name) })
	if i < 0 {
		return nil
	}
	return groups[i]
}
