package record

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"ayna/client"
)

// A Redactor removes mentions of forgotten records from the JSON of others, as [Redaction] does.
type Redactor interface {
	// Mentions reports whether a text may mention one. The text need not be JSON.
	Mentions(text []byte) bool
	// Apply removes the mentions from JSON. It fails for a mention in what is not JSON.
	Apply(raw []byte) ([]byte, error)
}

// Redaction removes mentions of forgotten records from the JSON of others.
type Redaction struct {
	ids  map[string][]Kind
	urls []forgottenURL
}

// NewRedaction returns the redaction of mentions of these records.
func NewRedaction(forgotten ...Forgotten) Redaction {
	r := Redaction{ids: make(map[string][]Kind)}
	for _, f := range forgotten {
		if f.Kind == Comment { // no record refers to one
			continue
		}
		r.ids[f.ID] = append(r.ids[f.ID], f.Kind)
		if u, ok := parseForgotten(f); ok {
			r.urls = append(r.urls, u)
		}
	}
	return r
}

// Mentions reports whether a text holds an address of a forgotten record, in whatever
// spelling, or the id of one, whatever it means there. The text need not be JSON.
func (r Redaction) Mentions(text []byte) bool {
	f := flatten(text)
	return len(r.find(f)) > 0 || r.hasID(f)
}

// Apply removes the mentions from the JSON of a record: the addresses of forgotten
// records in whatever spelling, and references by a forgotten id. Everything else stays
// byte for byte. The error is [ErrUnredacted] for a text with a mention that is not JSON.
func (r Redaction) Apply(raw []byte) ([]byte, error) {
	if len(r.ids) == 0 {
		return raw, nil
	}
	f := flatten(raw)
	kept := f.without(raw, r.find(f))
	mayRefer := r.hasID(f)
	if (mayRefer || len(kept) != len(raw)) && !json.Valid(kept) {
		return nil, ErrUnredacted
	}
	if mayRefer {
		if without, changed := r.references(kept, ""); changed {
			kept = without
		}
	}
	return kept, nil
}

// ErrUnredacted marks a text that mentions a forgotten record and is not JSON.
var ErrUnredacted = errors.New("it mentions a forgotten record, and is not JSON")

func (r Redaction) hasID(f flat) bool {
	for id := range r.ids {
		if bytes.Contains(f.text, []byte(id)) {
			return true
		}
	}
	return false
}

// span is a part of a flat text.
type span struct{ start, end int }

// find returns the parts of a flat text that are addresses of forgotten records.
func (r Redaction) find(f flat) (found []span) {
	for _, u := range r.urls {
		u.find(f.text, func(start, end int) { found = append(found, span{start, end}) })
	}
	slices.SortFunc(found, func(a, b span) int { return cmp.Compare(a.start, b.start) })
	return found
}

// without returns the text of which f is the flat form without some parts, in their order.
func (f flat) without(text []byte, parts []span) []byte {
	if len(parts) == 0 {
		return text
	}
	kept := make([]byte, 0, len(text))
	at := 0
	for _, part := range parts {
		if start := f.from[part.start]; start > at {
			kept = append(kept, text[at:start]...)
		}
		at = max(at, f.from[part.end])
	}
	return append(kept, text[at:]...)
}

// references removes from valid JSON what refers to a forgotten record by its id: objects with
// that Id, but for the outermost, and values of members named as ids. member is the name
// of the member that raw is the value of, or an element of.
func (r Redaction) references(raw []byte, member string) (kept []byte, changed bool) {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || (raw[0] != '{' && raw[0] != '[') {
		return raw, false
	}
	kept = append(kept, raw[0])
	keep := func(key, value []byte, member string) {
		if r.refers(value, member) {
			changed = true
			return
		}
		value, within := r.references(value, member)
		changed = changed || within
		if len(kept) > 1 {
			kept = append(kept, ',')
		}
		if key != nil {
			kept = append(append(kept, key...), ':')
		}
		kept = append(kept, value...)
	}
	for key, value := range client.JSONMembers(raw) {
		var name string
		_ = json.Unmarshal(key, &name) // it is a string
		keep(key, value, name)
	}
	for value := range client.JSONElements(raw) {
		keep(nil, value, member)
	}
	return append(kept, raw[len(raw)-1]), changed
}

// refers reports whether the value of a member, or an element of it, is a reference to a
// forgotten record. Members about writers refer to writers alone.
func (r Redaction) refers(value []byte, member string) bool {
	if len(value) == 0 {
		return false
	}
	member = strings.ToLower(member)
	var id string
	switch {
	case value[0] == '{':
		id, _ = ID(value)
	case member == "id" || !strings.HasSuffix(strings.TrimSuffix(member, "s"), "id"):
		return false
	case value[0] != '"':
		id = string(value)
	case json.Unmarshal(value, &id) != nil:
		return false
	}
	return slices.ContainsFunc(r.ids[id], func(kind Kind) bool {
		return kind == Writer || !strings.Contains(member, "writer")
	})
}
