package server

import (
	"fmt"
	"slices"
	"strings"

	"ayna/server/filter"
)

// parameter is one of an operation, as it is described. A name in braces of
// the operation's path is one of its path.
type parameter struct {
	name        string
	number      bool // a whole number, else a string
	values      []string
	description string
}

var (
	idParameter        = parameter{name: "Id", description: "The record's id."}
	keywordParameter   = parameter{name: "keyword", description: "Words that all occur, the last one perhaps only as the beginning of a word, at most 32 different ones. Case and diacritics make no difference, nor do I, İ, ı and i. Bytes that are not UTF-8 are read as Windows-1254."}
	selectParameter    = parameter{name: "$select", description: "Names of the fields that are wanted, separated by commas; * is all. Unknown names are left out; if no other is left, the whole record comes."}
	expandParameter    = parameter{name: "$expand", description: "Names of relations that are wanted beside the fields of $select; * is all. The real service left them out otherwise; here $select is enough."}
	topParameter       = parameter{name: "$top", number: true, description: "How many records; more than the largest answer is cut to that."}
	skipParameter      = parameter{name: "$skip", number: true, description: "How many records to leave out at the beginning."}
	countParameter     = parameter{name: "$count", values: []string{"true", "false"}, description: "true: the header " + totalHeader + " holds the number of records without $top and $skip. The list's path with /$count after it answers with that number alone."}
	directionParameter = parameter{name: "s", number: true, values: []string{"-1", "1"}, description: "1: oldest first; -1: newest first."}
)

func listParameters(g *group) []parameter {
	return []parameter{
		{name: "$filter", description: fmt.Sprintf("An OData expression of %s, for example: %s. See /v1/.", names(g.filters), filterExample(g))},
		selectParameter, expandParameter, topParameter, skipParameter,
		{name: "$orderby", description: fmt.Sprintf("One or more of %s, separated by commas, each with desc or asc after it if wanted. Newest first by itself, folders by title.%s",
			names(g.sortable()), oneDate(g))},
		countParameter,
		{name: "Id", description: "With it the answer is that record, as its own operation shows it."},
	}
}

// oneDate says of a group with two names of the date of publication that it is
// one.
func oneDate(g *group) string {
	if !slices.Contains(g.orders, byStart) {
		return ""
	}
	return " StartDate and CreatedDate both stand for the date of publication: StartDate, where a record has one."
}

func names(properties []filter.Property) string {
	var list []string
	for _, p := range properties {
		list = append(list, p.Name)
	}
	return strings.Join(list, ", ")
}

func filterExample(g *group) string {
	switch g.filters[0] {
	case byModified:
		return "Path eq '/spor/' and ModifiedDate ge Datetime'2026-01-31T00:00:00Z'"
	case byPath:
		return "startswith(Path,'/spor/')"
	}
	return "Id eq '58ac2bae18c773091cd22ae5'"
}

// inPath reports whether the parameter stands in the path of o.
func (p parameter) inPath(o *operation) bool { return strings.Contains(o.path, "{"+p.name+"}") }
