package database

import (
	"context"
	"database/sql"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// objectsAt returns the objects of a version of the schema, as they are and as
// [plain] returns them, and those that SQLite's ANALYZE adds. An object is its kind and
// name, a line break and its SQL.
func (s *Schema) objectsAt(version int) (map[string]bool, error) {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return nil, err
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	if _, err := db.Exec(strings.Join(append([]string{s.sqlite.first}, s.sqlite.steps[:version-s.first]...), ";")); err != nil {
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
func objectsOf(ctx context.Context, d Reader) ([]string, error) {
	return All(ctx, d, "read the schema", Column[string], `SELECT type || ' ' || name || char(10) || coalesce(sql, '') FROM sqlite_schema`)
}

// checkSchema returns [ErrForeign] for a database with objects that its version of the
// schema does not have: a foreign trigger or view would run during a build.
func (s *sqlite) checkSchema(ctx context.Context, d database, version int) error {
	objects := s.schema.objects
	if version != s.schema.Latest() {
		objects = func() (map[string]bool, error) { return s.schema.objectsAt(version) }
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
			return fmt.Errorf("%w: it holds something else beside its tables: the %s %q; restore the archive from a copy of your own, or, if you have added it yourself, remove it with sqlite3", ErrForeign, kind, name)
		}
	}
	return nil
}

// blank matches white space and comments, with a comma or parenthesis after them, and
// first texts and quoted names, in which neither must be replaced.
var blank = regexp.MustCompile("(?s)'[^']*'|\"[^\"]*\"|`[^`]*`|\\[[^\\]]*\\]|(?:[ \\t\\n\\f\\r]|--[^\\n]*|/\\*.*?(?:\\*/|$))+[,)]?")

// plain returns an object without the comments and line breaks of its SQL. SQLite
// keeps them, and a program with other comments, or one that added a column later, makes
// the same schema.
func plain(object string) string {
	name, sql, _ := strings.Cut(object, "\n")
	return name + "\n" + blank.ReplaceAllStringFunc(sql, func(match string) string {
		if strings.ContainsRune("'\"`[", rune(match[0])) {
			return match
		}
		if end := match[len(match)-1:]; end == "," || end == ")" {
			return end
		}
		return " "
	})
}

// inspect has SQLite check the file, its indexes and the references between its tables.
// It uses a new connection: one that has used the full-text index reports later writes
// of others as damage.
func (s *sqlite) inspect(ctx context.Context) (damage []string, index bool, err error) {
	db, err := sql.Open("sqlite", s.address("ro"))
	if err != nil {
		return nil, false, err
	}
	defer db.Close()
	verdicts, err := All(ctx, db, "check the file", Column[string], `SELECT integrity_check FROM pragma_integrity_check WHERE integrity_check <> 'ok' LIMIT 20`)
	if err == nil && len(verdicts) == 0 {
		verdicts, err = All(ctx, db, "check the file", Column[string], `SELECT DISTINCT 'the table ' || "table" || ' has rows of a record that is not there' FROM pragma_foreign_key_check`)
	}
	if err != nil {
		return nil, false, err
	}
	ofIndex := func(verdict string) bool {
		return strings.HasPrefix(verdict, "fts5: ") || strings.Contains(verdict, "FTS5 table main.search")
	}
	rest := slices.DeleteFunc(slices.Clone(verdicts), ofIndex)
	return rest, len(verdicts) > 0 && len(rest) == 0, nil
}
