package archive

import (
	"context"
	"hash/maphash"
	"strconv"
	"strings"
)

// statement numbers the parameters: ? and ?1 are $1.
func (p *postgres) statement(query string) string {
	var b strings.Builder
	n := 0
	for i, part := range strings.Split(query, "?") {
		if i > 0 {
			b.WriteByte('$')
			if part == "" || part[0] < '0' || part[0] > '9' {
				n++
				b.WriteString(strconv.Itoa(n))
			}
		}
		b.WriteString(part)
	}
	return b.String()
}

// values converts parameters for PostgreSQL. JSON is stored as bytes, since a text
// must be UTF-8 and hold no zero byte.
func (p *postgres) values(args []any) []any {
	for i, arg := range args {
		switch arg := arg.(type) {
		case string:
			args[i] = storable(arg)
		case Kind:
			args[i] = string(arg)
		case rawJSON:
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

// equals compares digests first: the index is on those.
func (p *postgres) equals(column, text string) (string, []any) {
	return "(md5(" + column + ") = md5(CAST(? AS text)) AND " + column + " = ?)", []any{text, text}
}

func (p *postgres) receivedTitle() string {
	return `(coalesce((SELECT readable(list) ->> 'Title' FROM raw WHERE raw.row = record.row), title) COLLATE "C")`
}

func (p *postgres) matching(ctx context.Context, q reader, words []string, beginning bool, last int64) (bitmap, error) {
	query := "'" + strings.Join(words, "' & '") + "'" // letters and digits close no quotes
	if beginning {
		query += ":*"
	}
	set, err := newBitmap(last)
	if err != nil {
		return nil, err
	}
	rows, err := all(ctx, q, "read the full-text index", column[int64], `SELECT rowid FROM search WHERE words @@ CAST(? AS tsquery)`, query)
	for _, row := range rows {
		set.add(row)
	}
	return set, err
}

// index enters words that are divided already: PostgreSQL would take addresses
// and numbers apart in another way.
func (p *postgres) index(row int64, words []string) (string, []any) {
	return `INSERT INTO search (rowid, words) VALUES (?, CAST(? AS tsvector))`, []any{row, vector(words)}
}

// vector returns words in PostgreSQL's notation of a tsvector, as many as fit.
func vector(words []string) string {
	const most = 1 << 20 // bytes
	var list strings.Builder
	for _, word := range words {
		if list.Len()+len(word) < most {
			list.WriteString("'" + word + "' ")
		}
	}
	return strings.TrimSpace(list.String())
}

func (p *postgres) clearIndexSQL() string { return `TRUNCATE search` }

func (p *postgres) expectedDigest(row int64, words []string) uint64 {
	return maphash.Comparable(indexSeed, posting{vector(words), row})
}

func (p *postgres) storedDigest(ctx context.Context, q reader) (sum uint64, err error) {
	for p, err := range each(ctx, q, "read the full-text index", func(row scanner) (p posting, err error) {
		err = row.Scan(&p.row, &p.term)
		return p, err
	}, `SELECT rowid, words::text FROM search`) {
		if err != nil {
			return 0, err
		}
		sum += maphash.Comparable(indexSeed, p)
	}
	return sum, nil
}
