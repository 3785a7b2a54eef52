package database

import (
	"context"
	"database/sql"
	"strings"

	"github.com/lib/pq"

	"ayna/record"
)

// Values converts parameters for PostgreSQL. JSON is stored as bytes, since a text
// must be UTF-8 and hold no zero byte.
func (p *postgres) Values(args []any) []any {
	for i, arg := range args {
		switch arg := arg.(type) {
		case string:
			args[i] = storable(arg)
		case record.Kind:
			args[i] = string(arg)
		case JSON:
			args[i] = []byte(arg)
		case bool:
			args[i] = 0
			if arg {
				args[i] = 1
			}
		}
	}
	return args
}

// storable replaces what PostgreSQL's texts cannot hold by U+FFFD.
func storable(text string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "\uFFFD")
}

// Equals compares digests first: the index is on those.
func (p *postgres) Equals(column, parameter string) string {
	return "(md5(" + column + ") = md5(CAST(" + parameter + " AS text)) AND " + column + " = " + parameter + ")"
}

func (p *postgres) Among(rows []int64, parameter string) (string, any) {
	return "row = ANY (" + parameter + ")", pq.Int64Array(rows)
}

func (p *postgres) ReceivedTitle() string {
	return `(coalesce((SELECT readable(list) ->> 'Title' FROM raw WHERE raw.row = record.row), title) COLLATE "C")`
}

func (p *postgres) SearchQuery(words []string, prefix bool) (string, any) {
	query := "'" + strings.Join(words, "' & '") + "'" // letters and digits close no quotes
	if prefix {
		query += ":*"
	}
	return `SELECT rowid FROM search WHERE words @@ CAST($1 AS tsquery)`, query
}

// IndexWords enters words that are divided already: PostgreSQL would take addresses
// and numbers apart in another way.
func (p *postgres) IndexWords(row int64, words []string) (string, []any) {
	vector := ""
	if len(words) > 0 {
		vector = "'" + strings.Join(words, "' '") + "'"
	}
	return `INSERT INTO search (rowid, words) VALUES ($1, CAST($2 AS tsvector))`, []any{row, vector}
}

func (p *postgres) ClearIndex() string { return `TRUNCATE search` }

func (p *postgres) prefixLengths() []int { return nil }

func (p *postgres) digest(ctx context.Context, readers *sql.DB) (uint64, error) {
	return sumOfTerms(ctx, readers, `SELECT lexeme, count(*), CAST(sum(rowid) AS bigint) FROM search, unnest(words) GROUP BY lexeme`)
}
