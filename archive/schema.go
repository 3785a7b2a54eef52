package archive

import (
	"context"
	"database/sql"
	"fmt"
	"regexp"
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
	if _, err := db.Exec(sqliteSchema + guards); err != nil {
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
	rows, err := d.QueryContext(ctx, `SELECT type, name, coalesce(sql, '') FROM sqlite_schema`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []object
	for rows.Next() {
		var o object
		if err := rows.Scan(&o.kind, &o.name, &o.sql); err != nil {
			return nil, err
		}
		list = append(list, o)
	}
	return list, rows.Err()
}

// knowsSchema refuses a database with objects that are not in the schema. Those
// that are missing were added to the schema later: [renewal] makes them.
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
