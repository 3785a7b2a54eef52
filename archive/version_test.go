package archive_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"testing"

	"ayna/archive"
	"ayna/archive/database"
	"ayna/archive/query"
	"ayna/record"
)

// A version of the schema that no program wrote is that of no archive.
func TestImpossibleVersion(t *testing.T) {
	for _, version := range []int{-1, 0} {
		path := crafted(t, fmt.Sprintf("PRAGMA user_version = %d", version))
		for name, open := range map[string]func(context.Context, string) (*archive.Archive, error){"Open": archive.Open, "OpenReadOnly": archive.OpenReadOnly} {
			if _, err := open(ctx, path); !errors.Is(err, database.ErrForeign) {
				t.Errorf("%s of version %d: %v, want ErrForeign", name, version, err)
			}
		}
	}
}

// Filters of clients, of which there is no end, leave the statements of the program
// prepared, and none of their own.
func TestStatementsOfFilters(t *testing.T) {
	a, err := archive.Open(ctx, filepath.Join(t.TempDir(), "archive.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	before := a.PreparedForTest()
	properties := []query.Property{query.ByPath, query.ByTitle, query.ByPublished, query.ByModified, query.ByID}
	for i := range 2000 {
		q := query.Query{Kind: record.Article, Limit: 1 << (i % 20), Where: &query.Condition{Exact: true}}
		for n := i; n > 0; n /= 5 {
			q.Order.By, q.Order.Down = append(q.Order.By, properties[n%5]), append(q.Order.Down, i%2 == 0)
		}
		if _, err := a.Reader().Rows(ctx, q); err != nil {
			t.Fatal(err)
		}
	}
	if n := a.PreparedForTest(); n != before {
		t.Errorf("%d statements of filters are kept", n-before)
	}
	if _, err := a.Catalog.Count(ctx, record.Article); err != nil {
		t.Fatal(err)
	}
	if n := a.PreparedForTest(); n != before+1 {
		t.Errorf("%d of the archive's own statements are kept, want 1", n-before)
	}
}
