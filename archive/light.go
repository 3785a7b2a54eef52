package archive

import (
	"context"
	"fmt"
	"iter"
	"strconv"
	"strings"
)

// Light is what arranging a site needs of a record. Its texts are parts of one,
// which whoever keeps one of them for long does better to copy. Times are Unix
// milliseconds, 0 where unknown.
type Light struct {
	Row                            int64
	Kind                           Kind
	ID, Type, Path, URL            string
	Published, Modified            int64
	Seen, Changed, Fetched         int64
	Gone                           bool   // from the source
	Hash, Pictures                 string // in hexadecimal digits; the first twelve bytes of the hash
	Address                        string // of its page in the published site, empty if it has none yet
	Tags, Writers, Related, Linked string // JSON, as in the table record

	aside bool
}

// lightFields is the number of columns of the view "line" that are joined.
const lightFields = 18

// lightRow is a row of the table light, and lightRows how many are read ahead
// at once.
type lightRow struct {
	row  int64
	line string
}

const lightRows = 256

// Light yields what arranging needs of every record that is not kept aside, in the
// order of arrival.
// It is one scan of a narrow table, which goes on while what was read is used.
// What it yields is only good until the next one.
func (a *Archive) Light(ctx context.Context) iter.Seq2[*Light, error] {
	return func(yield func(*Light, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		chunks := make(chan []lightRow, 2)
		var failed error // good when chunks is closed
		go func() {
			defer close(chunks)
			failed = a.scanLight(ctx, chunks)
		}()
		defer func() {
			cancel()
			for range chunks {
			}
		}()
		var light Light
		for chunk := range chunks {
			for _, row := range chunk {
				err := light.split(row)
				if light.aside && err == nil {
					continue
				}
				if !yield(&light, err) || err != nil {
					return
				}
			}
		}
		if failed != nil {
			yield(nil, fmt.Errorf("read the archive: %w", failed))
		}
	}
}

// scanLight reads the table light, until the end of ctx at the latest.
func (a *Archive) scanLight(ctx context.Context, chunks chan<- []lightRow) error {
	rows, err := a.read.QueryContext(ctx, `SELECT row, line FROM light ORDER BY row`)
	if err != nil {
		return err
	}
	defer rows.Close()
	var chunk []lightRow
	for rows.Next() {
		if len(chunk) == lightRows {
			if err := sendLight(ctx, chunks, chunk); err != nil {
				return err
			}
			chunk = nil
		}
		if chunk == nil {
			chunk = make([]lightRow, 0, lightRows)
		}
		chunk = append(chunk, lightRow{})
		r := &chunk[len(chunk)-1]
		if err := rows.Scan(&r.row, &r.line); err != nil {
			return err
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	return sendLight(ctx, chunks, chunk)
}

func sendLight(ctx context.Context, chunks chan<- []lightRow, chunk []lightRow) error {
	select {
	case chunks <- chunk:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (l *Light) split(r lightRow) error {
	l.Row = r.row
	var fields [lightFields]string
	n := 0
	for field := range strings.SplitSeq(r.line, "\x1f") {
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
		if field := fields[5+i]; field != "" {
			var err error
			if *number, err = strconv.ParseInt(field, 10, 64); err != nil {
				return fmt.Errorf("read row %d of the table light: %w", l.Row, err)
			}
		}
	}
	l.Gone, l.aside = fields[10] != "", fields[10] == strconv.Itoa(asideMark)
	l.Hash, l.Pictures, l.Address = fields[11], fields[12], fields[13]
	l.Tags, l.Writers, l.Related, l.Linked = fields[14], fields[15], fields[16], fields[17]
	return nil
}

// kindOf keeps no line for the kind's sake.
func kindOf(name string) Kind {
	for _, kind := range [...]Kind{Article, Column, Gallery, Video, Page, Writer, Folder} {
		if name == string(kind) {
			return kind
		}
	}
	return Kind(strings.Clone(name))
}
