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

// ErrSchema marks a file with objects that are not in this program's schema: a
// foreign trigger or view would run during a build.
var ErrSchema = fmt.Errorf("%w: it holds something else beside its tables", ErrForeign)

// schemaObjects are the objects of a new archive.
var schemaObjects = sync.OnceValues(func() (map[string]bool, error) { return objectsOfVersion(Version) })

// objectsOfVersion returns the objects of a version of the schema, as they are and as
// [plain] returns them, and those that SQLite's ANALYZE adds. An object is its kind and
// name, a line break and its SQL.
func objectsOfVersion(version int) (map[string]bool, error) {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return nil, err
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	if _, err := db.Exec(strings.Join((&sqlite{}).migrations()[:version], ";")); err != nil {
		return nil, err
	}
	list, err := objectsOf(context.Background(), db)
	known := map[string]bool{
		"table sqlite_stat1\nCREATE TABLE sqlite_stat1(tbl,idx,stat)":                true,
		"table sqlite_stat4\nCREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)": true,
	}
	for _, o := range list {
		known[o], known[plain(o)] = true, true
	}
	return known, err
}

// objectsOf lists the schema of a database. Reading it executes none of it.
func objectsOf(ctx context.Context, d reader) ([]string, error) {
	return all(ctx, d, "read the schema", column[string], `SELECT type || ' ' || name || char(10) || coalesce(sql, '') FROM sqlite_schema`)
}

// checkSchema returns [ErrSchema] for a database with objects that its version of the
// schema does not have. The check finds those that are missing.
func checkSchema(ctx context.Context, d database, version int) error {
	objects := schemaObjects
	if version != Version {
		objects = func() (map[string]bool, error) { return objectsOfVersion(version) }
	}
	known, err := objects()
	if err != nil {
		return err
	}
	list, err := objectsOf(ctx, d)
	if err != nil {
		return err
	}
	for _, o := range list {
		if !known[o] && !known[plain(o)] {
			name, _, _ := strings.Cut(o, "\n")
			kind, name, _ := strings.Cut(name, " ")
			return fmt.Errorf("%w: the %s %q; restore the archive from a copy of your own, or, if you have added it yourself, remove it with sqlite3", ErrSchema, kind, name)
		}
	}
	return nil
}

// blank matches white space and comments, and first texts and quoted names, in
// which neither must be replaced.
var blank = regexp.MustCompile("(?s)'[^']*'|\"[^\"]*\"|`[^`]*`|\\[[^\\]]*\\]|(?:[ \\t\\n\\f\\r]|--[^\\n]*|/\\*.*?(?:\\*/|$))+")

// plain returns an object without the comments and line breaks of its SQL. SQLite
// keeps them, and a program with other comments makes the same schema.
func plain(object string) string {
	name, sql, _ := strings.Cut(object, "\n")
	return name + "\n" + blank.ReplaceAllStringFunc(sql, func(match string) string {
		if strings.ContainsRune("'\"`[", rune(match[0])) {
			return match
		}
		return " "
	})
}

// inspect looks at the file: whether it is well-formed, every index agrees with
// its table, and the schema is ours.
func (s *sqlite) inspect(ctx context.Context, c *check) ([]Flaw, error) {
	flaws, err := s.integrity(ctx, c)
	if err != nil {
		return nil, err
	}
	missing, err := s.schema(ctx, c)
	return append(flaws, missing...), err
}

// integrity runs SQLite's integrity check on a new connection: one that has used
// the full-text index reports later writes of others as damage.
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
	if index && len(flaws) == 0 { // nothing is written to a file with other damage
		flaws = append(flaws, c.wrongIndex("the full-text index is damaged"))
	}
	return flaws, nil
}

// schema finds objects of a new archive that are missing here. Additional ones are
// refused when the archive is opened.
func (s *sqlite) schema(ctx context.Context, c *check) ([]Flaw, error) {
	known, err := schemaObjects()
	if err != nil {
		return nil, err
	}
	list, err := objectsOf(ctx, c.read)
	if err != nil {
		return nil, err
	}
	var expected []string
	for o := range known {
		if o == plain(o) && !strings.HasPrefix(o, "table sqlite_") {
			expected = append(expected, o)
		}
	}
	for i := range list {
		list[i] = plain(list[i])
	}
	slices.Sort(expected)
	return otherSchema(expected, list), nil
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
