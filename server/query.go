package server

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
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
	q := query{top: -1}
	for name, values := range r.URL.Query() {
		value := values[0]
		var err error
		switch strings.ToLower(name) {
		case "$filter":
			q.filter = value
		case "$select", "$expand":
			for field := range strings.SplitSeq(value, ",") {
				if field = strings.TrimSpace(field); field != "" {
					q.fields = append(q.fields, field)
				}
			}
		case "$top":
			q.top, err = number(name, value)
		case "$skip":
			q.skip, err = number(name, value)
		case "s":
			q.oldest = value == "1"
		case "id":
			q.id = value
		}
		if err != nil {
			return query{}, err
		}
	}
	// A relation is named by $expand so that it comes with everything else;
	// only with $select does it narrow anything.
	if !hasParameter(r, "$select") {
		q.fields = nil
	}
	return q, nil
}

func hasParameter(r *http.Request, want string) bool {
	for name, values := range r.URL.Query() {
		if strings.EqualFold(name, want) && strings.TrimSpace(values[0]) != "" {
			return true
		}
	}
	return false
}

func number(name, value string) (int, error) {
	n, err := strconv.ParseUint(strings.TrimSpace(value), 10, 31)
	if err != nil {
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
