package archive

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"ayna/archive/database"
	"ayna/record"
)

// unusedMedia returns the addresses of the tables media and download that no version of a record
// shows.
func unusedMedia(ctx context.Context, q *database.Statements, derive record.DeriveFunc) (map[string]bool, error) {
	unused := make(map[string]bool)
	for url, err := range database.Each(ctx, q, "look for unused pictures", database.Column[string], `SELECT url FROM media WHERE NOT EXISTS (SELECT 1 FROM image WHERE image.url = media.url)
		UNION SELECT url FROM download WHERE NOT EXISTS (SELECT 1 FROM image WHERE image.url = download.url)`) {
		if err != nil {
			return nil, err
		}
		unused[url] = true
	}
	if len(unused) == 0 {
		return nil, nil
	}
	// Each revision goes into List, even if it was a single record: derive finds its pictures
	// there.
	for earlier, err := range database.Each(ctx, q, "read pictures of earlier versions", func(row database.Row) (r Record, err error) {
		return r, row.Scan(&r.Kind, &r.ID, &r.List)
	}, `SELECT kind, id, json FROM revision JOIN record USING (row)`) {
		if err != nil {
			return nil, err
		}
		if derive(&earlier.Record) != nil {
			continue // it cannot be shown
		}
		for _, url := range earlier.Images {
			delete(unused, url)
		}
		for _, a := range earlier.Attachments {
			delete(unused, a.URL)
		}
	}
	return unused, nil
}

// removeUnused removes the pictures that no version of a record shows, and the other files
// that unusedFiles returns. The rows go last, so that an interrupted call can be repeated.
func (p Pictures) removeUnused(ctx context.Context, derive record.DeriveFunc) error {
	unused, err := unusedMedia(ctx, p.archive.read, derive)
	if err != nil {
		return err
	}
	files, err := p.unusedFiles(ctx, unused)
	if err != nil {
		return err
	}
	for url := range unused {
		if p.Dir() != "" {
			files = append(files, p.archive.Attachments.Partial(url))
		}
	}
	if err := removeAll(files); err != nil || len(unused) == 0 {
		return err
	}
	return p.archive.Update(ctx, func(tx *Tx) error {
		for url := range unused {
			err := tx.exec(`DELETE FROM media WHERE url = $1`, url)
			if err = errors.Join(err, tx.exec(`DELETE FROM download WHERE url = $1`, url)); err != nil {
				return err
			}
		}
		return nil
	})
}

// unusedFiles returns the files of pictures and smaller versions that only unused rows of
// the table media name, and those without a row if no other archive shares the folder.
func (p Pictures) unusedFiles(ctx context.Context, unused map[string]bool) ([]string, error) {
	used, named := make(map[string]bool), make(map[string]bool) // by stem
	for m, err := range database.Each(ctx, p.archive.read, "read names of pictures", func(row database.Row) (m Media, err error) {
		return m, row.Scan(&m.URL, &m.Name)
	}, `SELECT url, name FROM media WHERE name <> ''`) {
		if err != nil {
			return nil, err
		}
		stem, _, _ := strings.Cut(m.Name, ".")
		if unused[m.URL] {
			named[stem] = true
		} else {
			used[stem] = true
		}
	}
	shared := p.isShared()
	return p.files(func(stem string) bool { return !used[stem] && (named[stem] || !shared) })
}

// pictureFile matches the names of pictures, of attachments, of smaller versions, of the marks (.none) of
// versions that cannot be made, and of files that were not written to their end (.part). An
// early version left those as .tmp-N, which has no stem.
var pictureFile = regexp.MustCompile(`^(?:\.?([0-9a-f]{32})(?:-[0-9]+)?\.[a-z0-9]{2,5}(?:\.none)?(?:\.part)?|\.tmp-[0-9]+)$`)

// files returns the files of pictures and of smaller versions whose stem wants selects.
func (p Pictures) files(wants func(stem string) bool) (files []string, err error) {
	if p.Dir() == "" {
		return nil, nil
	}
	for _, dir := range []string{p.Dir(), p.SizesDir()} {
		entries, err := os.ReadDir(dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		for _, e := range entries {
			if match := pictureFile.FindStringSubmatch(e.Name()); match != nil && wants(match[1]) {
				files = append(files, filepath.Join(dir, e.Name()))
			}
		}
	}
	return files, nil
}

func removeAll(files []string) error {
	for _, file := range files {
		if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// isShared reports whether there is, or may be, another archive beside the directory of
// pictures.
func (p Pictures) isShared() bool {
	entries, err := os.ReadDir(filepath.Dir(p.Dir()))
	return err != nil || slices.ContainsFunc(entries, func(e fs.DirEntry) bool {
		name, isLock := strings.CutSuffix(e.Name(), ".lock")
		return (isLock || strings.HasSuffix(name, ".db")) && name != filepath.Base(p.archive.Name())
	})
}

// unused reports the pictures that no version of a record shows, and the files without a
// row. Mending has the next run purge the archive.
func (c *check) unused(ctx context.Context) error {
	unused, err := unusedMedia(ctx, c.read, c.derive)
	if err != nil {
		return err
	}
	pictures := slices.Collect(maps.Keys(unused)) // addresses, and names of files
	files, err := c.Pictures.unusedFiles(ctx, unused)
	if err != nil {
		return err
	}
	for _, file := range files {
		if name := filepath.Base(file); !strings.HasPrefix(name, ".") {
			pictures = append(pictures, name)
		}
	}
	slices.Sort(pictures)
	for _, picture := range pictures {
		if !c.flaw(Flaw{
			What: fmt.Sprintf("picture %s: no version of a record shows it; the next run removes it", picture),
			mend: func(tx *Tx) error { return tx.State.SetPurgeDue() },
		}) {
			return nil
		}
	}
	return nil
}
