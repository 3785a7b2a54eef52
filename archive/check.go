package archive

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"slices"
	"sync"
	"sync/atomic"

	"ayna/archive/database"
	"ayna/record"
)

// Flaw is something that is wrong with an archive.
type Flaw struct {
	Kind record.Kind // of the record that it is about; "" if it is about none
	ID   string      // of that record
	What string      // what is wrong, and what happens about it

	mend func(*Tx) error // nil if it cannot be mended
}

// String names the flaw in one line.
func (f Flaw) String() string {
	if f.Kind == "" {
		return f.What
	}
	return fmt.Sprintf("%s %s: %s", f.Kind, f.ID, f.What)
}

// Check reads the whole archive and yields its flaws: of the database itself, of
// records whose JSON does not have the hash it had when it arrived, of what is
// derived from that JSON, of the full-text index, of originals and comments, and of the files of
// pictures. It changes nothing. It checks that many records side by side, at least one;
// progress gets the number of records checked so far, and may be nil.
func (a *Archive) Check(ctx context.Context, derive record.DeriveFunc, jobs int, progress func(records int)) iter.Seq2[Flaw, error] {
	return func(yield func(Flaw, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		c := &check{Archive: a, derive: derive, jobs: jobs, progress: progress, yield: yield}
		if err := c.all(ctx); err != nil && !c.over {
			yield(Flaw{}, fmt.Errorf("check the archive: %w", err))
		}
	}
}

// Mend repairs flaws that [Archive.Check] found, as far as possible. Damaged JSON
// becomes an earlier version of its record, as part "damaged", and the next
// synchronisation fetches the record again. It also fetches damaged pictures again.
// Damaged originals are removed, so that the next synchronisation stores them again. Metadata
// and the full-text index are derived anew from the JSON.
func (a *Archive) Mend(ctx context.Context, flaws []Flaw) error {
	const batch = 256
	for some := range slices.Chunk(flaws, batch) {
		err := a.Update(ctx, func(tx *Tx) error {
			for _, f := range some {
				if f.mend == nil {
					continue
				}
				if err := f.mend(tx); err != nil {
					return fmt.Errorf("%s: %w", f, err)
				}
			}
			return nil
		})
		if err != nil {
			return fmt.Errorf("mend the archive: %w", err)
		}
	}
	return nil
}

// check is one run of Check.
type check struct {
	*Archive
	derive   record.DeriveFunc
	jobs     int
	progress func(records int)

	yield func(Flaw, error) bool
	over  bool // yield returned false
	found int

	expected atomic.Uint64 // sum of the digests that the full-text index should have
}

// flaw yields a flaw, and reports whether the caller wants more.
func (c *check) flaw(f Flaw) bool {
	c.found++
	c.over = !c.yield(f, nil)
	return !c.over
}

// all checks the database itself, and then its content. It stops at a damaged
// database, because that would cause other flaws.
func (c *check) all(ctx context.Context) error {
	damage, index, err := c.db.Inspect(ctx)
	if index && !c.flaw(c.wrongIndex("the full-text index is damaged")) {
		return nil
	}
	for _, what := range damage { // nothing is written to a file with other damage
		if !c.flaw(Flaw{What: "the database: " + what}) {
			return nil
		}
	}
	if err = c.damaged(ctx, "the database", err); err != nil || c.found > 0 {
		return err
	}
	for _, part := range []struct {
		name string
		look func(context.Context) error
	}{
		{"records", c.records},
		{"the full-text index", c.words},
		{"originals", c.originals},
		{"comments", c.comments},
		{"pictures", c.pictures},
		{"unused pictures", c.unused},
	} {
		if err := c.damaged(ctx, part.name, part.look(ctx)); err != nil || c.over {
			return err
		}
	}
	return nil
}

// damaged yields an error as a flaw if the content of the database caused it. It
// returns other errors.
func (c *check) damaged(ctx context.Context, what string, err error) error {
	if err == nil || ctx.Err() != nil || ofTheMachine(err) {
		return err
	}
	c.flaw(Flaw{What: what + ": " + err.Error()})
	return nil
}

// ofTheMachine reports whether the disk, the server or a permission caused an error,
// rather than the content of the archive.
func ofTheMachine(err error) bool {
	if file := (*fs.PathError)(nil); errors.As(err, &file) {
		return true
	}
	err = database.Classify(err)
	return errors.Is(err, database.ErrFull) || errors.Is(err, database.ErrDown) || errors.Is(err, database.ErrRefused)
}

// The limits of what is in memory at a time: values, and roughly their bytes.
const (
	portionValues = 256
	portionBytes  = 4 << 20
)

// examine reads values and yields the flaws that look finds in them, some at a
// time side by side. size returns about how many bytes of memory a value takes, and
// looked is called with the number of values after each portion.
func examine[T any](ctx context.Context, c *check, values iter.Seq2[T, error], size func(T) int, look func(T) []Flaw, looked func(n int)) error {
	var portion []T
	bytes := 0
	finish := func() {
		flaws := make([][]Flaw, len(portion))
		var next atomic.Int64
		var group sync.WaitGroup
		for range min(len(portion), max(1, c.jobs)) {
			group.Go(func() {
				for i := int(next.Add(1)) - 1; i < len(portion); i = int(next.Add(1)) - 1 {
					flaws[i] = look(portion[i])
				}
			})
		}
		group.Wait()
		for _, f := range slices.Concat(flaws...) {
			if !c.flaw(f) {
				return
			}
		}
		looked(len(portion))
		portion, bytes = nil, 0
	}
	for value, err := range values {
		if err != nil {
			return err
		}
		portion, bytes = append(portion, value), bytes+size(value)
		if len(portion) == portionValues || bytes > portionBytes {
			finish()
		}
		if c.over {
			return nil
		}
	}
	finish()
	return ctx.Err()
}

// words checks that the full-text index has exactly the words of the records. It does
// nothing if records have flaws, because these are not in the expected sum.
func (c *check) words(ctx context.Context) error {
	if c.found > 0 {
		return nil
	}
	sum, err := c.db.IndexDigest(ctx)
	if err != nil || sum == c.expected.Load() {
		return err
	}
	c.flaw(c.wrongIndex("the full-text index is not what the texts of the records give"))
	return nil
}

func (c *check) wrongIndex(what string) Flaw {
	return Flaw{What: what + "; it is filled anew", mend: func(tx *Tx) error { return tx.refill(c.derive) }}
}

// refill builds the full-text index anew from the JSON of all records, and what else of their
// columns follows from how texts are cleaned.
func (t *Tx) refill(derive record.DeriveFunc) error {
	if err := t.exec(t.tx.ClearIndex()); err != nil {
		return err
	}
	rows, err := database.All(t.ctx, t.tx.Statements, "read rows", database.Column[int64], `SELECT row FROM record ORDER BY row`)
	if err != nil {
		return err
	}
	for _, row := range rows {
		r, err := rawRecord(t.ctx, t.tx.Statements, row)
		if err != nil {
			return err
		}
		if r.Damaged || r.List == nil && r.Single == nil || derive(&r.Record) != nil {
			continue // it is not shown, either
		}
		if searched(r.Kind) {
			err = t.indexWords(r)
		}
		if err == nil {
			err = t.set(row, namesOf(textColumns), valuesOf(textColumns, r))
		}
		if err == nil {
			err = t.refreshFiles(r)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
