package database

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"net"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/lib/pq"
)

// postgres is the engine of an archive in a schema of a PostgreSQL database:
// the first one of the connection's search_path that exists.
type postgres struct {
	schema *Schema
	config pq.Config
	public string // its address without secrets
	folder string // of the pictures
}

// mediaParameter of the address names the folder of the pictures.
const mediaParameter = "media"

// defaultMedia is the folder of pictures of the default archive file.
var defaultMedia = filepath.Join(".ayna", "media")

func isPostgres(archive string) bool {
	return strings.HasPrefix(archive, "postgres://") || strings.HasPrefix(archive, "postgresql://")
}

// newPostgres parses the address of a database. Its errors contain no part of the
// address that may be secret.
func newPostgres(address string, schema *Schema) (*postgres, error) {
	u, err := url.Parse(address)
	if err != nil { // err may quote the password
		return nil, errors.New("the address of the PostgreSQL database cannot be read; write it as postgres://user@host/database, and special characters of a password as %2F")
	}
	p := &postgres{schema: schema, public: public(u), folder: defaultMedia}
	query := u.Query()
	if query.Has(mediaParameter) {
		p.folder = filepath.FromSlash(query.Get(mediaParameter))
		query.Del(mediaParameter)
		u.RawQuery = query.Encode()
	}
	if p.config, err = pq.NewConfig(u.String()); err != nil {
		return nil, fmt.Errorf("the address %s, or an environment variable such as PGHOST, has parameters that cannot be read", p.public)
	}
	if !query.Has("sslmode") && p.config.SSLMode == pq.SSLModeRequire {
		p.config.SSLMode = pq.SSLModePrefer // as psql does; a server on the same machine has no certificate
	}
	return p, nil
}

// public returns an address without its secrets.
func public(u *url.URL) string {
	shown := url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}
	if name := u.User.Username(); name != "" {
		shown.User = url.User(name)
	}
	return shown.String()
}

func (p *postgres) location() (name, media string) { return p.public, p.folder }

// writer takes an advisory lock on the connection that writes. The lock ends with
// the connection, after which nothing can be written.
func (p *postgres) writer(ctx context.Context) (*sql.DB, *sql.Conn, error) {
	config := p.config.Clone()
	// The server notices within two minutes that a writer's machine is gone.
	for name, value := range map[string]string{"tcp_keepalives_idle": "60", "tcp_keepalives_interval": "15", "tcp_keepalives_count": "4"} {
		if _, set := config.Runtime[name]; !set {
			config.Runtime[name] = value
		}
	}
	db, err := connections(config)
	if err != nil {
		return nil, nil, err
	}
	c, err := db.Conn(ctx)
	if err != nil {
		return db, nil, err
	}
	var schema, encoding string
	err = c.QueryRowContext(ctx, `SELECT coalesce(current_schema(), ''), current_setting('server_encoding')`).Scan(&schema, &encoding)
	switch {
	case err != nil:
		return db, c, err
	case schema == "":
		return db, c, errors.New("the database has no schema of that search_path; make it with CREATE SCHEMA")
	case encoding != "UTF8":
		return db, c, fmt.Errorf("the database's encoding is %s; make one with ENCODING 'UTF8'", encoding)
	}
	// A process that has just ended may hold the lock for another moment.
	_, err = c.ExecContext(ctx, fmt.Sprintf(`SET lock_timeout = '2s';
		SELECT pg_advisory_lock(%d, current_schema()::regnamespace::oid::int);
		RESET lock_timeout`, applicationID))
	const notAvailable = "55P03"
	if pq.As(err, notAvailable) != nil {
		err = ErrLocked
	}
	return db, c, err
}

// connections returns a pool; it connects when a connection is needed.
func connections(config pq.Config) (*sql.DB, error) {
	connector, err := pq.NewConnectorConfig(config)
	if err != nil {
		return nil, err
	}
	return sql.OpenDB(pinging{connector}), nil
}

// checkpoint does nothing: the server does it.
func (p *postgres) checkpoint(context.Context, *sql.Conn) error { return nil }

// release does nothing: the lock ends with the connection.
func (p *postgres) release() error { return nil }

func (p *postgres) readers(_ context.Context, readOnly bool) (*sql.DB, error) {
	config := p.config.Clone()
	config.Runtime["default_transaction_read_only"] = "on"
	db, err := connections(config)
	if err != nil {
		return nil, err
	}
	db.SetMaxIdleConns(heldReaders)
	if readOnly {
		db.SetMaxOpenConns(heldReaders)
	}
	return db, nil
}

func (p *postgres) version(ctx context.Context, d database) (version int, err error) {
	var marked, occupied bool
	err = d.QueryRowContext(ctx, `SELECT to_regclass(quote_ident(current_schema()) || '.ayna') IS NOT NULL, EXISTS (
		SELECT 1 FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'f')
		AND NOT EXISTS (SELECT 1 FROM pg_depend WHERE objid = pg_class.oid AND deptype = 'e'))`).Scan(&marked, &occupied)
	switch {
	case err != nil:
		return 0, err
	case !marked && occupied:
		return 0, fmt.Errorf("%w: the schema holds other tables; give the archive one of its own by search_path", ErrForeign)
	case !marked:
		return 0, nil
	}
	err = d.QueryRowContext(ctx, `SELECT version FROM ayna`).Scan(&version)
	if err == nil && version < 1 {
		err = fmt.Errorf("%w: its schema version is %d", ErrForeign, version)
	}
	return version, err
}

func (p *postgres) migration(version int) string {
	return fmt.Sprintf("%s; UPDATE ayna SET version = %d", p.schema.migration(p.schema.postgres, version), version)
}

// transaction counts the change. That fails if a statement of the transaction failed;
// COMMIT alone would then roll back without an error.
func (p *postgres) transaction() (begin, commit string) {
	return "BEGIN", "UPDATE ayna SET changes = changes + 1; COMMIT"
}

// changes uses any connection: a pinned one would not be replaced after a cancelled
// request.
func (p *postgres) changes(ctx context.Context, readers *sql.DB) (n int64, err error) {
	err = readers.QueryRowContext(ctx, "SELECT changes FROM ayna").Scan(&n)
	return n, err
}

func (p *postgres) outdated() bool { return false }

// scrub rewrites all tables. The server's write-ahead log and backups keep what they
// hold.
func (p *postgres) scrub(ctx context.Context, writer *sql.Conn) error {
	_, err := writer.ExecContext(ctx, `VACUUM FULL record, body, raw, revision, former_url, image, media, download, hit, hit_json, original, comment, search, directory`)
	return err
}

// classifyPostgres knows the codes of "PostgreSQL Error Codes", appendix A of its
// manual.
func classifyPostgres(err error) error {
	if e := pq.As(err); e != nil {
		switch e.Code {
		case "42P01", "42703", "XX001", "XX002": // no such table or column; data or index corrupted
			return ErrDamaged
		case "53100", "58030", "25006", "42501": // disk full, input or output error, read only, no permission
			return ErrFull
		case "28000", "28P01", "3D000": // no such user, wrong password, no such database
			return ErrRefused
		case "57P01", "57P02", "57P03", "53300": // shut down, crashed, starting up, too many connections
			return ErrDown
		}
		return nil
	}
	if e := (*net.OpError)(nil); errors.As(err, &e) {
		return ErrDown
	}
	for _, lost := range []error{driver.ErrBadConn, sql.ErrConnDone} { // no connection to a file is
		if errors.Is(err, lost) {
			return ErrDown
		}
	}
	return nil
}

// inspect does nothing: pages, indexes and references are left to the server.
func (p *postgres) inspect(context.Context) (damage []string, index bool, err error) {
	return nil, false, nil
}
