package arrange

import (
	"encoding/json"
	"strings"

	"ayna/archive"
	"ayna/generator/site"
)

// reader reads the JSON that the archive keeps of a record. Most of it holds no
// escapes, and a decoder would take longer than all the rest of arranging. What
// a method returns is only good until it is called again, but for its texts.
type reader struct {
	texts []string
	refs  []site.Ref
	links []site.Ref
}

// list reads an array of strings.
func (r *reader) list(document string) ([]string, error) {
	r.texts = r.texts[:0]
	if len(document) <= len("[]") {
		return nil, nil
	}
	inner, ok1 := strings.CutPrefix(document, `["`)
	inner, ok2 := strings.CutSuffix(inner, `"]`)
	if !ok1 || !ok2 || strings.Contains(inner, `\`) {
		err := json.Unmarshal([]byte(document), &r.texts)
		return r.texts, err
	}
	for text := range strings.SplitSeq(inner, `","`) {
		r.texts = append(r.texts, text)
	}
	return r.texts, nil
}

// addresses reads what a record's text links.
func (r *reader) addresses(document string) ([]site.Ref, error) {
	list, err := r.list(document)
	r.links = r.links[:0]
	for _, address := range list {
		r.links = append(r.links, site.RefTo("", address))
	}
	return r.links, err
}

// references reads what a record says is related to it.
func (r *reader) references(document string) ([]site.Ref, error) {
	r.refs = r.refs[:0]
	if len(document) <= len("[]") || r.plainReferences(document) {
		return r.refs, nil
	}
	var related []archive.Reference
	err := json.Unmarshal([]byte(document), &related)
	r.refs = r.refs[:0]
	for _, reference := range related {
		r.refs = append(r.refs, site.RefTo(reference.ID, reference.URL))
	}
	return r.refs, err
}

// plainReferences reads references as the archive writes them, without spaces
// and in the order of their fields. Only titles may hold escapes.
func (r *reader) plainReferences(document string) bool {
	rest, ok := strings.CutPrefix(document, "[")
	for ok {
		var id, url string
		if id, rest, ok = field(rest, `{"id":"`); !ok {
			break
		}
		if rest, ok = strings.CutPrefix(rest, `,"title":"`); !ok {
			break
		}
		if rest, ok = skipString(rest); !ok {
			break
		}
		if url, rest, ok = field(rest, `,"url":"`); !ok {
			break
		}
		r.refs = append(r.refs, site.RefTo(id, url))
		if rest == "}]" {
			return true
		}
		rest, ok = strings.CutPrefix(rest, "},")
	}
	return false
}

// field reads a text without escapes after its name.
func field(document, name string) (text, rest string, ok bool) {
	if rest, ok = strings.CutPrefix(document, name); !ok {
		return "", "", false
	}
	text, rest, ok = strings.Cut(rest, `"`)
	return text, rest, ok && !strings.Contains(text, `\`)
}

// skipString returns what follows a text of which the beginning is cut off.
func skipString(document string) (rest string, ok bool) {
	for i := 0; i < len(document); i++ {
		switch document[i] {
		case '\\':
			i++
		case '"':
			return document[i+1:], true
		}
	}
	return "", false
}

func persons(document string) ([]archive.Person, error) {
	if len(document) <= len("[]") {
		return nil, nil
	}
	var people []archive.Person
	err := json.Unmarshal([]byte(document), &people)
	return people, err
}
