package server

import (
	"errors"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// query is the parameters of a request by their names in lower case. Their
// names may be in any case; unknown ones are ignored, as the service did.
type query map[string]string

func readQuery(r *http.Request) (query, error) {
	if r.URL.RawQuery == "" {
		return nil, nil
	}
	values, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return nil, refuse(http.StatusBadRequest, "the query cannot be read: a %% or a ; in it is not escaped")
	}
	q := make(query)
	for _, name := range slices.Sorted(maps.Keys(values)) {
		key := strings.ToLower(name)
		for _, text := range values[name] {
			// Some clients write a parameter into the address and add it once more.
			if first, twice := q[key]; twice && text != first {
				return nil, refuse(http.StatusBadRequest, "%q is given twice, with different values", key)
			}
			q[key] = text
		}
	}
	return q, nil
}

// condition returns the parameters that choose and order the records of a list:
// $filter with its aliases, and $orderby.
func (q query) condition() string {
	text := "\x00" + q["$filter"] + "\x00" + q["$orderby"]
	for _, name := range slices.Sorted(maps.Keys(q)) {
		if strings.HasPrefix(name, "@") {
			text += "\x00" + name + "=" + q[name]
		}
	}
	return text
}

// number reads a count, which is absent if the parameter is not given or empty.
// One beyond all counts is as good as the largest.
func (q query) number(name string, absent int) (int, error) {
	text := strings.TrimSpace(q[name])
	if text == "" {
		return absent, nil
	}
	n, err := strconv.ParseUint(text, 10, 31)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return 0, refuse(http.StatusBadRequest, "%s must be a whole number, 0 or more", name)
	}
	return int(n), nil
}

// window reads $top and $skip.
func (q query) window(most int) (top, skip int, err error) {
	if top, err = q.number("$top", most); err != nil {
		return 0, 0, err
	}
	skip, err = q.number("$skip", 0)
	return min(top, most), skip, err
}

// choice reads a parameter that has one of some values, the first if it is not
// given or empty. It returns the number of the value.
func (q query) choice(name string, values ...string) (int, error) {
	text := strings.ToLower(strings.TrimSpace(q[name]))
	if text == "" {
		return 0, nil
	}
	if i := slices.Index(values, text); i >= 0 {
		return i, nil
	}
	return 0, refuse(http.StatusBadRequest, "%s must be %s", name, strings.Join(values, " or "))
}
