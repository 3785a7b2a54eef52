package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// query is what a request asks for beside its path.
type query struct {
	filter string
	fields []string // $select and $expand; none means all
	top    int      // -1: not given
	skip   int
	oldest bool
	id     string
}

// readQuery reads the parameters. Their names may be in any case; unknown ones
// are ignored, as the service did.
func readQuery(r *http.Request) (query, error) {
	given, err := parameters(r)
	if err != nil {
		return query{}, err
	}
	q := query{filter: given["$filter"], top: -1, oldest: given["s"] == "1", id: given["id"]}
	// A relation is named by $expand so that it comes with everything else;
	// only with $select does it narrow anything.
	if q.fields = names(given["$select"]); q.fields != nil {
		q.fields = append(q.fields, names(given["$expand"])...)
	}
	if text, ok := given["$top"]; ok {
		if q.top, err = number("$top", text); err != nil {
			return query{}, err
		}
	}
	if text, ok := given["$skip"]; ok {
		if q.skip, err = number("$skip", text); err != nil {
			return query{}, err
		}
	}
	switch given["s"] {
	case "", "1", "-1":
	default:
		return query{}, refuse(http.StatusBadRequest, "s must be 1, oldest first, or -1, newest first")
	}
	return q, nil
}

// parameters returns the parameters of a request by their names in lower case.
func parameters(r *http.Request) (map[string]string, error) {
	values, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return nil, refuse(http.StatusBadRequest, "the query cannot be read: a %% or a ; in it is not escaped")
	}
	given := make(map[string]string)
	for _, name := range slices.Sorted(maps.Keys(values)) {
		texts, key := values[name], strings.ToLower(name)
		if _, twice := given[key]; twice || len(texts) > 1 {
			return nil, refuse(http.StatusBadRequest, "%q is given twice", key)
		}
		given[key] = texts[0]
	}
	return given, nil
}

// names splits a list of field names.
func names(text string) []string {
	var list []string
	for name := range strings.SplitSeq(text, ",") {
		if name = strings.TrimSpace(name); name != "" {
			list = append(list, name)
		}
	}
	return list
}

// number reads a count. One beyond all counts is as good as the largest.
func number(name, value string) (int, error) {
	n, err := strconv.ParseUint(strings.TrimSpace(value), 10, 31)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return 0, refuse(http.StatusBadRequest, "%s must be a whole number, 0 or more", name)
	}
	return int(n), nil
}

// project returns a record with the named fields only, each byte for byte as
// it is. Without names it is the whole record.
func project(raw []byte, fields []string) ([]byte, error) {
	if len(fields) == 0 {
		return raw, nil
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	if _, err := decoder.Token(); err != nil {
		return nil, fmt.Errorf("select fields: %w", err)
	}
	var b bytes.Buffer
	b.WriteByte('{')
	for decoder.More() {
		token, err := decoder.Token()
		if err != nil {
			return nil, fmt.Errorf("select fields: %w", err)
		}
		name, _ := token.(string)
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			return nil, fmt.Errorf("select fields: %w", err)
		}
		if !slices.ContainsFunc(fields, func(f string) bool { return strings.EqualFold(f, name) }) {
			continue
		}
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		key, err := json.Marshal(name)
		if err != nil {
			return nil, fmt.Errorf("select fields: %w", err)
		}
		b.Write(key)
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}
