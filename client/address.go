package client

import (
	"net/url"
	"slices"
	"strings"
)

// groups lists all groups.
var groups = []Group{Articles, Columns, Galleries, Videos, Pages, Writers, Paths}

// An Operation is what an address asks of a service: a group's list, one of its records,
// or a search.
type Operation struct {
	Group   Group  // "" for a search
	ID      string // of a single record, else ""
	Keyword string // of a search, else ""
	Select  string // the fields that answers are limited to, "" for all
}

// ReadOperation returns the operation of an address of any host whose path ends in one,
// in the spellings that services accept: names in any case, articles('41'), ?Id=41. ok is
// false for any other address.
func ReadOperation(u *url.URL) (o Operation, ok bool) {
	path := Segments(u.EscapedPath())
	query := u.Query() // what it cannot read is left out
	o.Select = strings.TrimSpace(parameter(query, "$select"))
	for last := range 2 { // segments after the group
		i := len(path) - last - 1
		if i < 1 || !strings.EqualFold(path[i-1], "v1") {
			continue
		}
		name, rest := Group(strings.ToLower(path[i])), strings.Join(path[i+1:], "")
		switch {
		case name == "search" && rest != "":
			o.Keyword = rest
			return o, true
		case slices.Contains(groups, name) && !strings.EqualFold(rest, "$count"):
			o.Group, o.ID = name, rest
			if rest == "" {
				o.ID = parameter(query, "Id")
			}
			return o, true
		}
	}
	return Operation{}, false
}

// parameter returns a parameter whose name may have any case.
func parameter(query url.Values, name string) string {
	if values := anyCase(query, name); len(values) > 0 {
		return values[0]
	}
	return ""
}

// Segments splits an escaped path and decodes each segment: an escaped slash is part of
// its segment. Empty segments are ignored. OData's v1/articles('41') is v1/articles/41.
func Segments(path string) []string {
	var segments []string
	for segment := range strings.FieldsFuncSeq(path, func(c rune) bool { return c == '/' }) {
		if decoded, err := url.PathUnescape(segment); err == nil {
			segment = decoded
		}
		segments = append(segments, segment)
	}
	if last := len(segments) - 1; last > 0 && strings.EqualFold(segments[last-1], "v1") {
		if name, id, found := cutKey(segments[last]); found {
			segments = append(segments[:last], name, id)
		}
	}
	return segments
}

// cutKey splits the name of a group with an OData key: articles('41'), articles(41) or
// articles(Id='41').
func cutKey(segment string) (name, id string, found bool) {
	name, key, found := strings.Cut(segment, "(")
	if !found || !strings.HasSuffix(key, ")") {
		return "", "", false
	}
	key = strings.TrimSpace(strings.TrimSuffix(key, ")"))
	if property, value, named := strings.Cut(key, "="); named && strings.EqualFold(strings.TrimSpace(property), "Id") {
		key = strings.TrimSpace(value)
	}
	if len(key) >= 2 && key[0] == '\'' && key[len(key)-1] == '\'' {
		key = strings.ReplaceAll(key[1:len(key)-1], "''", "'")
	}
	return name, key, key != ""
}
