// Package lines converts records and originals to the lines of JSON that package export writes,
// and back for package importer. A line holds the service's JSON byte for byte. Begin with
// [Encode] and [Decode].
package lines

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"
	"unicode/utf8"

	"ayna/archive"
	"ayna/record"
)

// line is a record as a JSON line. It holds the service's JSON byte for byte;
// JSON with line ends or invalid UTF-8 is in Encoded instead, under the same
// name, as base64.
type line struct {
	Kind     record.Kind       `json:"kind"`
	ID       string            `json:"id"`
	Hash     string            `json:"hash"` // SHA-256 of list, a zero byte and single (and found), hexadecimal
	Seen     time.Time         `json:"seen,omitzero"`
	Listed   time.Time         `json:"listed,omitzero"`
	Fetched  time.Time         `json:"fetched,omitzero"`
	Changed  time.Time         `json:"changed,omitzero"`
	Vanished time.Time         `json:"vanished,omitzero"`
	Address  string            `json:"address,omitempty"` // of its page in the published site
	List     json.RawMessage   `json:"list,omitempty"`
	Single   json.RawMessage   `json:"single,omitempty"`
	Found    json.RawMessage   `json:"found,omitempty"` // as a search returned it; only until single is there
	Encoded  map[string][]byte `json:"encoded,omitempty"`
}

// document is one of a record's JSON documents.
type document struct {
	name string
	json *[]byte
}

func documents(r *archive.Record) []document {
	return []document{{"list", &r.List}, {"single", &r.Single}, {"found", &r.Hit}}
}

// Encode returns the line of a record.
func Encode(r *archive.Record) ([]byte, error) {
	l := line{
		Kind: r.Kind, ID: r.ID, Hash: hex.EncodeToString(r.Hash[:]), Address: r.Address,
		Seen: r.Seen, Listed: r.Listed, Fetched: r.Fetched, Changed: r.Changed, Vanished: r.GoneAt,
		Encoded: make(map[string][]byte),
	}
	var verbatim []byte
	for _, d := range documents(r) {
		switch {
		case *d.json == nil:
		case isVerbatim(*d.json):
			// The encoder would compact and escape it.
			verbatim = fmt.Appendf(verbatim, `,"%s":%s`, d.name, *d.json)
		default:
			l.Encoded[d.name] = *d.json
		}
	}
	text, err := json.Marshal(l)
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", r.Kind, r.ID, err)
	}
	return append(append(text[:len(text)-1], verbatim...), "}\n"...), nil
}

// isVerbatim reports whether JSON can stand in a line as it is.
func isVerbatim(document []byte) bool {
	return utf8.Valid(document) && json.Valid(document) && !bytes.ContainsAny(document, "\r\n")
}

// Decode parses a line that [Encode] or [EncodeOriginal] wrote, and refuses invalid records and
// originals: one of the results is nil. It keeps no part of the text, and its errors have none: it
// may hold anything, a key as well.
func Decode(text []byte, how record.Dates) (*archive.Record, *archive.MadeOriginal, error) {
	var l struct {
		line
		Original string `json:"type"`
	}
	if err := json.Unmarshal(text, &l); err != nil {
		return nil, nil, errNotExported
	}
	if l.Original == "" {
		r, err := l.line.decoded(how)
		return r, nil, err
	}
	var o original
	if err := json.Unmarshal(text, &o); err != nil {
		return nil, nil, errNotExported
	}
	made, err := o.original()
	return nil, made, err
}

var errNotExported = errors.New("it is not JSON as ayna export writes it")

// decoded returns the whole record of a line.
func (l *line) decoded(how record.Dates) (*archive.Record, error) {
	r, err := l.record()
	if err == nil {
		err = complete(r, how)
	}
	if err == nil && !r.Sound() {
		err = errors.New("its JSON does not match its hash")
	}
	return r, err
}

// record returns the record of a line without its metadata.
func (l *line) record() (*archive.Record, error) {
	r := &archive.Record{Record: record.Record{Kind: l.Kind, ID: l.ID, Answers: record.Answers{List: l.List, Single: l.Single, Hit: l.Found}}, Progress: archive.Progress{Seen: l.Seen, Listed: l.Listed, Fetched: l.Fetched, Changed: l.Changed, GoneAt: l.Vanished}, Address: l.Address}
	hash, err := hex.DecodeString(l.Hash)
	if err != nil || len(hash) != len(r.Hash) {
		return nil, fmt.Errorf("hash: it is not %d hexadecimal digits", 2*len(r.Hash))
	}
	copy(r.Hash[:], hash)
	if l.ID == "" || !slices.Contains(record.Kinds, l.Kind) {
		return nil, errors.New("kind and id: not a record")
	}
	for _, t := range []struct {
		name     string
		time     time.Time
		required bool
	}{
		{"seen", l.Seen, true}, {"listed", l.Listed, true}, {"fetched", l.Fetched, false}, {"changed", l.Changed, false}, {"vanished", l.Vanished, false},
	} {
		if t.required && t.time.IsZero() {
			return nil, fmt.Errorf("%s: the time is missing", t.name)
		}
		if year := t.time.UTC().Year(); year < 1 || year > 9999 { // JSON cannot express it
			return nil, fmt.Errorf("%s: the year is not between 1 and 9999", t.name)
		}
	}
	for _, d := range documents(r) {
		if encoded := l.Encoded[d.name]; encoded != nil {
			*d.json = encoded
		}
	}
	return r, nil
}

// complete checks that the JSON of a line is of its record, and derives the metadata.
func complete(r *archive.Record, how record.Dates) error {
	for _, d := range documents(r) {
		if *d.json == nil {
			continue
		}
		if id, err := record.ID(*d.json); err != nil {
			return fmt.Errorf("%s: the JSON is not of a record", d.name)
		} else if id != r.ID && (id != "" || d.name == "list") {
			return fmt.Errorf("%s: the JSON is of another record", d.name)
		}
	}
	if r.List == nil && r.Single == nil && r.Hit == nil {
		return errors.New("list and single are missing")
	}
	r.FetchDue = r.Single == nil
	if record.Fill(&r.Record, how) != nil {
		return errors.New("its JSON is not of a record")
	}
	return nil
}
