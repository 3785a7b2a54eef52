package archive

import (
	"context"
	"database/sql"
	_ "embed"
	"strings"
)

//go:embed guard.sql
var guards string

// database looks at the file as such: whether it is well-formed, every index
// agrees with its table, every reference leads somewhere, and the schema is ours.
func (c *check) database(ctx context.Context) error {
	if c.Writable() {
		c.turn.Lock()
		_, err := c.write.ExecContext(ctx, guards)
		c.turn.Unlock()
		if err != nil {
			return err
		}
	}
	verdicts, err := listOf(ctx, c.read, `PRAGMA integrity_check(20)`)
	if err != nil {
		return err
	}
	for _, verdict := range verdicts {
		if verdict != "ok" && !c.flaw(Flaw{What: "the database: " + verdict}) {
			return nil
		}
	}
	strays, err := listOf(ctx, c.read, `SELECT DISTINCT "table" FROM pragma_foreign_key_check`)
	if err != nil {
		return err
	}
	for _, table := range strays {
		if !c.flaw(Flaw{What: "the database: the table " + table + " has rows of a record that is not there"}) {
			return nil
		}
	}
	return c.schema(ctx)
}

const schemaOf = `SELECT type || ' ' || name || char(10) || coalesce(sql, '') FROM sqlite_schema
	WHERE name NOT LIKE 'search\_%' ESCAPE '\' AND name NOT LIKE 'sqlite\_%' ESCAPE '\'`

// schema compares the schema with the one that a new archive gets. What others
// have added is their own.
func (c *check) schema(ctx context.Context) error {
	actual, err := listOf(ctx, c.read, schemaOf)
	if err != nil {
		return err
	}
	has := make(map[string]bool)
	for _, object := range actual {
		has[object] = true
	}
	fresh, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return err
	}
	defer fresh.Close()
	fresh.SetMaxOpenConns(1)
	if _, err := fresh.ExecContext(ctx, sqliteSchema+guards); err != nil {
		return err
	}
	expected := newStatements(fresh, c.engine)
	defer expected.close()
	objects, err := listOf(ctx, expected, schemaOf)
	if err != nil {
		return err
	}
	for _, object := range objects {
		name, _, _ := strings.Cut(object, "\n")
		if !has[object] && (c.Writable() || !strings.Contains(name, " guard_")) &&
			!c.flaw(Flaw{What: "the database: the " + name + " is not that of this version's schema"}) {
			return nil
		}
	}
	return nil
}
