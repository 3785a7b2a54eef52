package archive

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// digests compares the digest that each record has of its pictures with the
// pictures.
func (c *check) digests(ctx context.Context) error {
	rows, err := c.read.QueryContext(ctx, `SELECT row, kind, record.id, pictures,
		(SELECT string_agg(coalesce(media.name, ''), ' ' ORDER BY position) FROM image LEFT JOIN media USING (url) WHERE image.row = record.row)
		FROM record`)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var f Flaw
		var stored []byte
		var names sql.NullString
		if err := rows.Scan(&f.row, &f.Kind, &f.ID, &stored, &names); err != nil {
			return err
		}
		if string(stored) == string(digestOf(names.String)) {
			continue
		}
		row := f.row
		f.What = "its pictures are not those that it had; they are looked for again by the next run"
		f.mend = func(tx *Tx) error { return tx.digestPictures(row) }
		if !c.flaw(f) {
			return nil
		}
	}
	return rows.Err()
}

// digestOf sums up the names of a record's pictures; nil if none is there.
func digestOf(names string) []byte {
	if strings.TrimSpace(names) == "" {
		return nil
	}
	sum := sha256.Sum256([]byte(names))
	return sum[:8]
}

// pictures compares the files of pictures with their names, which are digests
// of their bytes.
func (c *check) pictures(ctx context.Context) error {
	dir := c.MediaDir()
	if dir == "" {
		return nil
	}
	rows, err := c.read.QueryContext(ctx, `SELECT name, min(bytes), max(bytes), count(DISTINCT width * 100000 + height), count(DISTINCT type)
		FROM media WHERE name <> '' GROUP BY name ORDER BY name`)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		var least, most int64
		var sizes, types int
		if err := rows.Scan(&name, &least, &most, &sizes, &types); err != nil {
			return err
		}
		what := damage(dir, name, least)
		if least != most || sizes > 1 || types > 1 {
			what = "the table media says different things of it"
		}
		if what == "" {
			continue
		}
		f := Flaw{What: fmt.Sprintf("picture %s: %s; it is fetched again by the next run", name, what)}
		f.mend = func(tx *Tx) error { return tx.loseMedia(dir, name) }
		if !c.flaw(f) {
			return nil
		}
	}
	return rows.Err()
}

// damage says what is wrong with the file of a picture, "" if nothing is.
func damage(dir, name string, size int64) string {
	f, err := os.Open(filepath.Join(dir, name))
	if errors.Is(err, fs.ErrNotExist) {
		return "the file is missing"
	}
	if err != nil {
		return err.Error()
	}
	defer f.Close()
	h := sha256.New()
	n, err := io.Copy(h, f)
	stem, _, _ := strings.Cut(name, ".")
	switch {
	case err != nil:
		return err.Error()
	case hex.EncodeToString(h.Sum(nil)[:16]) != stem:
		return "the file has other bytes than its name says"
	case n != size:
		return "the table media says another size"
	}
	return ""
}

// loseMedia removes a picture's files, and has it fetched again.
func (t *Tx) loseMedia(dir, name string) error {
	if err := removeMedia(dir, name); err != nil {
		return err
	}
	rows, err := t.column(`SELECT DISTINCT row FROM image JOIN media USING (url) WHERE name = ?`, name)
	if err != nil {
		return err
	}
	if err := t.exec(`UPDATE media SET name = '', fetched = 0, problem = 'damaged' WHERE name = ?`, name); err != nil {
		return err
	}
	for _, row := range rows {
		if err := t.digestPictures(row); err != nil {
			return err
		}
	}
	return nil
}
