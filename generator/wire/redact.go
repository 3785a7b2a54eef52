package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"

	"ayna/archive"
)

// Redaction is what has to be removed from records: mentions of others that
// were taken out for good.
type Redaction struct {
	ids       map[string]bool
	addresses [][]byte
}

// NewRedaction returns the redaction of what was forgotten.
func NewRedaction(forgotten ...archive.Forgotten) Redaction {
	r := Redaction{ids: make(map[string]bool)}
	for _, f := range forgotten {
		r.ids[f.ID] = true
		u, err := url.Parse(f.URL)
		if err != nil || strings.Trim(u.Path, "/") == "" {
			continue // of no record alone
		}
		r.addresses = append(r.addresses, []byte(f.URL), []byte(strings.ReplaceAll(f.URL, "/", `\/`)))
	}
	return r
}

// Apply removes the mentions from a record: the elements of lists, however
// deep, that are objects with a forgotten Id, and the addresses that lead to
// forgotten records. Everything else stays byte for byte; a record without a
// mention is returned as it is.
func (r Redaction) Apply(raw []byte) ([]byte, error) {
	if len(r.ids) == 0 {
		return raw, nil
	}
	for _, address := range r.addresses {
		if bytes.Contains(raw, address) {
			raw = bytes.ReplaceAll(raw, address, nil)
		}
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
