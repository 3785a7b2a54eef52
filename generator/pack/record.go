package pack

import (
	"bufio"
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"time"
	"unicode/utf8"

	"ayna/archive"
	"ayna/generator/wire"
)

// JSONL writes the records of a part as JSON lines, in the order of their
// arrival. [Import] reads them back. Records with damaged JSON are left out and
// returned as "kind id".
func JSONL(ctx context.Context, a *archive.Archive, w io.Writer, part Part, progress func(done int)) (damaged []string, err error) {
	to := bufio.NewWriter(w)
	damaged, err = each(ctx, a, part, progress, func(r *archive.Record) error {
		text, err := encode(r)
		if err != nil {
			return err
		}
		_, err = to.Write(text)
		return err
	})
	if err == nil {
		err = to.Flush()
	}
	if err != nil {
		return nil, fmt.Errorf("export records: %w", err)
	}
	return damaged, nil
}

// each calls do for every record of a part, in the order of arrival. Records with damaged
// JSON are left out and returned as "kind id".
func each(ctx context.Context, a *archive.Archive, part Part, progress func(done int), do func(*archive.Record) error) (damaged []string, err error) {
	done := 0
	for r, err := range a.Records(ctx) {
		if err != nil {
			return nil, err
		}
		if !part.holds(r) {
			continue
		}
		if r.Damaged {
			damaged = append(damaged, string(r.Kind)+" "+r.ID)
			continue
		}
		if err := do(r); err != nil {
			return nil, err
		}
		if done++; progress != nil {
			progress(done)
		}
	}
	return damaged, nil
}

// line is a record as a JSON line. It holds the service's JSON byte for byte;
// JSON with line ends or invalid UTF-8 is in Encoded instead, under the same
// name, as base64.
type line struct {
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

func encode(r *archive.Record) ([]byte, error) {
	return encodeLine(r, lineOf(r))
}

// lineOf returns the line of a record without its JSON documents.
func lineOf(r *archive.Record) line {
	return line{
		Kind: r.Kind, ID: r.ID, Hash: hex.EncodeToString(r.Hash[:]), Address: r.Address,
		Seen: r.Seen, Listed: r.Listed, Fetched: r.Fetched, Changed: r.Changed, Vanished: r.GoneAt,
	}
}

// encodeLine returns a line with the JSON documents of a record.
func encodeLine(r *archive.Record, l line) ([]byte, error) {
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

// decode parses a line that encode wrote, and refuses invalid records.
func decode(text []byte, zone *time.Location) (*archive.Record, error) {
	var l line
	err := json.Unmarshal(text, &l)
	if err != nil {
		return nil, err
	}
	r, err := l.record()
	if err == nil {
		err = complete(r, zone)
	}
	if err == nil && !r.Sound() {
		err = fmt.Errorf("%s %.80q: its JSON does not match its hash", r.Kind, r.ID)
	}
	return r, err
}

// record returns the record of a line, whose JSON may lack parts.
func (l *line) record() (*archive.Record, error) {
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
		if err := checkTime(t.name, t.time); err != nil {
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

// checkTime returns an error for a time that JSON cannot express.
func checkTime(name string, t time.Time) error {
	if year := t.UTC().Year(); year < 1 || year > 9999 {
		return fmt.Errorf("%s: the year %d is not between 1 and 9999", name, year)
	}
	return nil
}

// complete checks that the JSON of the record of a line is of that record, and derives its
// metadata.
func complete(r *archive.Record, zone *time.Location) error {
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
