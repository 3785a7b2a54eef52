package wordpress

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"ayna/source/encode"
	"ayna/source/get"
	"ayna/source/names"
)

// fieldName is the REST name of a taxonomy that can stand in a list of fields.
var fieldName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// maxTaxonomies bounds the fields of a request.
const maxTaxonomies = 50

// taxonomyFields returns the fields in which posts have the terms of other taxonomies than
// categories and tags. They are read once, with the first single records. A site that does not
// show its taxonomies has those that earlier runs have found.
func (s *Source) taxonomyFields(ctx context.Context) ([]string, error) {
	s.taxonomyMu.Lock()
	defer s.taxonomyMu.Unlock()
	if s.taxonomiesRead {
		return s.knownTaxonomies(), nil
	}
	a, err := s.optional(ctx, "/wp/v2/taxonomies", url.Values{}, get.ObjectWith("category")) // _fields would leave out all of them
	var fields []string
	if err == nil && !namesTaxonomies(a.Body) {
		err = fmt.Errorf("/wp/v2/taxonomies: %w: it names none", get.ErrShape)
	}
	switch {
	case names.IsOfList(err):
		s.lack("taxonomies", err)
		fields = s.knownTaxonomies()
	case err != nil:
		return nil, err
	default:
		fields = fieldsOf(a.Body)
		s.note(taxonomiesFound, strings.Join(fields, ","))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.taxonomies, s.taxonomiesRead = fields, true
	return fields, nil
}

// knownTaxonomies is taxonomyFields without a request: those of earlier runs, until this one has
// read them.
func (s *Source) knownTaxonomies() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.taxonomies
}

// earlierTaxonomies returns those that earlier runs have found.
func earlierTaxonomies(found map[string]string) []string {
	return slices.DeleteFunc(strings.Split(found[taxonomiesFound], ","), func(name string) bool { return !fieldName.MatchString(name) })
}

// namesTaxonomies reports whether JSON is an object with a taxonomy in a member. PHP writes an
// empty object as a list.
func namesTaxonomies(body []byte) bool {
	for _, value := range encode.Fields(body) {
		if bytes.HasPrefix(bytes.TrimSpace(value), []byte("{")) {
			return true
		}
	}
	return string(body) == "[]"
}

// fieldsOf returns the fields that an answer names, which is an object with a taxonomy in each
// member. Others name none.
func fieldsOf(body []byte) []string {
	known := strings.Split(singleFields, ",")
	fields := []string{}
	for _, value := range encode.Fields(body) {
		taxonomy, _ := encode.Read[struct {
			Field string `json:"rest_base"`
		}](value)
		if name := taxonomy.Field; fieldName.MatchString(name) && !slices.Contains(known, name) {
			fields = append(fields, name)
		}
		if len(fields) == maxTaxonomies {
			break
		}
	}
	slices.Sort(fields)
	return slices.Compact(fields)
}

// termsIn returns the ids of a post's terms by the fields of their taxonomies.
func termsIn(raw json.RawMessage, fields []string) map[string][]number {
	if len(fields) == 0 {
		return nil
	}
	terms := make(map[string][]number)
	for name, value := range encode.Fields(raw) {
		if slices.Contains(fields, name) {
			if of, err := encode.Read[termIDs](value); err == nil && len(of.IDs) > 0 {
				terms[name] = of.IDs
			}
		}
	}
	if len(terms) == 0 {
		return nil
	}
	return terms
}
