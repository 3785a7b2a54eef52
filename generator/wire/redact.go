package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"ayna/archive"
)

// Redaction removes mentions of forgotten records from the JSON of others.
type Redaction struct {
	ids   map[string]bool
	links []*regexp.Regexp
	texts []string
}

// NewRedaction returns the redaction of mentions of these records.
func NewRedaction(forgotten ...archive.Forgotten) Redaction {
	r := Redaction{ids: make(map[string]bool)}
	for _, f := range forgotten {
		r.ids[f.ID] = true
		r.texts = append(r.texts, f.ID)
		u, err := url.Parse(f.URL)
		if err != nil || strings.Trim(u.Path, "/") == "" {
			continue // the address is not of one record alone
		}
		u.Host = strings.TrimPrefix(strings.ToLower(u.Host), "www.")
		r.links = append(r.links, linksTo(u))
		place := strings.TrimRight(u.Host+u.EscapedPath(), "/")
		r.texts = append(r.texts, place)
		if escaped := strings.ReplaceAll(place, "/", `\/`); escaped != place {
			r.texts = append(r.texts, escaped)
		}
	}
	return r
}

// linksTo matches the addresses in JSON that lead to a record. Its two groups match the
// text before and after. As in site.RefTo, scheme, a leading "www.", a trailing slash,
// query and fragment do not matter. A longer address is that of another record. Editorial
// pages have addresses without a host, which may also be folder paths, so these match
// only as attributes of HTML.
func linksTo(u *url.URL) *regexp.Regexp {
	const (
		slash = `\\?/` // JSON may escape it
		rest  = `(?:` + slash + `)?(?:[?#][^\s"'<>\\]*)?`
		end   = `([.,;:!)\]]*(?:[\s"'<>&]|\\[^/]|$))`
	)
	begin := `()(?:(?i:https?):)?` + slash + slash + `(?i:(?:www\.)?` + regexp.QuoteMeta(u.Host) + `)`
	if u.Host == "" {
		begin = `(=\\?["'])`
	}
	path := strings.ReplaceAll(regexp.QuoteMeta(strings.Trim(u.EscapedPath(), "/")), "/", slash)
	return regexp.MustCompile(begin + slash + path + rest + end)
}

// Texts returns texts to search for: the JSON of every record with a mention contains at
// least one of them.
func (r Redaction) Texts() []string { return r.texts }

// Apply removes the mentions from the JSON of a record: the addresses of forgotten
// records, and objects with a forgotten Id in lists of any depth. Everything else stays
// byte for byte.
func (r Redaction) Apply(raw []byte) ([]byte, error) {
	if len(r.ids) == 0 {
		return raw, nil
	}
	for _, link := range r.links {
		raw = link.ReplaceAll(raw, []byte("$1$2"))
	}
	kept, changed, err := redact(raw, r.ids)
	if err != nil {
		return nil, fmt.Errorf("redact a record: %w", err)
	}
	if !changed {
		return raw, nil
	}
	return kept, nil
}

// redact removes the elements of lists that are objects with one of the ids.
func redact(raw []byte, ids map[string]bool) (kept []byte, changed bool, err error) {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || (raw[0] != '{' && raw[0] != '[') {
		return raw, false, nil
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	if _, err := decoder.Token(); err != nil {
		return nil, false, err
	}
	b := bytes.NewBuffer(raw[:1:1])
	for decoder.More() {
		var name []byte
		if raw[0] == '{' {
			before := decoder.InputOffset()
			if _, err := decoder.Token(); err != nil {
				return nil, false, err
			}
			name = append(bytes.TrimLeft(raw[before:decoder.InputOffset()], ", \t\r\n"), ':')
		}
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			return nil, false, err
		}
		if raw[0] == '[' && mentions(value, ids) {
			changed = true
			continue
		}
		inner, innerChanged, err := redact(value, ids)
		if err != nil {
			return nil, false, err
		}
		changed = changed || innerChanged
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		b.Write(name)
		b.Write(inner)
	}
	b.WriteByte(raw[len(raw)-1])
	return b.Bytes(), changed, nil
}

// mentions reports whether a value is an object with one of the ids.
func mentions(value []byte, ids map[string]bool) bool {
	if len(value) == 0 || value[0] != '{' {
		return false
	}
	id, err := ID(value)
	return err == nil && ids[id]
}
