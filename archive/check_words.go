package archive

import (
	"context"
	"database/sql"
	"strings"
)

// listed goes through the table search of a PostgreSQL database beside the
// records.
type listed struct {
	rows  *sql.Rows
	wrong bool
}

func (p *postgres) texts(ctx context.Context, a *Archive) (texts, error) {
	rows, err := a.read.QueryContext(ctx, `SELECT rowid, words::text FROM search ORDER BY rowid`)
	if err != nil {
		return nil, err
	}
	return &listed{rows: rows}, nil
}

// add compares a record's words with the next ones of the table. Both are in the
// order of their bytes.
func (l *listed) add(_ context.Context, words []any) error {
	if l.wrong = l.wrong || !l.rows.Next(); l.wrong {
		return nil
	}
	var row int64
	var held sql.RawBytes
	if err := l.rows.Scan(&row, &held); err != nil {
		return err
	}
	l.wrong = row != words[0].(int64) || string(held) != strings.TrimSpace(words[1].(string))
	return nil
}

func (l *listed) compare(context.Context) (string, error) {
	if l.wrong || l.rows.Next() {
		return "the full-text index is not what the texts of the records give", nil
	}
	return "", l.rows.Err()
}

func (l *listed) remove() { l.rows.Close() }
