package pack

import (
	"archive/zip"
	"context"
	"fmt"
	"io"
	"path"
	"time"
)

// stored are the files that do not get smaller.
var stored = map[string]bool{".jpg": true, ".png": true, ".gif": true, ".webp": true}

// epoch is the time of every file of a pack: the first that the format knows.
// The same site gives the same bytes.
var epoch = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

// Zip writes a part of the site as a zip file. Unpacked it opens with its
// index.html.
func (s *Site) Zip(ctx context.Context, w io.Writer, part Part) error {
	entries, done, err := s.files(part)
	if err != nil {
		return err
	}
	defer done()
	z := zip.NewWriter(w)
	for i, e := range entries {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := zipFile(z, e); err != nil {
			return fmt.Errorf("pack %s: %w", e.name, err)
		}
		s.progress(i+1, len(entries))
	}
	if err := z.Close(); err != nil {
		return fmt.Errorf("write the zip file: %w", err)
	}
	return nil
}

func zipFile(z *zip.Writer, e entry) error {
	header := &zip.FileHeader{Name: e.name, Method: zip.Deflate, Modified: epoch}
	if stored[path.Ext(e.name)] {
		header.Method = zip.Store
	}
	header.SetMode(0o644)
	to, err := z.CreateHeader(header)
	if err != nil {
		return err
	}
	from, err := e.open()
	if err != nil {
		return err
	}
	defer from.Close()
	_, err = io.Copy(to, from)
	return err
}
