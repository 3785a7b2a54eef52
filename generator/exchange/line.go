// Package exchange has the form of records in exports and web archives, which package pack
// writes and package importer reads: a record is a line of JSON with the service's JSON byte
// for byte.
package exchange

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"time"
	"unicode/utf8"

	"ayna/archive"
	"ayna/generator/wire"
)

// Line is a record as a JSON line. It holds the service's JSON byte for byte;
// JSON with line ends or invalid UTF-8 is in Encoded instead, under the same
// name, as base64.
type Line struct {
	Kind     archive.Kind      `json:"kind"`
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

	// In web archives only.
	Since time.Time         `json:"since,omitzero"`  // single is as it is since then; zero if it never changed
	Media map[string]string `json:"media,omitempty"` // files in the site's folder media, by the addresses of pictures
	Until time.Time         `json:"until,omitzero"`  // of an earlier version of list, which is alone in its line
}

// document is one of a record's JSON documents.
type document struct {
	name string
	json *[]byte
}

func documents(r *archive.Record) []document {
	return []document{{"list", &r.List}, {"single", &r.Single}, {"found", &r.Hit}}
}

func Encode(r *archive.Record) ([]byte, error) {
	return Of(r).Encode(r)
}

// Of returns the line of a record without its JSON documents.
func Of(r *archive.Record) Line {
	return Line{
		Kind: r.Kind, ID: r.ID, Hash: hex.EncodeToString(r.Hash[:]), Address: r.Address,
		Seen: r.Seen, Listed: r.Listed, Fetched: r.Fetched, Changed: r.Changed, Vanished: r.GoneAt,
	}
}

// Encode returns the line with the JSON documents of a record.
func (l Line) Encode(r *archive.Record) ([]byte, error) {
	l.Encoded = make(map[string][]byte)
	var verbatim []byte
	for _, d := range documents(r) {
		switch {
		case *d.json == nil:
		case utf8.Valid(*d.json) && json.Valid(*d.json) && !bytes.ContainsAny(*d.json, "\r\n"):
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

// Decode parses a line that [Encode] wrote, and refuses invalid records.
func Decode(text []byte, zone *time.Location) (*archive.Record, error) {
	var l Line
	err := json.Unmarshal(text, &l)
	if err != nil {
		return nil, err
	}
	r, err := l.Record()
	if err == nil {
		err = Complete(r, zone)
	}
	if err == nil && !r.Sound() {
		err = fmt.Errorf("%s %.80q: its JSON does not match its hash", r.Kind, r.ID)
	}
	return r, err
}

// Record returns the record of a line, whose JSON may lack parts.
func (l *Line) Record() (*archive.Record, error) {
	r := &archive.Record{
		Kind: l.Kind, ID: l.ID, Address: l.Address, List: l.List, Single: l.Single, Hit: l.Found,
		Seen: l.Seen, Listed: l.Listed, Fetched: l.Fetched, Changed: l.Changed, GoneAt: l.Vanished,
	}
	hash, err := hex.DecodeString(l.Hash)
	if err != nil || len(hash) != len(r.Hash) {
		return nil, fmt.Errorf("hash: %.80q is not %d hexadecimal digits", l.Hash, 2*len(r.Hash))
	}
	copy(r.Hash[:], hash)
	if l.ID == "" || !slices.Contains(archive.Kinds, l.Kind) {
		return nil, fmt.Errorf("kind %.80q with id %.80q: not a record", l.Kind, l.ID)
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
		if err := CheckTime(t.name, t.time); err != nil {
			return nil, err
		}
	}
	for _, d := range documents(r) {
		if encoded := l.Encoded[d.name]; encoded != nil {
			*d.json = encoded
		}
	}
	return r, nil
}

// CheckTime returns an error for a time that JSON cannot express.
func CheckTime(name string, t time.Time) error {
	if year := t.UTC().Year(); year < 1 || year > 9999 {
		return fmt.Errorf("%s: the year %d is not between 1 and 9999", name, year)
	}
	return nil
}

// Complete checks that the JSON of the record of a line is of that record, and derives its
// metadata.
func Complete(r *archive.Record, zone *time.Location) error {
	for _, d := range documents(r) {
		if *d.json == nil {
			continue
		}
		if id, err := wire.ID(*d.json); err != nil {
			return fmt.Errorf("%s: %w", d.name, err)
		} else if id != r.ID && (id != "" || d.name == "list") {
			return fmt.Errorf("%s: the JSON is of the record %.80q, not %.80q", d.name, id, r.ID)
		}
	}
	if r.List == nil && r.Single == nil && r.Hit == nil {
		return fmt.Errorf("%s %.80q: list and single are missing", r.Kind, r.ID)
	}
	r.FetchDue = r.Single == nil
	return wire.Fill(r, zone)
}

// A web archive of this program has of each record: the answer of its own operation, a
// metadata record with its line, and after that the earlier answers, newest first, and
// lines with earlier list records.

// URIPrefix begins the WARC-Target-URI of these metadata records.
const URIPrefix = "urn:ayna:"

// Info begins the first record, which tells who wrote the file.
const Info = "software: ayna\r\n"

// URI returns the WARC-Target-URI of a metadata record. It is not the address of the
// answer, for which programs would then show the metadata.
func URI(r *archive.Record) string {
	return URIPrefix + string(r.Kind) + ":" + url.PathEscape(r.ID)
}

// EncodeAnswered returns the content of the metadata record of a record, whose answer has been
// as it is since a time, with its mirrored pictures.
func EncodeAnswered(r *archive.Record, since time.Time, pictures map[string]archive.Media) ([]byte, error) {
	without, l := *r, Of(r)
	without.Single, l.Since, l.Media = nil, since, make(map[string]string)
	for address, m := range pictures {
		l.Media[address] = m.Name
	}
	return l.Encode(&without)
}

// EncodeEarlierList returns the content of a metadata record with an earlier list record.
func EncodeEarlierList(r *archive.Record, earlier archive.Revision) ([]byte, error) {
	return Line{Kind: r.Kind, ID: r.ID, Until: earlier.ReplacedAt}.Encode(&archive.Record{Kind: r.Kind, ID: r.ID, List: earlier.JSON})
}
