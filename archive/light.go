package archive

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"iter"
	"strconv"
)

// Light is what arranging a site needs of a record. Its slices are only good
// until the next one is read. Times are Unix milliseconds, 0 where unknown.
type Light struct {
	Row                            int64
	Kind                           Kind
	ID, Type, Path, URL            []byte
	Published, Modified            int64
	Seen, Changed, Fetched         int64
	Gone                           bool   // from the source
	Hash, Pictures                 []byte // in hexadecimal digits; the first twelve bytes of the hash
	Address                        []byte // of its page in the published site, empty if it has none yet
	Tags, Writers, Related, Linked []byte // JSON, as in the table record
}

// lightFields is the number of columns of the view "line" that are joined.
const lightFields = 18

// Light yields what arranging needs of every record, in the order of arrival.
// It is one scan of a narrow table.
func (a *Archive) Light(ctx context.Context) iter.Seq2[*Light, error] {
	return func(yield func(*Light, error) bool) {
		rows, err := a.read.QueryContext(ctx, `SELECT row, line FROM light ORDER BY row`)
		if err != nil {
			yield(nil, fmt.Errorf("read the archive: %w", err))
			return
		}
		defer rows.Close()
		var light Light
		var line sql.RawBytes
		for rows.Next() {
			if err = rows.Scan(&light.Row, &line); err == nil {
				err = light.split(line)
			}
			if !yield(&light, err) || err != nil {
				return
			}
		}
		if err := rows.Err(); err != nil {
			yield(nil, fmt.Errorf("read the archive: %w", err))
		}
	}
}

func (l *Light) split(line []byte) error {
	var fields [lightFields][]byte
	n := 0
	for field := range bytes.SplitSeq(line, []byte{31}) {
		if n < lightFields {
			fields[n] = field
		}
		n++
	}
	if n != lightFields {
		return fmt.Errorf("read row %d of the table light: %d fields, not %d", l.Row, n, lightFields)
	}
	l.Kind = kindOf(fields[0])
	l.ID, l.Type, l.Path, l.URL = fields[1], fields[2], fields[3], fields[4]
	for i, number := range []*int64{&l.Published, &l.Modified, &l.Seen, &l.Changed, &l.Fetched} {
		*number = 0
		if field := fields[5+i]; len(field) > 0 {
			var err error
			if *number, err = strconv.ParseInt(string(field), 10, 64); err != nil {
				return fmt.Errorf("read row %d of the table light: %w", l.Row, err)
			}
		}
	}
	l.Gone = len(fields[10]) > 0
	l.Hash, l.Pictures, l.Address = fields[11], fields[12], fields[13]
	l.Tags, l.Writers, l.Related, l.Linked = fields[14], fields[15], fields[16], fields[17]
	return nil
}

// kindOf spares a string for each row.
func kindOf(name []byte) Kind {
	for _, kind := range [...]Kind{Article, Column, Gallery, Video, Page, Writer, Folder} {
		if string(name) == string(kind) {
			return kind
		}
	}
	return Kind(name)
}
