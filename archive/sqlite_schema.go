package archive

import (
	"context"
	"database/sql"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// ErrSchema marks a file that holds what no schema of this program makes. A
// trigger or a view of a stranger's would run inside of a build.
var ErrSchema = fmt.Errorf("%w: it holds something else beside its tables", ErrForeign)

// object is an object of a SQLite schema.
type object struct{ kind, name, sql string }

// schemaObjects are those of a new archive, as they are and plain, and what
// SQLite's ANALYZE adds.
var schemaObjects = sync.OnceValues(func() (map[object]bool, error) {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return nil, err
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	if _, err := db.Exec(strings.Join((&sqlite{}).migrations(), ";")); err != nil {
		return nil, err
	}
	list, err := objectsOf(context.Background(), db)
	if err != nil {
		return nil, err
	}
	known := map[object]bool{
		{"table", "sqlite_stat1", "CREATE TABLE sqlite_stat1(tbl,idx,stat)"}:                true,
		{"table", "sqlite_stat4", "CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)"}: true,
	}
	for _, o := range list {
		known[o], known[o.plain()] = true, true
	}
	return known, nil
})

// objectsOf lists the schema of a database. Reading it runs nothing of what it
// holds.
func objectsOf(ctx context.Context, d reader) ([]object, error) {
	return all(ctx, d, "read the schema", func(row scanner) (o object, err error) {
		err = row.Scan(&o.kind, &o.name, &o.sql)
		return o, err
	}, `SELECT type, name, coalesce(sql, '') FROM sqlite_schema`)
}

// knowsSchema refuses a database with objects that are not in the schema. What is
// missing is left to the check.
func knowsSchema(ctx context.Context, d database) error {
	known, err := schemaObjects()
	if err != nil {
		return err
	}
	list, err := objectsOf(ctx, d)
	if err != nil {
		return err
	}
	for _, o := range list {
		if !known[o] && !known[o.plain()] {
			return fmt.Errorf("%w: the %s %q; restore the archive from a copy of your own, or, if you have added it yourself, remove it with sqlite3", ErrSchema, o.kind, o.name)
		}
	}
	return nil
}

// blank matches what SQL ignores, and as its alternatives what must be kept as it
// is: texts and quoted names.
var blank = regexp.MustCompile("(?s)'[^']*'|\"[^\"]*\"|`[^`]*`|\\[[^\\]]*\\]|(?:[ \\t\\n\\f\\r]|--[^\\n]*|/\\*.*?(?:\\*/|$))+")

// plain returns an object without its comments and line breaks, which SQLite
// keeps: a program with other comments makes the same schema.
func (o object) plain() object {
	o.sql = blank.ReplaceAllStringFunc(o.sql, func(match string) string {
		if strings.ContainsRune("'\"`[", rune(match[0])) {
			return match
		}
		return " "
	})
	return o
}

// inspect looks at the file: whether it is well-formed, every index agrees with
// its table, every reference leads somewhere, and the schema is ours.
func (s *sqlite) inspect(ctx context.Context, c *check) ([]Flaw, error) {
	flaws, err := s.integrity(ctx, c)
	if err != nil {
		return nil, err
	}
	strays, err := all(ctx, c.read, "read references", column[string], `SELECT DISTINCT "table" FROM pragma_foreign_key_check`)
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
	verdicts, err := all(ctx, db, "check the file", column[string], `PRAGMA integrity_check(20)`)
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
		if o == o.plain() && !strings.HasPrefix(o.name, "sqlite_") {
			expected = append(expected, o.kind+" "+o.name+"\n"+o.sql)
		}
	}
	for _, o := range list {
		actual = append(actual, o.kind+" "+o.name+"\n"+o.plain().sql)
	}
	slices.Sort(expected)
	return otherSchema(expected, actual), nil
}

// otherSchema returns a flaw for each expected object that is missing or different.
// An object is its name, a line break and its definition.
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
