package archive

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"ayna/record"
)

// SetVersionForTest marks the archive as one of another schema version.
func (a *Archive) SetVersionForTest(version int) error {
	statement := "PRAGMA user_version = %d"
	if _, ok := a.engine.(*postgres); ok {
		statement = "UPDATE ayna SET version = %d"
	}
	_, err := a.writer.ExecContext(context.Background(), fmt.Sprintf(statement, version))
	return err
}

// FirstSchemaForTest is the version of the schema without migrations.
const FirstSchemaForTest = firstSchema

// StepsForTest returns the migrations by the file that has them.
func StepsForTest() map[string][]string {
	return map[string][]string{"schema.sql": sqliteSteps, "postgres.sql": postgresSteps}
}

// OpenFirstForTest opens an archive as the program of the first schema does.
func OpenFirstForTest(ctx context.Context, name string) (*Archive, error) {
	e, err := engineOf(name)
	if err != nil {
		return nil, err
	}
	switch e := e.(type) {
	case *sqlite:
		e.steps = nil
	case *postgres:
		e.steps = nil
	}
	return open(ctx, e)
}

// OpenAfterForTest opens an archive as a program does whose schema has one step more.
func OpenAfterForTest(ctx context.Context, name, step string) (*Archive, error) {
	e, err := engineAfter(name, step)
	if err != nil {
		return nil, err
	}
	return open(ctx, e)
}

// OpenReadOnlyAfterForTest does so for reading.
func OpenReadOnlyAfterForTest(ctx context.Context, name, step string) (*Archive, error) {
	e, err := engineAfter(name, step)
	if err != nil {
		return nil, err
	}
	return openReadOnly(ctx, e)
}

func engineAfter(name, step string) (engine, error) {
	e, err := engineOf(name)
	switch e := e.(type) {
	case *sqlite:
		e.steps = append(slices.Clone(e.steps), step)
	case *postgres:
		e.steps = append(slices.Clone(e.steps), step)
	}
	return e, err
}

// LaterForTest counts the records whose column later is filled.
func (a *Archive) LaterForTest(ctx context.Context) (n int, err error) {
	err = a.writer.QueryRowContext(ctx, `SELECT count(*) FROM record WHERE later = title || id`).Scan(&n)
	return n, err
}

// CutForTest has the database end the connection that writes.
func (a *Archive) CutForTest() error {
	_, err := a.writer.ExecContext(context.Background(), "SELECT pg_terminate_backend(pg_backend_pid())")
	return err
}

// FillForTest stores n articles at once whose headline is "kar", every
// hundredth's "kar dolu". They did not arrive in the order of publication. With
// all that Put does, so many take long.
func (a *Archive) FillForTest(n int) error {
	hash := hashOf([]byte("{}"), nil)
	return a.Update(context.Background(), func(t *Tx) error {
		for _, fill := range []struct {
			statement string
			value     any
		}{
			{`INSERT INTO record (row, kind, id, title, published, type, path, spot, url, editor, writer_id, lead, tags, writers, related, links,
				hash, fetch_due, recheck, attempts, pass, seen, listed)
			WITH RECURSIVE count (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM count WHERE i < $1 - 1)
			SELECT i + 1, 'article', substr(CAST(100000 + i AS TEXT), 2), '', i * 7 % $1, '', '', '', '', '', '', '', '[]', '[]', '[]', '[]',
				$2, 0, 0, 0, 0, 0, 0 FROM count`, hash[:]},
			{`INSERT INTO raw (row, list) SELECT row, $2 FROM record WHERE row <= $1`, rawJSON("{}")},
		} {
			if err := t.exec(fill.statement, n, fill.value); err != nil {
				return err
			}
		}
		for i := range n {
			r := &Record{Record: record.Record{Metadata: record.Metadata{Title: "kar"}}, Row: int64(i + 1)}
			if i%100 == 0 {
				r.Title = "kar dolu"
			}
			if err := t.indexWords(r); err != nil {
				return err
			}
		}
		return nil
	})
}

// ExecForTest runs a statement behind the archive's back: the one of its engine.
func (a *Archive) ExecForTest(ofFile, ofServer string) error {
	s, ok := a.engine.(*sqlite)
	if !ok {
		_, err := a.writer.ExecContext(context.Background(), ofServer)
		return err
	}
	db, err := sql.Open("sqlite", strings.Replace(s.address("rw"), "_defensive=1", "_defensive=0", 1))
	if err != nil {
		return err
	}
	defer db.Close()
	_, err = db.Exec(ofFile)
	return err
}

// DueForTest is the query of [Schedule.Overdue].
const DueForTest = overdue

// PragmaForTest returns a setting of the connections that write and that read.
func (a *Archive) PragmaForTest(t *testing.T, query string) map[string]string {
	t.Helper()
	var write, read string
	if err := a.writer.QueryRowContext(context.Background(), query).Scan(&write); err != nil {
		t.Fatal(err)
	}
	if err := a.readers.QueryRowContext(context.Background(), query).Scan(&read); err != nil {
		t.Fatal(err)
	}
	return map[string]string{"the writer": write, "readers": read}
}

// ExecForTest runs a statement in a transaction.
func (t *Tx) ExecForTest(statement string) error { return t.exec(statement) }

// FormerForTest returns the former addresses of a record, sorted.
func (a *Archive) FormerForTest(t *testing.T, row int64) []string {
	t.Helper()
	list, err := all(context.Background(), a.read, "read", column[string], `SELECT url FROM former_url WHERE row = $1 ORDER BY url`, row)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// PreparedForTest returns how many statements are kept prepared for readers.
func (a *Archive) PreparedForTest() int { return len(a.read.kept.byText) }

// ReplaceForTest replaces a record as a redaction does.
func (t *Tx) ReplaceForTest(r *Record) error { return t.replace(r) }

// ForgetForTest forgets a record, and deletes it at once.
func (t *Tx) ForgetForTest(kind record.Kind, id string) error {
	return errors.Join(t.Forget(kind, id, true), t.erase())
}

// MediaForTest returns the addresses of all rows of the table media.
func (a *Archive) MediaForTest(ctx context.Context) ([]string, error) {
	return all(ctx, a.read, "read pictures", column[string], `SELECT url FROM media ORDER BY url`)
}

// CountForTest returns the number of rows of a table.
func (a *Archive) CountForTest(t *testing.T, table string) (n int) {
	t.Helper()
	if err := a.readers.QueryRowContext(context.Background(), `SELECT count(*) FROM `+table).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// FilesForTest returns the number of the file that PostgreSQL keeps each table in.
func (a *Archive) FilesForTest(t *testing.T) map[string]int64 {
	t.Helper()
	files := make(map[string]int64)
	for _, err := range each(context.Background(), a.read, "read files", func(row scanner) (none struct{}, err error) {
		var name string
		var file int64
		err = row.Scan(&name, &file)
		files[name] = file
		return none, err
	}, `SELECT relname, relfilenode FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'`) {
		if err != nil {
			t.Fatal(err)
		}
	}
	return files
}
