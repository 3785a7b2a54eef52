package server

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"ayna/archive"
	"ayna/server/filter"
)

// operation is a row of the API document, section 4. The router, the OpenAPI
// document and the reference page are all made from these rows.
type operation struct {
	name       string // as a program would call it: ListArticles
	path       string // as OpenAPI writes it: /v1/articles/{Id}
	summary    string
	tag        string // of OpenAPI
	parameters []parameter
	schema     object // of the answer
	group      *group // nil for search and date
	list       bool
	answer     answerFunc
}

// answerFunc answers a request; the group is nil for search and date.
type answerFunc func(s *api, g *group, r *http.Request, q query) (document, error)

// operations are the sixteen of the API document.
var operations = allOperations()

func allOperations() []*operation {
	var all []*operation
	for _, g := range groups {
		all = append(all, &operation{
			name: "List" + pascal(g.many), path: "/v1/" + g.name, tag: g.name, group: g, list: true, answer: (*api).list,
			summary:    fmt.Sprintf("Lists %s.", g.many),
			parameters: listParameters(g),
			schema:     arrayOf(reference("schemas/" + pascal(g.one) + "Item")),
		}, &operation{
			name: "Get" + pascal(g.one), path: "/v1/" + g.name + "/{Id}", tag: g.name, group: g, answer: (*api).single,
			summary:    fmt.Sprintf("Shows one %s.", g.one),
			parameters: []parameter{{name: "Id", inPath: true, description: "The record's id."}, selectParameter, expandParameter},
			schema:     reference("schemas/" + pascal(g.one)),
		})
	}
	return append(all, &operation{
		name: "Search", path: "/v1/search/{keyword}", tag: "service", answer: (*api).search,
		summary:    "Finds articles, columns, photo galleries and videos by their words, newest first.",
		parameters: []parameter{keywordParameter, topParameter, skipParameter, directionParameter},
		schema:     reference("schemas/Hits"),
	}, &operation{
		name: "GetDate", path: "/v1/date", tag: "service", answer: (*api).date,
		summary: "Tells the date of the server, in the format of RFC 1123.",
		schema:  reference("schemas/Date"),
	})
}

// pascal writes words as one name: PhotoGallery.
func pascal(words string) string {
	var b strings.Builder
	for word := range strings.FieldsSeq(words) {
		b.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return b.String()
}

// parameter describes a parameter of an operation.
type parameter struct {
	name        string
	inPath      bool   // else in the query
	schema      object // nil is a string
	description string
}

var (
	keywordParameter = parameter{name: "keyword", inPath: true,
		description: "Words that all occur, the last one perhaps only as the beginning of a word, at most 32 different ones. Case and diacritics make no difference, nor do I, İ, ı and i. Bytes that are not UTF-8 are read as Windows-1254."}
	selectParameter = parameter{name: "$select",
		description: "Names of the fields that are wanted, separated by commas; * is all. Unknown names are left out; if no other is left, the whole record comes."}
	expandParameter = parameter{name: "$expand",
		description: "Names of relations that are wanted beside the fields of $select; * is all. The real service left them out otherwise; here $select is enough."}
	topParameter = parameter{name: "$top", // its schema depends on Options.MaxTop
		description: "How many records; more than the largest answer is cut to that."}
	skipParameter = parameter{name: "$skip", schema: object{"type": "integer", "minimum": 0, "default": 0},
		description: "How many records to leave out at the beginning."}
	countParameter = parameter{name: "$count", schema: object{"type": "string", "enum": []string{"true", "false"}},
		description: "true: the header " + totalHeader + " holds the number of records without $top and $skip. The list's path with /$count after it answers with that number alone."}
	directionParameter = parameter{name: "s", schema: object{"type": "integer", "enum": []int{-1, 1}, "default": -1},
		description: "1: oldest first; -1: newest first."}
)

func listParameters(g *group) []parameter {
	order := "One or more of " + names(g.sortable()) + ", separated by commas, each with desc or asc after it if wanted. Newest first by itself, folders by title."
	if slices.Contains(g.orders, byStart) {
		order += " StartDate and CreatedDate both stand for the date of publication: StartDate, where a record has one."
	}
	example := "Id eq '58ac2bae18c773091cd22ae5'"
	switch g.filters[0] {
	case byModified:
		example = "Path eq '/spor/' and ModifiedDate ge Datetime'2026-01-31T00:00:00Z'"
	case byPath:
		example = "startswith(Path,'/spor/')"
	}
	return []parameter{
		{name: "$filter", description: "An OData expression of " + names(g.filters) + ", for example: " + example + ". See /v1/."},
		selectParameter, expandParameter, topParameter, skipParameter,
		{name: "$orderby", description: order},
		countParameter,
		{name: "Id", description: "With it the answer is that record, as its own operation shows it."},
	}
}

func names(properties []filter.Property) string {
	var list []string
	for _, p := range properties {
		list = append(list, p.Name)
	}
	return strings.Join(list, ", ")
}

// group is a resource of the API document, section 2, with its two operations.
type group struct {
	name         string // in addresses: articles
	kind         archive.Kind
	one, many    string   // of its records, in sentences
	list, single []string // fields of its records
	more         []string // further fields that the service really sent
	filters      []filter.Property
	orders       []filter.Property // further properties for $orderby
}

// fields returns the names of all fields that a record may have.
func (g *group) fields() []string { return union(g.list, g.single, g.more) }

// sortable returns the properties allowed in $orderby.
func (g *group) sortable() []filter.Property { return slices.Concat(g.filters, g.orders) }

func union(lists ...[]string) []string {
	var all []string
	for _, name := range slices.Concat(lists...) {
		if !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	return all
}

// Properties by which lists are filtered and ordered.
var (
	byID       = filter.Property{Name: "Id", Archive: archive.ByID}
	byPath     = filter.Property{Name: "Path", Archive: archive.ByPath}
	byWriter   = filter.Property{Name: "WriterId", Archive: archive.ByWriter}
	byModified = filter.Property{Name: "ModifiedDate", Archive: archive.ByModified}
	byTitle    = filter.Property{Name: "Title", Archive: archive.ByTitle}
	// The archive keeps one date of publication.
	byStart   = filter.Property{Name: "StartDate", Archive: archive.ByPublished}
	byCreated = filter.Property{Name: "CreatedDate", Archive: archive.ByPublished}
)

// groups follow the API document: fields section 2, properties section 4.
var groups = []*group{
	{
		name: "articles", kind: archive.Article, one: "article", many: "articles",
		list:    []string{"Id", "ContentType", "CreatedDate", "Description", "Files", "ModifiedDate", "Path", "Title", "Url"},
		single:  []string{"Id", "ContentType", "CreatedDate", "Description", "Editor", "Files", "Path", "RelatedNews", "Tags", "Text", "Title", "Url", "Writers"},
		more:    []string{"StartDate"},
		filters: []filter.Property{byModified, byPath, byID},
		orders:  []filter.Property{byStart, byCreated},
	},
	{
		name: "columns", kind: archive.Column, one: "column", many: "columns",
		list:    []string{"Id", "Fullname", "ContentType", "CreatedDate", "Description", "Files", "Path", "Title", "Url", "WriterId"},
		single:  []string{"Id", "Fullname", "ContentType", "CreatedDate", "Description", "Files", "Path", "Text", "Title", "Url"},
		more:    []string{"StartDate"},
		filters: []filter.Property{byModified, byPath, byID, byWriter},
		orders:  []filter.Property{byStart, byCreated},
	},
	{
		name: "newsphotogalleries", kind: archive.Gallery, one: "photo gallery", many: "photo galleries",
		list:    []string{"Id", "ContentType", "CreatedDate", "Description", "Files", "ModifieDate", "Path", "Title", "Url"},
		single:  []string{"Id", "ContentType", "CreatedDate", "Description", "Editor", "Files", "Path", "Tags", "Text", "Title", "Url"},
		more:    []string{"ModifiedDate", "StartDate"},
		filters: []filter.Property{byModified, byPath, byID},
		orders:  []filter.Property{byStart, byCreated},
	},
	{
		name: "newsvideos", kind: archive.Video, one: "video", many: "videos",
		list:    []string{"Id", "ContentType", "CreatedDate", "Description", "Files", "ModifieDate", "Path", "Title", "Url"},
		single:  []string{"Id", "ContentType", "CreatedDate", "Description", "Editor", "Files", "Path", "Tags", "Text", "Title", "Url"},
		more:    []string{"ModifiedDate", "StartDate"},
		filters: []filter.Property{byModified, byPath, byID},
		orders:  []filter.Property{byStart, byCreated},
	},
	{
		name: "pages", kind: archive.Page, one: "editorial page", many: "editorial pages",
		list:    []string{"Id", "CreatedDate", "Title", "Url"},
		single:  []string{"Id", "CreatedDate", "PageNews", "Title", "Url"},
		more:    []string{"RelatedNews"},
		filters: []filter.Property{byID},
		orders:  []filter.Property{byCreated},
	},
	{
		name: "writers", kind: archive.Writer, one: "writer", many: "writers",
		list:    []string{"Id", "Fullname", "ContentType", "CreatedDate", "Files", "Path", "Url"},
		single:  []string{"Id", "Fullname", "ContentType", "CreatedDate", "Files", "Path", "Url"},
		more:    []string{"RelatedNews", "Tags"},
		filters: []filter.Property{byID},
		orders:  []filter.Property{byCreated},
	},
	{
		name: "paths", kind: archive.Folder, one: "folder", many: "folders",
		list:    []string{"Id", "Path", "Title"},
		single:  []string{"Id", "Path", "Title"},
		filters: []filter.Property{byPath, byID},
		orders:  []filter.Property{byTitle},
	},
}

// Fields of a hit: those of section 2.8, and those that the service sent beside
// them.
var (
	hitFields = []string{"Id", "ContentType", "Description", "Files", "ModifiedDate", "RelatedNews", "Text", "Title", "Url"}
	hitMore   = []string{"CreatedDate", "ModifieDate", "Path", "StartDate", "Tags"}
	hitAll    = union(hitFields, hitMore)
)

// field describes a field of records.
type field struct {
	schema  object
	meaning string
}

var (
	textField    = object{"type": "string"}
	textsField   = arrayOf(textField)
	filesField   = arrayOf(reference("schemas/File"))
	newsField    = arrayOf(reference("schemas/News"))
	personsField = arrayOf(reference("schemas/Person"))
)

// relations are the fields that hold objects of their own.
var relations = []string{"Files", "PageNews", "RelatedNews", "Writers"}

// fieldsByName follows the API document, section 2.
var fieldsByName = map[string]field{
	"Id":           {textField, "The record's id."},
	"ContentType":  {textField, "Article, Column, NewsPhotoGallery, NewsVideo, Page, Folder or PersonContainer."},
	"CreatedDate":  {textField, "Date of creation, as it was received."},
	"Description":  {textField, "The spot (teaser), plain text."},
	"Editor":       {textField, "Who edited it, often an agency."},
	"Files":        {filesField, "Pictures."},
	"Fullname":     {textField, "The writer's full name."},
	"ModifieDate":  {textField, "Date of the last change, as the API document spells it."},
	"ModifiedDate": {textField, "Date of the last change."},
	"PageNews":     {newsField, "The news assigned to the page."},
	"Path":         {textField, "The folder: /spor/futbol/."},
	"RelatedNews":  {newsField, "Related news."},
	"StartDate":    {textField, "Date of publication."},
	"Tags":         {textsField, "Tags."},
	"Text":         {textField, "The full text, HTML as it was received. Do not trust it."},
	"Title":        {textField, "The headline."},
	"Url":          {textField, "Public address at the service that the record came from."},
	"WriterId":     {textField, "Id of the writer."},
	"Writers":      {personsField, "Writers."},
}
