package archive

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"ayna/archive/database"
	"ayna/record"
)

// FirstSchemaForTest is the version of the schema without migrations.
const FirstSchemaForTest = firstSchema

// schemaFiles are the files of the schema.
var schemaFiles = map[string]string{"schema.sql": sqliteSchema, "postgres.sql": postgresSchema}

// StepsForTest returns the migrations by the file that has them.
func StepsForTest() map[string][]string {
	steps := make(map[string][]string)
	for name, file := range schemaFiles {
		for _, step := range strings.Split(file, "\n-- Version ")[1:] {
			steps[name] = append(steps[name], "\n-- Version "+step)
		}
	}
	return steps
}

// OpenFirstForTest opens an archive as the program of the first schema does.
func OpenFirstForTest(ctx context.Context, name string) (*Archive, error) {
	sqlite, _, _ := strings.Cut(sqliteSchema, "\n-- Version ")
	postgres, _, _ := strings.Cut(postgresSchema, "\n-- Version ")
	return open(ctx, name, database.NewSchema(firstSchema, sqlite, postgres))
}

// OpenAfterForTest opens an archive as a program does whose schema has one step more.
func OpenAfterForTest(ctx context.Context, name, step string) (*Archive, error) {
	return open(ctx, name, schemaAfter(step))
}

// OpenReadOnlyAfterForTest does so for reading.
func OpenReadOnlyAfterForTest(ctx context.Context, name, step string) (*Archive, error) {
	return openReadOnly(ctx, name, schemaAfter(step))
}

func schemaAfter(step string) *database.Schema {
	step = fmt.Sprintf("\n-- Version %d: a step of a test\n%s", SchemaVersion+1, step)
	return database.NewSchema(firstSchema, sqliteSchema+step, postgresSchema+step)
}

// LaterForTest counts the records whose column later is filled.
func (a *Archive) LaterForTest(ctx context.Context) (n int, err error) {
	err = a.read.QueryRowContext(ctx, `SELECT count(*) FROM record WHERE later = title || id`).Scan(&n)
	return n, err
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
			{`INSERT INTO raw (row, list) SELECT row, $2 FROM record WHERE row <= $1`, database.JSON("{}")},
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
	if _, err := os.Stat(a.Name()); err != nil { // a server, or in memory
		if !a.db.IsFile() {
			ofFile = ofServer
		}
		return a.db.Update(context.Background(), func(tx database.Tx) error {
			for statement := range strings.SplitSeq(ofFile, ";") {
				if err := tx.Exec(statement); err != nil {
					return err
				}
			}
			return nil
		})
	}
	db, err := sql.Open("sqlite", a.Name()) // without what guards the inside of the file
	if err != nil {
		return err
	}
	defer db.Close()
	_, err = db.Exec(ofFile)
	return err
}

// PragmaForTest returns a setting of the connections that write and that read.
func (a *Archive) PragmaForTest(t *testing.T, query string) map[string]string {
	t.Helper()
	var write, read string
	err := a.db.Update(context.Background(), func(tx database.Tx) error { return tx.QueryRow(query).Scan(&write) })
	if err == nil {
		err = a.read.QueryRowContext(context.Background(), query).Scan(&read)
	}
	if err != nil {
		t.Fatal(err)
	}
	return map[string]string{"the writer": write, "readers": read}
}

// ExecForTest runs a statement in a transaction.
func (t *Tx) ExecForTest(statement string) error { return t.exec(statement) }

// FormerForTest returns the former addresses of a record, sorted.
func (a *Archive) FormerForTest(t *testing.T, row int64) []string {
	t.Helper()
	list, err := database.All(context.Background(), a.read, "read", database.Column[string], `SELECT url FROM former_url WHERE row = $1 ORDER BY url`, row)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// PreparedForTest returns how many statements are kept prepared for readers.
func (a *Archive) PreparedForTest() int {
	return reflect.ValueOf(a.read).Elem().FieldByName("kept").Elem().FieldByName("byText").Len()
}

// ReplaceForTest replaces a record as a redaction does.
func (t *Tx) ReplaceForTest(r *Record) error { return t.replace(r) }

// ForgetForTest forgets a record, and deletes it at once.
func (t *Tx) ForgetForTest(kind record.Kind, id string) error {
	return errors.Join(t.Forget(kind, id, true), t.erase())
}

// MediaForTest returns the addresses of all rows of the table media.
func (a *Archive) MediaForTest(ctx context.Context) ([]string, error) {
	return database.All(ctx, a.read, "read pictures", database.Column[string], `SELECT url FROM media ORDER BY url`)
}

// CountForTest returns the number of rows of a table.
func (a *Archive) CountForTest(t *testing.T, table string) (n int) {
	t.Helper()
	if err := a.read.QueryRowContext(context.Background(), `SELECT count(*) FROM `+table).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// FilesForTest returns the number of the file that PostgreSQL keeps each table in.
func (a *Archive) FilesForTest(t *testing.T) map[string]int64 {
	t.Helper()
	files := make(map[string]int64)
	for _, err := range database.Each(context.Background(), a.read, "read files", func(row database.Row) (none struct{}, err error) {
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
