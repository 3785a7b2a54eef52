package archive

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

// guarded are the tables of what nothing else vouches for, with a text of all
// that a row holds. Its digest is a second copy, which the server keeps.
var guarded = []struct{ table, text string }{
	{"revision", `"row"::text || chr(31) || part || chr(31) || seen::text || chr(31) || md5(json)`},
	{"directory", `space || chr(31) || name || chr(31) || dir`},
	{"published_list", `dir || chr(31) || title || chr(31) || pages::text || chr(31) || volumes`},
	{"forgotten", `kind || chr(31) || id || chr(31) || url`},
	{"hit", `query || chr(31) || id`},
	{"media", `url || chr(31) || name || chr(31) || type || chr(31) || width::text || chr(31) || height::text || chr(31) || bytes::text`},
}

// postgresGuards makes the second copies where they are missing.
func postgresGuards() string {
	var b strings.Builder
	for _, g := range guarded {
		fmt.Fprintf(&b, "ALTER TABLE %s ADD COLUMN IF NOT EXISTS guard text COLLATE \"C\" GENERATED ALWAYS AS (md5(%s)) STORED;\n", g.table, g.text)
	}
	return b.String()
}

// inspect looks whether every second copy is one, every reference leads
// somewhere, the schema is ours, and, where the extension amcheck may be used,
// whether the indexes agree with their tables. The rest is the server's: pages
// that are damaged on its disk it finds itself, if it keeps checksums.
func (p *postgres) inspect(ctx context.Context, c *check) ([]Flaw, error) {
	flaws, err := p.schema(ctx, c)
	if err != nil || len(flaws) > 0 {
		return flaws, err
	}
	for _, look := range []func(context.Context, *check) ([]Flaw, error){p.secondCopies, p.strays, p.indexes} {
		more, err := look(ctx, c)
		if err != nil {
			return nil, err
		}
		flaws = append(flaws, more...)
	}
	return flaws, nil
}

func (p *postgres) secondCopies(ctx context.Context, c *check) ([]Flaw, error) {
	tables, err := p.withGuard(ctx, c)
	if err != nil {
		return nil, err
	}
	var flaws []Flaw
	for _, g := range guarded {
		if !tables[g.table] { // and the archive cannot be written to
			continue
		}
		var n int
		if err := c.read.QueryRowContext(ctx, fmt.Sprintf(`SELECT count(*) FROM %s WHERE guard <> md5(%s)`, g.table, g.text)).Scan(&n); err != nil {
			return nil, err
		}
		if n > 0 {
			flaws = append(flaws, Flaw{What: fmt.Sprintf("the database: %d rows of the table %s are not what was written; restore the archive from a copy", n, g.table)})
		}
	}
	return flaws, nil
}

// withGuard returns the tables that have second copies, and makes those that
// are missing. Only then: it waits until nobody reads.
func (p *postgres) withGuard(ctx context.Context, c *check) (map[string]bool, error) {
	has := make(map[string]bool)
	for range 2 {
		list, err := listOf(ctx, c.read, `SELECT relname FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
			WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' AND attname = 'guard'`)
		if err != nil {
			return nil, err
		}
		for _, table := range list {
			has[table] = true
		}
		if len(list) == len(guarded) || !c.Writable() {
			break
		}
		if err := c.alone(ctx, postgresGuards()); err != nil {
			return nil, err
		}
	}
	return has, nil
}

// alone runs statements of the writer that are not kept.
func (a *Archive) alone(ctx context.Context, statements string) error {
	a.turn.Lock()
	defer a.turn.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	_, err := a.writer.ExecContext(context.WithoutCancel(ctx), statements)
	return err
}

func (p *postgres) strays(ctx context.Context, c *check) ([]Flaw, error) {
	var flaws []Flaw
	for _, table := range []string{"light", "teaser", "body", "raw", "revision", "image", "doubt"} {
		var is bool
		err := c.read.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM `+table+` LEFT JOIN record USING (row) WHERE record.row IS NULL)`).Scan(&is)
		if err != nil {
			return nil, err
		}
		if is {
			flaws = append(flaws, strayRows(table))
		}
	}
	return flaws, nil
}

// postgresObjects lists what the current schema holds, as [otherSchema] takes
// it, but for the second copies.
const postgresObjects = `
	WITH class AS (SELECT * FROM pg_class WHERE relnamespace = current_schema()::regnamespace),
	object (name, what) AS (
		SELECT 'column ' || relname || '.' || attname, concat_ws(' ', format_type(atttypid, atttypmod), attnotnull, attidentity, attcollation, pg_get_expr(adbin, adrelid))
		FROM class JOIN pg_attribute ON attrelid = class.oid LEFT JOIN pg_attrdef ON adrelid = class.oid AND adnum = attnum
		WHERE relkind = 'r' AND attnum > 0 AND NOT attisdropped AND attname <> 'guard'
		UNION ALL SELECT 'index ' || relname, pg_get_indexdef(oid) FROM class WHERE relkind = 'i'
		UNION ALL SELECT 'view ' || relname, pg_get_viewdef(oid) FROM class WHERE relkind = 'v'
		UNION ALL SELECT 'constraint ' || relname || '.' || conname, pg_get_constraintdef(pg_constraint.oid) FROM pg_constraint JOIN class ON conrelid = class.oid
		UNION ALL SELECT 'trigger ' || tgname, pg_get_triggerdef(pg_trigger.oid) || tgenabled::text FROM pg_trigger JOIN class ON tgrelid = class.oid WHERE NOT tgisinternal
		UNION ALL SELECT 'function ' || proname, concat_ws(' ', pg_get_function_arguments(oid), prosrc, pg_get_function_sqlbody(oid))
		FROM pg_proc WHERE pronamespace = current_schema()::regnamespace)
	SELECT name || chr(10) || replace(what, quote_ident(current_schema()) || '.', '') FROM object ORDER BY name`

// schema compares the schema with the one that a new archive gets, which is made
// for that and taken back. Who may not make schemas has it left out.
func (p *postgres) schema(ctx context.Context, c *check) ([]Flaw, error) {
	if !c.Writable() {
		return nil, nil
	}
	actual, err := listOf(ctx, c.read, postgresObjects)
	if err != nil {
		return nil, err
	}
	c.turn.Lock()
	defer c.turn.Unlock()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	ctx = context.WithoutCancel(ctx)
	tx, err := c.writer.BeginTx(ctx, nil)
	if err != nil {
		return nil, err
	}
	defer tx.Rollback()
	_, err = tx.ExecContext(ctx, `CREATE SCHEMA ayna_as_it_should_be; SET LOCAL search_path = ayna_as_it_should_be;`+postgresSchema)
	const insufficientPrivilege = "42501"
	if e := (*pgconn.PgError)(nil); errors.As(err, &e) && e.Code == insufficientPrivilege {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("make a schema to compare with: %w", err)
	}
	expected, err := listOf(ctx, unkept{tx, p}, postgresObjects)
	return otherSchema(expected, actual), err
}

// indexes has the extension amcheck compare the indexes that are B-trees with
// their tables, if it is there.
func (p *postgres) indexes(ctx context.Context, c *check) ([]Flaw, error) {
	var function string
	err := c.read.QueryRowContext(ctx, `SELECT pg_proc.oid::regproc::text FROM pg_extension JOIN pg_proc ON pronamespace = extnamespace
		WHERE extname = 'amcheck' AND proname = 'bt_index_check' AND pronargs = 2 AND has_function_privilege(pg_proc.oid, 'EXECUTE')`).Scan(&function)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	names, err := listOf(ctx, c.read, `SELECT pg_class.oid::regclass::text FROM pg_class JOIN pg_am ON pg_am.oid = relam
		WHERE relnamespace = current_schema()::regnamespace AND relkind = 'i' AND amname = 'btree' ORDER BY relname`)
	if err != nil {
		return nil, err
	}
	var flaws []Flaw
	for _, name := range names {
		var nothing sql.NullString
		err := c.read.QueryRowContext(ctx, `SELECT `+function+`(CAST(? AS text)::regclass, true)::text`, name).Scan(&nothing)
		if e := (*pgconn.PgError)(nil); errors.As(err, &e) && errors.Is(explainPostgres(err), ErrDamaged) {
			flaws = append(flaws, Flaw{What: fmt.Sprintf("the database: %s; run REINDEX INDEX %s", e.Message, name)})
		} else if err != nil {
			return nil, err
		}
	}
	return flaws, nil
}
