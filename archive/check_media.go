package archive

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"ayna/archive/database"
	"ayna/attachment"
)

// mediaFile is the file of a picture, as the table media describes it.
type mediaFile struct {
	name         string
	least, most  int64 // bytes, of all addresses that have it
	sizes, types int   // different ones
}

// pictures checks that the files of pictures have the digests in their names.
func (c *check) pictures(ctx context.Context) error {
	dir := c.Pictures.Dir()
	if dir == "" {
		return nil
	}
	files := database.Each(ctx, c.read, "read pictures", func(row database.Row) (*mediaFile, error) {
		s := new(mediaFile)
		return s, row.Scan(&s.name, &s.least, &s.most, &s.sizes, &s.types)
	}, `SELECT name, min(bytes), max(bytes), count(DISTINCT width * 100000 + height), count(DISTINCT type)
		FROM media WHERE name <> '' GROUP BY name ORDER BY name`)
	return examine(ctx, c, files, func(*mediaFile) int { return 0 }, func(s *mediaFile) []Flaw {
		what := s.damage(dir)
		if what == "" {
			return nil
		}
		return []Flaw{{
			What: fmt.Sprintf("%s %s: %s; it is fetched again by the next run", sortOf(s.name), s.name, what),
			mend: func(tx *Tx) error { return c.Pictures.refetch(tx, s.name) },
		}}
	}, func(int) {})
}

// sortOf names a file of the folder of pictures.
func sortOf(name string) string {
	if _, ok := attachment.Of(name); ok {
		return "attachment"
	}
	return "picture"
}

// damage describes what is wrong with the file of a picture, "" if nothing is.
func (s *mediaFile) damage(dir string) string {
	if s.least != s.most || s.sizes > 1 || s.types > 1 {
		return "the rows of the table media contradict each other"
	}
	name := filepath.Join(dir, s.name)
	switch info, err := os.Lstat(name); {
	case errors.Is(err, fs.ErrNotExist):
		return "the file is missing"
	case err != nil:
		return err.Error()
	case !info.Mode().IsRegular(): // reading a pipe would not end
		return "it is no regular file"
	}
	f, err := os.Open(name)
	if err != nil {
		return err.Error()
	}
	defer f.Close()
	h := sha256.New()
	n, err := io.Copy(h, f)
	stem, _, _ := strings.Cut(s.name, ".")
	switch {
	case err != nil:
		return err.Error()
	case hex.EncodeToString(h.Sum(nil)[:16]) != stem:
		return "its bytes do not have the digest in its name"
	case n != s.least:
		return "its size is not that of the table media"
	}
	return ""
}

// refetch removes a picture's files and marks it to be fetched again.
func (p Pictures) refetch(t *Tx, name string) error {
	own, _, _ := strings.Cut(name, ".")
	files, err := p.files(func(stem string) bool { return stem == own })
	if err == nil {
		err = removeAll(files)
	}
	if err != nil {
		return err
	}
	if err := t.exec(`UPDATE download SET etag = '', modified = '', received = 0, due = 0, tries = 0 WHERE url IN (SELECT url FROM media WHERE name = $1)`, name); err != nil {
		return err
	}
	return t.exec(`UPDATE media SET name = '', fetched = 0, problem = 'damaged' WHERE name = $1`, name)
}
