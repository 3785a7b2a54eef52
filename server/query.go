package server

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"ayna/archive/query"
	"ayna/server/filter"
)

// parameters are those of a request by name in lower case: clients may
// write names in any case. Unknown names are ignored, as the service did.
type parameters map[string]string

func readQuery(r *http.Request) (parameters, error) {
	if r.URL.RawQuery == "" {
		return nil, nil
	}
	values, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return nil, badRequest("the query cannot be read: a %% or a ; in it is not escaped")
	}
	q := make(parameters)
	for _, name := range slices.Sorted(maps.Keys(values)) {
		key := strings.ToLower(name)
		for _, text := range values[name] {
			// Some clients write a parameter into the address and add it once more.
			if first, twice := q[key]; twice && text != first {
				return nil, badRequest("%q is given twice, with different values", key)
			}
			q[key] = text
		}
	}
	return q, nil
}

// number reads a count. An empty or missing parameter is fallback, and a number above
// the largest int32 is that.
func (q parameters) number(name string, fallback int) (int, error) {
	text := strings.TrimSpace(q[name])
	if text == "" {
		return fallback, nil
	}
	n, err := strconv.ParseUint(text, 10, 31)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return 0, badRequest("%s must be a whole number, 0 or more", name)
	}
	return int(n), nil
}

// window reads $top and $skip.
func (q parameters) window() (top, skip int, err error) {
	if top, err = q.number("$top", maxTop); err != nil {
		return 0, 0, err
	}
	skip, err = q.number("$skip", 0)
	return min(top, maxTop), skip, err
}

// flag reads a parameter that has one of two values, and reports whether it is
// the second. The first is the default.
func (q parameters) flag(name, off, on string) (bool, error) {
	switch strings.ToLower(strings.TrimSpace(q[name])) {
	case "", off:
		return false, nil
	case on:
		return true, nil
	}
	return false, badRequest("%s must be %s or %s", name, off, on)
}

// list is a request for records of a group.
type list struct {
	query.Query
	fields  []string // nil is all
	counted bool     // with the number of all records
	key     string   // identifies the records and their order
}

func (s *api) readList(g *group, q parameters) (l list, err error) {
	l.Kind, l.fields = g.kind, q.fields(g.Fields)
	if l.Limit, l.Skip, err = q.window(); err != nil {
		return l, err
	}
	if l.counted, err = q.flag("$count", "false", "true"); err != nil {
		return l, err
	}
	if l.Order, err = q.order(slices.Concat(g.filters, g.orders)); err != nil {
		return l, err
	}
	l.key = fmt.Sprintf("%s %q %q", g.kind, q["$filter"], q["$orderby"])
	for _, name := range slices.Sorted(maps.Keys(q)) {
		if strings.HasPrefix(name, "@") {
			l.key += fmt.Sprintf(" %q=%q", name, q[name])
		}
	}
	if text := q["$filter"]; text != "" {
		if l.Where, err = filter.Parse(text, g.filters, s.options.Location); err != nil {
			return l, badRequest("$filter, %v", err)
		}
	}
	return l, nil
}

// order reads $orderby: properties separated by commas, each with an optional
// asc or desc. If two of them have the same column in the archive, the first
// one counts.
func (q parameters) order(allowed []filter.Property) (order query.Order, err error) {
	text := strings.TrimSpace(q["$orderby"])
	if text == "" {
		return order, nil
	}
	used := make(map[int]bool)
	for term := range strings.SplitSeq(text, ",") {
		name, direction, _ := strings.Cut(strings.Join(strings.Fields(term), " "), " ")
		i := slices.IndexFunc(allowed, func(p filter.Property) bool { return strings.EqualFold(p.Name, name) })
		down := strings.EqualFold(direction, "desc")
		if i < 0 || used[i] || !down && direction != "" && !strings.EqualFold(direction, "asc") {
			return order, badRequest("$orderby: %q; write a property once, asc or desc after it if you like; there are %s",
				strings.TrimSpace(term), filter.Names(allowed))
		}
		used[i] = true
		if !slices.Contains(order.By, allowed[i].Archive) {
			order.By, order.Down = append(order.By, allowed[i].Archive), append(order.Down, down)
		}
	}
	return order, nil
}

// fields reads $select and $expand and returns the selected ones of the known fields,
// nil for all. Answers have every relation by default, so $expand matters only with
// $select.
func (q parameters) fields(known []string) (fields []string) {
	selected, expanded := q.names("$select"), q.names("$expand")
	found := false
	for _, field := range known {
		name := strings.ToLower(field)
		found = found || selected[name]
		if selected[name] || expanded[name] || expanded["*"] && isRelation(field) {
			fields = append(fields, field)
		}
	}
	if !found || selected["*"] {
		return nil
	}
	return fields
}

// names reads a list of field names, and returns them in lower case. A path such
// as Files/FileUrl, or an option such as Files($top=1), names its field. Both spellings of
// the date of change are one field.
func (q parameters) names(parameter string) map[string]bool {
	names := make(map[string]bool)
	for name := range strings.SplitSeq(strings.ToLower(q[parameter]), ",") {
		name, _, _ = strings.Cut(name, "/")
		name, _, _ = strings.Cut(name, "(")
		names[strings.TrimSpace(name)] = true
	}
	modified, misspelled := strings.ToLower(modifiedField), strings.ToLower(misspelledField)
	if names[modified] || names[misspelled] {
		names[modified], names[misspelled] = true, true
	}
	return names
}
