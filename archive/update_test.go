package archive_test

import (
	"errors"
	"fmt"
	"path/filepath"
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
