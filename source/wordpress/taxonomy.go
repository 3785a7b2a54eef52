package wordpress

import (
	"context"
	"encoding/json"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"ayna/source/encode"
	"ayna/source/get"
)

// fieldName is the REST name of a taxonomy that can stand in a list of fields.
var fieldName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// maxTaxonomies bounds the fields of a request.
const maxTaxonomies = 50

// taxonomyFields returns the fields in which posts have the terms of other taxonomies than
// categories and tags. They are read once, with the first single records. A site that
// hides its taxonomies has none.
func (s *Source) taxonomyFields(ctx context.Context) ([]string, error) {
	s.tagsMu.Lock()
	defer s.tagsMu.Unlock()
	if s.taxonomies != nil {
		return s.taxonomies, nil
	}
	a, err := s.get(ctx, "/wp/v2/taxonomies", url.Values{}, get.ObjectWith("category")) // _fields would leave out all of them
	if isHidden(err) {
		a = get.Answer{}
	} else if err != nil {
		return nil, err
	}
	var all map[string]struct {
		Field string `json:"rest_base"`
	}
	_ = json.Unmarshal(a.Body, &all) // what is no object names none
	s.taxonomies = []string{}
	for _, taxonomy := range all {
		if name := taxonomy.Field; fieldName.MatchString(name) && !slices.Contains(strings.Split(singleFields, ","), name) {
			s.taxonomies = append(s.taxonomies, name)
		}
	}
	slices.Sort(s.taxonomies)
	s.taxonomies = s.taxonomies[:min(len(s.taxonomies), maxTaxonomies)]
	return s.taxonomies, nil
}

// termsIn returns the ids of a post's terms by the fields of their taxonomies.
func termsIn(raw json.RawMessage, fields []string) map[string][]number {
	object, err := encode.Read[map[string]json.RawMessage](raw)
	if err != nil {
		return nil
	}
	var terms map[string][]number
	for _, field := range fields {
		ids, err := encode.Read[[]number](object[field])
		ids = slices.DeleteFunc(ids, func(id number) bool { return id <= 0 })
		if err != nil || len(ids) == 0 {
			continue
		}
		if terms == nil {
			terms = make(map[string][]number)
		}
		terms[field] = ids
	}
	return terms
}
