package browser

import (
	"bufio"
	"fmt"
	"maps"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"
)

// vocabulary is that of schema.org: for each of these words, by a type or
// property, the types or properties that it names.
type vocabulary struct{ is, super, domain, values, superseded map[string][]string }

// readVocabulary reads schema.org's N-Quads (https://schema.org/docs/developers.html).
func readVocabulary(path string) (*vocabulary, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	v := &vocabulary{make(map[string][]string), make(map[string][]string), make(map[string][]string), make(map[string][]string), make(map[string][]string)}
	tables := map[string]map[string][]string{
		"<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>": v.is,
		"<http://www.w3.org/2000/01/rdf-schema#subClassOf>": v.super,
		"<http://schema.org/domainIncludes>":                v.domain,
		"<http://schema.org/rangeIncludes>":                 v.values,
		"<http://schema.org/supersededBy>":                  v.superseded,
	}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		fields := strings.SplitN(lines.Text(), " ", 4)
		if len(fields) < 4 {
			continue
		}
		if table := tables[fields[1]]; table != nil {
			subject := word(fields[0])
			table[subject] = append(table[subject], word(fields[2]))
		}
	}
	return v, lines.Err()
}

func word(iri string) string {
	return strings.TrimPrefix(strings.Trim(iri, "<>"), "http://schema.org/")
}

// isA reports whether a type is one of others, or below one.
func (v *vocabulary) isA(name string, others []string) bool {
	return slices.Contains(others, name) || slices.ContainsFunc(v.super[name], func(above string) bool { return v.isA(above, others) })
}

// check returns what is wrong with something that JSON-LD says.
func (v *vocabulary) check(object map[string]any) []string {
	name, _ := object["@type"].(string)
	if !slices.ContainsFunc(v.is[name], func(kind string) bool { return strings.HasSuffix(kind, "#Class") }) {
		return []string{fmt.Sprintf("%v is no type", object["@type"])}
	}
	var wrong []string
	for _, property := range slices.Sorted(maps.Keys(object)) {
		if strings.HasPrefix(property, "@") {
			continue
		}
		known := strings.TrimSuffix(property, "-input") // https://schema.org/docs/actions.html
		where := name + "." + property
		switch {
		case v.domain[known] == nil:
			wrong = append(wrong, where+" is no property")
		case !v.isA(name, v.domain[known]):
			wrong = append(wrong, fmt.Sprintf("%s: it is a property of %v", where, v.domain[known]))
		case v.superseded[known] != nil:
			wrong = append(wrong, fmt.Sprintf("%s: its successor is %v", where, v.superseded[known]))
		case known == property:
			wrong = append(wrong, v.checkValue(where, object[property], v.values[known])...)
		}
	}
	return wrong
}

// checkValue says what is wrong with a value for which some types are expected.
func (v *vocabulary) checkValue(where string, value any, expected []string) []string {
	fits := false
	switch value := value.(type) {
	case []any:
		var wrong []string
		for _, one := range value {
			wrong = append(wrong, v.checkValue(where, one, expected)...)
		}
		if len(value) > 0 {
			return wrong
		}
	case map[string]any:
		if name, _ := value["@type"].(string); v.isA(name, expected) {
			return v.check(value)
		}
	case string:
		fits = value != "" && v.fits(value, expected)
	case float64:
		fits = v.isA("Number", expected) || v.isA("Integer", expected)
	case bool:
		fits = slices.Contains(expected, "Boolean")
	}
	if fits {
		return nil
	}
	return []string{fmt.Sprintf("%s is %v, not %v", where, value, expected)}
}

// fits reports whether a text is a value of one of the types. The address of a
// object stands for the object.
func (v *vocabulary) fits(text string, expected []string) bool {
	return slices.ContainsFunc(expected, func(name string) bool {
		switch name {
		case "Text":
			return true
		case "Date":
			_, err := time.Parse(time.DateOnly, text)
			return err == nil
		case "DateTime":
			_, err := time.Parse(time.RFC3339, text)
			return err == nil
		}
		if name != "URL" && !v.isA(name, []string{"Thing"}) {
			return false
		}
		u, err := url.Parse(text)
		return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
	})
}
