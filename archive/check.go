package archive

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
)

// Flaw is something that is wrong with an archive.
type Flaw struct {
	Kind Kind   // of the record that it is about; "" if it is about none
	ID   string // of that record
	What string // what is wrong, and where

	row  int64
	mend func(*Tx) error // nil if nothing can be done about it
}

// String names the flaw in one line.
func (f Flaw) String() string {
	if f.Kind == "" {
		return f.What
	}
	return fmt.Sprintf("%s %s: %s", f.Kind, f.ID, f.What)
}

// Check goes through the whole archive and yields what is wrong with it: with
// the database as such, with records whose JSON has not the hash it had when it
// arrived, with what was drawn from that JSON (derive draws it anew, as before
// [Tx.Put]), with the full-text index, and with the files of pictures. It reads
// everything and keeps nothing. An archive that is open for writing is not
// changed but for the indexes that only a check needs.
func (a *Archive) Check(ctx context.Context, derive func(*Record) error) iter.Seq2[Flaw, error] {
	return func(yield func(Flaw, error) bool) {
		c := &check{Archive: a, derive: derive, yield: yield}
		if err := c.all(ctx); err != nil && !c.over {
			yield(Flaw{}, fmt.Errorf("check the archive: %w", err))
		}
	}
}

// Mend does what can be done about flaws that [Archive.Check] found. JSON that
// is damaged is set aside among the record's earlier versions, as part
// "damaged", and the record is fetched again by the next synchronisation; so is
// a picture. What was drawn from good JSON is drawn anew.
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
	derive func(*Record) error
	yield  func(Flaw, error) bool
	over   bool // yield wants no more
	found  int
}

// flaw yields a flaw, and returns false if that was enough.
func (c *check) flaw(f Flaw) bool {
	c.found++
	c.over = c.over || !c.yield(f, nil)
	return !c.over
}

// damaged turns an error of the database into a flaw, where it is about its
// content.
func (c *check) damaged(ctx context.Context, what string, err error) error {
	if err == nil || ctx.Err() != nil {
		return err
	}
	c.flaw(Flaw{What: what + ": " + err.Error()})
	return nil
}

func (c *check) all(ctx context.Context) error {
	file, isFile := c.engine.(*sqlite)
	if isFile {
		if err := c.damaged(ctx, "the database", c.database(ctx)); err != nil || c.over {
			return err
		}
		if c.found > 0 { // what else is said of such a file is noise
			return nil
		}
	}
	var texts *texts
	if isFile {
		var err error
		if texts, err = newTexts(ctx, file); err != nil {
			return err
		}
		defer texts.remove()
	}
	for _, part := range []struct {
		name string
		look func(context.Context) error
	}{
		{"records", func(ctx context.Context) error { return c.records(ctx, texts) }},
		{"the table light", c.lines},
		{"pictures of records", c.digests},
		{"pictures", c.pictures},
	} {
		if err := c.damaged(ctx, part.name, part.look(ctx)); err != nil || c.over {
			return err
		}
	}
	if texts != nil && c.found == 0 {
		return c.damaged(ctx, "the full-text index", texts.compare(ctx))
	}
	return nil
}

// lines compares the table light with the view that it is drawn from.
func (c *check) lines(ctx context.Context) error {
	rows, err := c.read.QueryContext(ctx, `SELECT row, kind, id FROM record LEFT JOIN light USING (row) LEFT JOIN line USING (row)
		WHERE light.line IS NULL OR light.line <> line.line`)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var f Flaw
		if err := rows.Scan(&f.row, &f.Kind, &f.ID); err != nil {
			return err
		}
		f.What = "its line in the table light is not what the table record gives; restore the archive from a copy"
		if !c.flaw(f) {
			return nil
		}
	}
	return rows.Err()
}

// listOf reads one column of text.
func listOf(ctx context.Context, q *statements, query string, args ...any) ([]string, error) {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []string
	for rows.Next() {
		var value string
		if err := rows.Scan(&value); err != nil {
			return nil, err
		}
		list = append(list, strings.Clone(value))
	}
	return list, rows.Err()
}
