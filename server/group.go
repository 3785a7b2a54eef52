package server

import (
	"slices"

	"ayna/archive"
	"ayna/server/filter"
)

// group is a resource of the API document, section 2, with its two operations.
type group struct {
	name         string // in addresses: articles
	kind         archive.Kind
	one, many    string   // of its records, in sentences
	list, single []string // fields of its records
	more         []string // fields that the service sent in either beside those
	filters      []filter.Property
	orders       []filter.Property // allowed in $orderby beside filters
}

// fields returns the names of all fields that a record may have.
func (g *group) fields() []string { return union(g.list, g.single, g.more) }

// sortable returns the properties allowed in $orderby.
func (g *group) sortable() []filter.Property { return slices.Concat(g.filters, g.orders) }

func union(lists ...[]string) []string {
	var all []string
	for _, list := range lists {
		for _, name := range list {
			if !slices.Contains(all, name) {
				all = append(all, name)
			}
		}
	}
	return all
}

// Properties by which lists are narrowed and ordered.
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

// hitFields are the fields of a hit, section 2.8, and those that the service
// sent beside them.
var (
	hitFields = []string{"Id", "ContentType", "Description", "Files", "ModifiedDate", "RelatedNews", "Text", "Title", "Url"}
	hitMore   = []string{"CreatedDate", "ModifieDate", "Path", "StartDate", "Tags"}
	hitAll    = union(hitFields, hitMore)
)
