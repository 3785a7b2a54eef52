package server

import (
	_ "embed"
	"encoding/json"
	"slices"
	"strings"

	"ayna/archive"
	"ayna/server/filter"
)

// openAPI is the description of the API, OpenAPI 3.1. It is served unchanged, and is
// the source of the reference page and of the fields of $select.
//
//go:embed openapi.json
var openAPI []byte

// description is what this package needs of openAPI.
type description struct {
	Paths      map[string]struct{ Get operation }
	Components struct {
		Parameters map[string]parameter
		Schemas    map[string]schema
	}
}

type operation struct {
	Summary    string
	Parameters []parameter
}

// parameter is a parameter of an operation, or a reference to one.
type parameter struct {
	Ref               string `json:"$ref"`
	Name, Description string
}

// schema is the type of a record or of one of its fields.
type schema struct {
	Description string
	Items       struct {
		Ref string `json:"$ref"`
	}
	Properties map[string]json.RawMessage // by the names of the fields
}

var described = readDescription()

func readDescription() (d description) {
	if err := json.Unmarshal(openAPI, &d); err != nil {
		panic("openapi.json: " + err.Error()) // each test of this package would find it
	}
	for path, o := range d.Paths {
		for i, p := range o.Get.Parameters {
			if name, ok := strings.CutPrefix(p.Ref, "#/components/parameters/"); ok {
				d.Paths[path].Get.Parameters[i] = d.Components.Parameters[name]
			}
		}
	}
	return d
}

// fieldsOf returns the names of the fields of one or more schemas, sorted.
func fieldsOf(schemas ...string) []string {
	var names []string
	for _, schema := range schemas {
		for name := range described.Components.Schemas[schema].Properties {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// hitFields are the fields of a hit.
var hitFields = fieldsOf("Hit")

// isRelation reports whether a field holds a list of objects.
func isRelation(field string) bool { return described.Components.Schemas[field].Items.Ref != "" }

// group is a resource of the API document, section 2: an operation that lists
// records, and one that returns a single record.
type group struct {
	Name    string // in addresses: articles
	Schema  string // of a single record; that of a record in lists ends in Item
	Fields  []string
	kind    archive.Kind
	filters []filter.Property // for $filter and $orderby
	orders  []filter.Property // for $orderby only
}

// Properties by which lists are filtered and ordered.
var (
	byID       = filter.Property{Name: "Id", Archive: archive.ByID}
	byPath     = filter.Property{Name: "Path", Archive: archive.ByPath}
	byWriter   = filter.Property{Name: "WriterId", Archive: archive.ByWriter}
	byModified = filter.Property{Name: "ModifiedDate", Archive: archive.ByModified}
	byTitle    = filter.Property{Name: "Title", Archive: archive.ByTitle}
	// The archive has one date of publication.
	byStart   = filter.Property{Name: "StartDate", Archive: archive.ByPublished}
	byCreated = filter.Property{Name: "CreatedDate", Archive: archive.ByPublished}
)

// groups have the properties of the API document, section 4.
var groups = []*group{
	newGroup("articles", archive.Article, "Article", []filter.Property{byModified, byPath, byID}, byStart, byCreated),
	newGroup("columns", archive.Column, "Column", []filter.Property{byModified, byPath, byID, byWriter}, byStart, byCreated),
	newGroup("newsphotogalleries", archive.Gallery, "PhotoGallery", []filter.Property{byModified, byPath, byID}, byStart, byCreated),
	newGroup("newsvideos", archive.Video, "Video", []filter.Property{byModified, byPath, byID}, byStart, byCreated),
	newGroup("pages", archive.Page, "EditorialPage", []filter.Property{byID}, byCreated),
	newGroup("writers", archive.Writer, "Writer", []filter.Property{byID}, byCreated),
	newGroup("paths", archive.Folder, "Folder", []filter.Property{byPath, byID}, byTitle),
}

func newGroup(name string, kind archive.Kind, schema string, filters []filter.Property, orders ...filter.Property) *group {
	return &group{name, schema, fieldsOf(schema+"Item", schema), kind, filters, orders}
}

// groupNamed returns the group of a name in any case, or nil.
func groupNamed(name string) *group {
	i := slices.IndexFunc(groups, func(g *group) bool { return strings.EqualFold(g.Name, name) })
	if i < 0 {
		return nil
	}
	return groups[i]
}
