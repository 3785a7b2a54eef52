package archive_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"ayna/archive"
	"ayna/archive/database"
	"ayna/record"
	"ayna/testrun"
)

// What many goroutines write at once is all there, but for what failed, and each
// gets its own error.
func TestUpdateOfMany(t *testing.T) {
	testrun.NotShort(t)
	everyKind(t, func(t *testing.T, a *archive.Archive) {
		refused := errors.New("no")
		const writers = 60
		errs := make([]error, writers)
		var group sync.WaitGroup
		for i := range writers {
			group.Go(func() {
				errs[i] = a.Update(ctx, func(tx *archive.Tx) error {
					r := article(fmt.Sprint(i), "x", i)
					if _, err := tx.Put(&r, noon); err != nil {
						return err
					}
					if i%10 == 7 {
						return refused
					}
					return nil
				})
				if _, err := a.Records.Get(ctx, record.Article, fmt.Sprint(i)); errs[i] == nil && err != nil {
					t.Errorf("%d is not there though it is said to be: %v", i, err)
				}
			})
		}
		group.Wait()
		for i, err := range errs {
			_, missing := a.Records.Get(ctx, record.Article, fmt.Sprint(i))
			if failed := i%10 == 7; errors.Is(err, refused) != failed || errors.Is(missing, database.ErrNotFound) != failed || (err != nil) != failed {
				t.Errorf("%d: %v, %v", i, err, missing)
			}
		}
	})
}

func TestUpdateOfAReader(t *testing.T) {
	path := filepath.Join(t.TempDir(), "archive.db")
	a, err := archive.Open(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	reader, err := archive.OpenReadOnly(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	if err := reader.Update(ctx, func(*archive.Tx) error { return nil }); err == nil {
		t.Error("a reader could write")
	}
}

// TestWordsOfOneTransaction: what a transaction stores twice, or removes again, is in the
// index by its last words, also where words are too many to wait for the end.
func TestWordsOfOneTransaction(t *testing.T) {
	bothKinds(t, func(t *testing.T, a *archive.Archive) {
		update(t, a, func(tx *archive.Tx) error {
			for _, title := range []string{"once", strings.Join(longWords(60_000), " "), "twice", "thrice"} {
				for i := range 3 {
					r := archive.Record{Record: record.Record{Kind: record.Article, ID: fmt.Sprint(i)}, Progress: archive.Progress{Listed: noon}}
					r.List = fmt.Appendf(nil, `{"Title":%q}`, title)
					if err := draw(&r.Record); err != nil {
						return err
					}
					if _, err := tx.Put(&r, noon); err != nil {
						return err
					}
				}
			}
			return tx.ForgetForTest(record.Article, "1")
		})
		for query, want := range map[string][]int64{"once": nil, "w000017": nil, "twice": nil, "thrice": {1, 3}} {
			rows, err := a.Reader().Search(ctx, query, nil, draw)
			slices.Sort(rows)
			if err != nil || !slices.Equal(rows, want) {
				t.Errorf("%s: %v, %v, want %v", query, rows, err, want)
			}
		}
		if found, _ := flawsOf(t, a); len(found) > 0 {
			t.Errorf("flaws: %q", found)
		}
	})
}

// longWords returns n different words of seven letters and digits.
func longWords(n int) []string {
	words := make([]string, n)
	for i := range words {
		words[i] = fmt.Sprintf("w%06d", i)
	}
	return words
}
