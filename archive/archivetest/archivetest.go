// Package archivetest opens and fills archives for tests.
package archivetest

import (
	"testing"
	"time"

	"ayna/archive"
	"ayna/generator/wire"
)

// Open opens an archive, or creates it, and closes it when the test ends.
func Open(t testing.TB, address string) *archive.Archive {
	t.Helper()
	return opened(t)(archive.Open(t.Context(), address))
}

// Read opens an archive for reading, and closes it when the test ends.
func Read(t testing.TB, address string) *archive.Archive {
	t.Helper()
	return opened(t)(archive.OpenReader(t.Context(), address))
}

// Memory creates an archive in memory, with these records.
func Memory(t testing.TB, records ...*archive.Record) *archive.Archive {
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

// Store stores a record as it is when it arrives: with the fields of its JSON, and
// fetched when it is listed, if it has a single record.
func Store(tx *archive.Tx, r *archive.Record) error {
	if r.Single != nil && r.Fetched.IsZero() {
		r.Fetched = r.Listed
	}
	if err := wire.Fill(r, time.UTC); err != nil {
		return err
	}
	_, err := tx.Put(r, r.Listed)
	return err
}
