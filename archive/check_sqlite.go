package archive

import (
	"context"
	"database/sql"
	_ "embed"
	"slices"
	"strings"
)

//go:embed guard.sql
var guards string

// inspect looks at the file: whether it is well-formed, every index agrees with
// its table, every reference leads somewhere, and the schema is ours.
func (s *sqlite) inspect(ctx context.Context, c *check) ([]Flaw, error) {
	if c.Writable() {
		c.turn.Lock()
		_, err := c.write.ExecContext(ctx, guards)
		c.turn.Unlock()
		if err != nil {
			return nil, err
		}
	}
	flaws, err := s.integrity(ctx, c)
	if err != nil {
		return nil, err
	}
	strays, err := listOf(ctx, c.read, `SELECT DISTINCT "table" FROM pragma_foreign_key_check`)
	if err != nil {
		return nil, err
	}
	for _, table := range strays {
		flaws = append(flaws, strayRows(table))
	}
	missing, err := s.schema(ctx, c)
	return append(flaws, missing...), err
}

// integrity has SQLite check the file, on a new connection: one that has used
// the full-text index takes what others have written since for damage.
func (s *sqlite) integrity(ctx context.Context, c *check) ([]Flaw, error) {
	db, err := sql.Open("sqlite", s.address("ro"))
	if err != nil {
		return nil, err
	}
	defer db.Close()
	verdicts, err := listOf(ctx, db, `PRAGMA integrity_check(20)`)
	if err != nil {
		return nil, err
	}
	index := false
	var flaws []Flaw
	for _, verdict := range verdicts {
		switch {
		case verdict == "ok":
		case strings.HasPrefix(verdict, "fts5: ") || strings.Contains(verdict, "FTS5 table main.search"):
			index = true
		default:
			flaws = append(flaws, Flaw{What: "the database: " + verdict})
		}
	}
	if index && len(flaws) == 0 { // a file that is damaged otherwise is not written to
		flaws = append(flaws, c.wrongIndex("the full-text index is damaged"))
	}
	return flaws, nil
}

func strayRows(table string) Flaw {
	return Flaw{What: "the database: the table " + table + " has rows of a record that is not there"}
}

// schema finds what the schema of a new archive has and this one lacks. What it
// has beside is refused when it is opened.
func (s *sqlite) schema(ctx context.Context, c *check) ([]Flaw, error) {
	known, err := schemaObjects()
	if err != nil {
		return nil, err
	}
	list, err := objectsOf(ctx, c.read)
	if err != nil {
		return nil, err
	}
	var expected, actual []string
	for o := range known {
		// Without the right to write the guards may not have been made yet.
		if o == o.plain() && !strings.HasPrefix(o.name, "sqlite_") && (c.Writable() || !strings.HasPrefix(o.name, "guard_")) {
			expected = append(expected, o.kind+" "+o.name+"\n"+o.sql)
		}
	}
	for _, o := range list {
		actual = append(actual, o.kind+" "+o.name+"\n"+o.plain().sql)
	}
	slices.Sort(expected)
	return otherSchema(expected, actual), nil
}

// otherSchema tells which objects of a schema, each its name, a line break and
// what it is, are not there as they should be.
func otherSchema(expected, actual []string) []Flaw {
	has := make(map[string]bool)
	for _, object := range actual {
		has[object] = true
	}
	var flaws []Flaw
	for _, object := range expected {
		if name, _, _ := strings.Cut(object, "\n"); !has[object] {
			flaws = append(flaws, Flaw{What: "the database: the " + name + " is not that of this version's schema"})
		}
	}
	return flaws
}

// listOf reads one column of text.
func listOf(ctx context.Context, q reader, query string, args ...any) ([]string, error) {
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
		list = append(list, value)
	}
	return list, rows.Err()
}
