package pack

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"time"
	"unicode/utf8"

	"ayna/archive"
)

// line is a record as a line of JSON. The JSON of the service stands in it byte
// for byte; what cannot stand in a line so (it has line ends, or is no UTF-8)
// is in Encoded instead, as base64, by the same name.
type line struct {
	Kind     archive.Kind      `json:"kind"`
	ID       string            `json:"id"`
	Hash     string            `json:"hash"` // SHA-256 of list, a zero byte and single (and found), hexadecimal
	Seen     *time.Time        `json:"seen,omitempty"`
	Listed   *time.Time        `json:"listed,omitempty"`
	Fetched  *time.Time        `json:"fetched,omitempty"`
	Changed  *time.Time        `json:"changed,omitempty"`
	Vanished *time.Time        `json:"vanished,omitempty"`
	Address  string            `json:"address,omitempty"` // of its page in the published site
	List     json.RawMessage   `json:"list,omitempty"`
	Single   json.RawMessage   `json:"single,omitempty"`
	Found    json.RawMessage   `json:"found,omitempty"` // as a search showed it; only until single is there
	Encoded  map[string][]byte `json:"encoded,omitempty"`
}

// part is one of the documents of a record.
type part struct {
	name string
	json *[]byte
}

func parts(r *archive.Record) []part {
	return []part{{"list", &r.List}, {"single", &r.Single}, {"found", &r.Found}}
}

// encode writes a record as a line.
func encode(r *archive.Record) ([]byte, error) {
	l := line{
		Kind: r.Kind, ID: r.ID, Hash: hex.EncodeToString(r.Hash[:]), Address: r.Address,
		Seen: known(r.Seen), Listed: known(r.Listed), Fetched: known(r.Fetched), Changed: known(r.Changed), Vanished: known(r.Vanished),
	}
	var plain []byte
	for _, p := range parts(r) {
		switch {
		case *p.json == nil:
		case utf8.Valid(*p.json) && json.Valid(*p.json) && !bytes.ContainsAny(*p.json, "\r\n"):
			// By hand, since the encoder would write it anew.
			plain = fmt.Appendf(plain, `,"%s":%s`, p.name, *p.json)
		default:
			if l.Encoded == nil {
				l.Encoded = make(map[string][]byte)
			}
			l.Encoded[p.name] = *p.json
		}
	}
	frame, err := json.Marshal(l)
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", r.Kind, r.ID, err)
	}
	return append(append(frame[:len(frame)-1], plain...), "}\n"...), nil
}

// decode reads what encode wrote.
func decode(text []byte) (*archive.Record, error) {
	var l line
	if err := json.Unmarshal(text, &l); err != nil {
		return nil, err
	}
	r := &archive.Record{
		Kind: l.Kind, ID: l.ID, Address: l.Address, List: l.List, Single: l.Single, Found: l.Found,
		Seen: moment(l.Seen), Listed: moment(l.Listed), Fetched: moment(l.Fetched), Changed: moment(l.Changed), Vanished: moment(l.Vanished),
	}
	for _, p := range parts(r) {
		if encoded := l.Encoded[p.name]; encoded != nil {
			*p.json = encoded
		}
	}
	r.Wanted = r.Single == nil
	hash, err := hex.DecodeString(l.Hash)
	if err != nil || len(hash) != len(r.Hash) {
		return nil, fmt.Errorf("hash: %.80q is not %d hexadecimal digits", l.Hash, 2*len(r.Hash))
	}
	r.Hash = [sha256.Size]byte(hash)
	return r, l.check()
}

// check refuses what no archive can hold.
func (l *line) check() error {
	if l.ID == "" || !slices.Contains(archive.Kinds, l.Kind) {
		return fmt.Errorf("kind %.80q with id %.80q: not a record", l.Kind, l.ID)
	}
	for _, t := range []struct {
		name string
		time *time.Time
		must bool
	}{
		{"seen", l.Seen, true}, {"listed", l.Listed, true}, {"fetched", l.Fetched, false}, {"changed", l.Changed, false}, {"vanished", l.Vanished, false},
	} {
		at := moment(t.time).UTC()
		if t.must && at.IsZero() {
			return fmt.Errorf("%s: the time is missing", t.name)
		}
		if at.Year() < 1 || at.Year() > 9999 { // such a time could not be exported again
			return fmt.Errorf("%s: the year %d is not between 1 and 9999", t.name, at.Year())
		}
	}
	return nil
}

// known returns nil for a time that is not.
func known(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

func moment(t *time.Time) time.Time {
	if t == nil {
		return time.Time{}
	}
	return *t
}
