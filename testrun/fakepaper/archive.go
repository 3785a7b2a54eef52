package fakepaper

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"ayna/archive"
	"ayna/record"
)

// Noon is when records arrive, unless they name another time.
var Noon = time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)

// Open opens an archive, or creates it, and closes it when the test ends.
func Open(t testing.TB, address string) *archive.Archive {
	t.Helper()
	return opened(t)(archive.Open(t.Context(), address))
}

// Read opens an archive for reading, and closes it when the test ends.
func Read(t testing.TB, address string) *archive.Archive {
	t.Helper()
	return opened(t)(archive.OpenReadOnly(t.Context(), address))
}

// Archive creates an archive in memory, with these records.
func Archive(t testing.TB, records ...*archive.Record) *archive.Archive {
	t.Helper()
	a := opened(t)(archive.Memory(t.Context()))
	Put(t, a, records...)
	return a
}

func opened(t testing.TB) func(*archive.Archive, error) *archive.Archive {
	return func(a *archive.Archive, err error) *archive.Archive {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { a.Close() })
		return a
	}
}

// Update changes an archive in one transaction.
func Update(t testing.TB, a *archive.Archive, change func(*archive.Tx) error) {
	t.Helper()
	if err := a.Update(t.Context(), change); err != nil {
		t.Fatal(err)
	}
}

// Put stores records in one transaction.
func Put(t testing.TB, a *archive.Archive, records ...*archive.Record) {
	t.Helper()
	Update(t, a, func(tx *archive.Tx) error {
		for _, r := range records {
			if err := Store(tx, r); err != nil {
				return err
			}
		}
		return nil
	})
}

// Store stores a copy of a record as it is when it arrives, and sets its Row. The copy has
// the fields of its JSON, and was fetched when it was listed, if it has a single record. A
// search has shown it if it has a hit.
func Store(tx *archive.Tx, r *archive.Record) error {
	arrived := *r
	if arrived.Listed.IsZero() {
		arrived.Listed = Noon
	}
	if arrived.Single != nil && arrived.Fetched.IsZero() {
		arrived.Fetched = arrived.Listed
	}
	if arrived.Hit != nil {
		if err := tx.Hits.Put(arrived.ID, arrived.Hit); err != nil {
			return err
		}
	}
	if err := record.Fill(&arrived.Record, record.Dates{}); err != nil {
		return fmt.Errorf("%s %s: %w", r.Kind, r.ID, err)
	}
	_, err := tx.Put(&arrived, arrived.Listed)
	r.Row = arrived.Row
	return err
}

// Mirror stores pictures as mirrored.
func Mirror(t testing.TB, a *archive.Archive, pictures ...archive.Media) {
	t.Helper()
	Update(t, a, func(tx *archive.Tx) error {
		for _, m := range pictures {
			if m.Fetched.IsZero() {
				m.Fetched = Noon
			}
			if err := tx.PutMedia(m); err != nil {
				return err
			}
		}
		return nil
	})
}

// Raw is a record of the JSON of the Read API. Without a single record, that is due.
func Raw(kind record.Kind, list, single string) *archive.Record {
	r := &archive.Record{Record: record.Record{Kind: kind, Answers: record.Answers{FetchDue: single == ""}}}
	for _, part := range []struct {
		to   *[]byte
		json string
	}{{&r.List, list}, {&r.Single, single}} {
		if part.json == "" {
			continue
		}
		*part.to = []byte(part.json)
		id, err := record.ID(*part.to)
		if err != nil {
			panic(fmt.Sprintf("%v: %s", err, part.json))
		}
		r.ID = id
	}
	return r
}

// Fields is a record whose list and single JSON have these fields beside the id, given as
// name, value, name, value …
func Fields(kind record.Kind, id string, fields ...any) *archive.Record {
	all := map[string]any{"Id": id}
	for i := 0; i < len(fields); i += 2 {
		all[fields[i].(string)] = fields[i+1]
	}
	raw := encode(all)
	return &archive.Record{Record: record.Record{Kind: kind, ID: id, Answers: record.Answers{List: raw, Single: raw}}}
}

// With returns a copy of a record whose JSON has other values in some fields, given as
// [Fields] takes them.
func With(r *archive.Record, fields ...any) *archive.Record {
	changed := *r
	for _, part := range []*[]byte{&changed.List, &changed.Single} {
		if *part == nil {
			continue
		}
		all := make(map[string]any)
		if err := json.Unmarshal(*part, &all); err != nil {
			panic(err)
		}
		for i := 0; i < len(fields); i += 2 {
			all[fields[i].(string)] = fields[i+1]
		}
		*part = encode(all)
	}
	return &changed
}

// Replaced returns copies of records whose JSON has one text in place of another.
func Replaced(records []*archive.Record, old, new string) []*archive.Record {
	records = slices.Clone(records)
	for i, r := range records {
		changed := *r
		for _, part := range []*[]byte{&changed.List, &changed.Single} {
			if *part != nil && old != "" {
				*part = bytes.ReplaceAll(*part, []byte(old), []byte(new))
			}
		}
		records[i] = &changed
	}
	return records
}

// encode does not escape HTML, as the service does not.
func encode(value any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		panic(err) // the values are the test's
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// Stored returns the records of a service as an archive has them, oldest first.
func (s *Service) Stored() (stored []*archive.Record) {
	all := s.Records()
	for i := len(all) - 1; i >= 0; i-- {
		r := Raw(all[i].Kind(), s.ListJSON(all[i]), s.SingleJSON(all[i]))
		r.Listed = Newest.Add(24 * time.Hour)
		stored = append(stored, r)
	}
	return stored
}

// Forget removes a record from an archive for good.
func Forget(t testing.TB, a *archive.Archive, kind record.Kind, id string) {
	t.Helper()
	Update(t, a, func(tx *archive.Tx) error { return tx.Forget(kind, id, true) })
	forgotten, err := a.State.Forgotten(t.Context())
	if err == nil {
		err = a.Purge(t.Context(), record.NewRedaction(forgotten...), record.Derive(record.Dates{}))
	}
	if err != nil {
		t.Fatal(err)
	}
}
