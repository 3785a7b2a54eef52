package lines

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"
	"unicode/utf8"

	"ayna/archive"
	"ayna/record"
	"ayna/source/note"
)

// original is what a living source sent as a JSON line. Its data are byte for byte, or, as those
// of a record with line ends or invalid UTF-8, in Encoded.
type original struct {
	Type      string            `json:"type"`
	ID        string            `json:"id"`
	Part      string            `json:"part"`
	Kind      record.Kind       `json:"kind,omitempty"`
	Record    string            `json:"record,omitempty"`
	Hash      string            `json:"hash,omitempty"` // of that record
	Operation string            `json:"operation,omitempty"`
	Reader    string            `json:"reader,omitempty"`
	Notes     string            `json:"notes,omitempty"`
	Fetched   time.Time         `json:"fetched,omitzero"`
	Replaced  time.Time         `json:"replaced,omitzero"`
	Data      json.RawMessage   `json:"data,omitempty"`
	Encoded   map[string][]byte `json:"encoded,omitempty"`
}

// EncodeOriginal returns the line of an original.
func EncodeOriginal(o archive.MadeOriginal) ([]byte, error) {
	l := original{
		Type: o.Type, ID: o.ID, Part: o.Part, Kind: o.Kind, Record: o.Record, Hash: hex.EncodeToString(o.Hash), Operation: o.Operation, Reader: o.Reader, Notes: o.Notes,
		Fetched: o.Fetched, Replaced: o.Replaced,
	}
	var verbatim []byte
	if isVerbatim(o.Data) {
		verbatim = fmt.Appendf(nil, `,"data":%s`, o.Data)
	} else {
		l.Encoded = map[string][]byte{"data": o.Data}
	}
	text, err := json.Marshal(l)
	if err != nil {
		return nil, fmt.Errorf("the original %s %s: %w", o.Type, o.ID, err)
	}
	return append(append(text[:len(text)-1], verbatim...), "}\n"...), nil
}

// original returns the original of a line, and refuses an invalid one.
func (l *original) original() (*archive.MadeOriginal, error) {
	if data := l.Encoded["data"]; data != nil {
		l.Data = data
	}
	hash, err := hex.DecodeString(l.Hash)
	switch {
	case err != nil:
		return nil, errors.New("hash: it is not hexadecimal")
	case l.Part != record.ListPart && l.Part != record.SinglePart:
		return nil, errors.New("part: it is neither list nor single")
	case (l.Kind == "") != (l.Record == "") || l.Kind != "" && l.Kind != record.Comment && !slices.Contains(record.Kinds, l.Kind):
		return nil, errors.New("kind and record: not a record")
	case !json.Valid(l.Data) || len(l.Data) > archive.MaxOriginal:
		return nil, errors.New("data: not JSON of an original")
	case !isTime(l.Fetched) || !l.Replaced.IsZero() && !isTime(l.Replaced):
		return nil, errors.New("fetched and replaced: the time is missing, or its year is not between 1 and 9999")
	case !utf8.ValidString(l.Type + l.ID):
		return nil, errors.New("type and id: no text")
	}
	return &archive.MadeOriginal{Hash: hash, Original: archive.Original{
		Type: l.Type, ID: l.ID, Part: l.Part, Kind: l.Kind, Record: l.Record, Operation: l.Operation, Reader: l.Reader, Notes: note.Parse(l.Notes).String(),
		Fetched: l.Fetched, Replaced: l.Replaced, Data: slices.Clone(l.Data),
	}}, nil
}

func isTime(t time.Time) bool {
	year := t.UTC().Year()
	return !t.IsZero() && year >= 1 && year <= 9999
}
