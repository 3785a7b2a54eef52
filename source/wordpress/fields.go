package wordpress

import (
	"context"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"ayna/source/encode"
	"ayna/source/names"
)

// Bounds of the fields of a request, which stand in its address.
const (
	maxFields     = 100
	maxFieldBytes = 3000
)

// unkeptField is the name of a field that is not asked for: links double the work of the site,
// plug-ins repeat a page's head and other posts, and avatars have a hash of an e-mail address.
var unkeptField = regexp.MustCompile(`^_|^yoast_head|^rank_math|^aioseo|^class_list$|related|avatar|mail`)

// singleNames are the fields that records need.
var singleNames = namesOf(singleFields)

// namesOf returns the names in a list of fields, without the parts of fields.
func namesOf(fields string) (names []string) {
	for field := range strings.SplitSeq(fields, ",") {
		name, _, _ := strings.Cut(field, ".")
		names = append(names, name)
	}
	return names
}

func isSingleField(name string) bool { return slices.Contains(singleNames, name) }

// fieldsFound is the question of the fields of a type, by its REST name.
const fieldsFound = "fields of "

// fieldsFor returns the fields that single records of a type are asked for: what their records
// need, and nearly all others that the site has. One request for a whole post shows these, with the
// first single records after the beginning of the list was read. A site that does not answer it
// has those that earlier runs have found.
func (s *Source) fieldsFor(ctx context.Context, name string, taxonomies []string) (string, error) {
	s.fieldsMu.Lock()
	defer s.fieldsMu.Unlock()
	others, known := s.fields[name]
	if !known {
		others = strings.Split(s.earlier[fieldsFound+name], ",")
		if s.isSweep.Load() {
			list, _, _, err := s.part(ctx, pathOf(name), url.Values{}, 1)
			switch {
			case err != nil && !names.IsOfList(err):
				return "", err
			case err == nil && len(list) > 0:
				others = otherFields(list[0])
				s.note(fieldsFound+name, strings.Join(others, ","))
			}
		}
		s.fields[name] = others
	}
	fields := append([]string{singleFields}, taxonomies...)
	for _, field := range append([]string{authorsField, coauthorsOf}, others...) {
		if fieldName.MatchString(field) && !slices.Contains(fields, field) {
			fields = append(fields, field)
		}
	}
	return strings.Join(fields, ","), nil
}

// otherFields returns the fields of a post that no record needs, and that are kept.
func otherFields(raw []byte) (fields []string) {
	size := 0
	for name, value := range encode.Fields(raw) {
		if !fieldName.MatchString(name) || isSingleField(name) || unkeptField.MatchString(strings.ToLower(name)) || strings.Contains(string(value), "gravatar") {
			continue
		}
		if size += len(name) + 1; len(fields) == maxFields || size > maxFieldBytes {
			break
		}
		fields = append(fields, name)
	}
	slices.Sort(fields)
	return slices.Compact(fields)
}
