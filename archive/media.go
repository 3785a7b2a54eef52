package archive

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Media is a picture that was fetched, or tried.
type Media struct {
	URL     string // at the source
	Name    string // file in [Archive.MediaDir]; "" if there is none
	Type    string // media type, as its bytes show it
	Width   int    // pixels, as shown
	Height  int    // pixels, as shown
	Bytes   int64
	Fetched time.Time
	Problem string // why there is no picture
}

// PutMedia stores what became of a picture, and marks the records that show it.
func (t *Tx) PutMedia(m Media) error {
	err := t.updateOrInsert(
		`UPDATE media SET name = ?2, type = ?3, width = ?4, height = ?5, bytes = ?6, fetched = ?7, problem = ?8 WHERE url = ?1`,
		`INSERT INTO media (url, name, type, width, height, bytes, fetched, problem) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)`,
		m.URL, m.Name, m.Type, m.Width, m.Height, m.Bytes, millis(m.Fetched), m.Problem)
	if err != nil {
		return fmt.Errorf("store picture %s: %w", m.URL, err)
	}
	shown, args := t.tx.engine.equals("url", m.URL)
	rows, err := t.column(`SELECT DISTINCT row FROM image WHERE `+shown, args...)
	if err != nil {
		return fmt.Errorf("store picture %s: %w", m.URL, err)
	}
	for _, row := range rows {
		if err := t.digestPictures(row); err != nil {
			return fmt.Errorf("store picture %s: %w", m.URL, err)
		}
	}
	return nil
}

// SetMediaSize corrects the size of a picture, in pixels.
func (t *Tx) SetMediaSize(url string, width, height int) error {
	if err := t.exec(`UPDATE media SET width = ?2, height = ?3 WHERE url = ?1`, url, width, height); err != nil {
		return fmt.Errorf("correct the size of picture %s: %w", url, err)
	}
	return nil
}

func (t *Tx) column(query string, args ...any) ([]int64, error) {
	rows, err := t.tx.QueryContext(t.ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var values []int64
	for rows.Next() {
		var v int64
		if err := rows.Scan(&v); err != nil {
			return nil, err
		}
		values = append(values, v)
	}
	return values, rows.Err()
}

// digestPictures sums up which pictures of a record are there, so that a page
// can tell from the record alone whether it would look different now.
func (t *Tx) digestPictures(row int64) error {
	var names sql.NullString
	err := t.tx.QueryRowContext(t.ctx, `SELECT string_agg(coalesce(media.name, ''), ' ' ORDER BY position)
		FROM image LEFT JOIN media USING (url) WHERE row = ?`, row).Scan(&names)
	if err != nil {
		return err
	}
	var digest any
	if d := digestOf(names.String); d != nil {
		digest = d
	}
	return t.exec(`UPDATE record SET pictures = ? WHERE row = ?`, digest, row)
}

const mediaColumns = `media.url, media.name, media.type, media.width, media.height, media.bytes`

// MediaOf returns the mirrored pictures of a record by their addresses.
func (a *Archive) MediaOf(ctx context.Context, row int64) (map[string]Media, error) {
	var media map[string]Media
	err := a.eachMedia(ctx, func(m Media) error {
		if media == nil {
			media = make(map[string]Media)
		}
		media[m.URL] = m
		return nil
	}, `SELECT `+mediaColumns+` FROM image JOIN media USING (url) WHERE row = ? AND media.name <> ''`, row)
	return media, err
}

// EachMedia calls do with every mirrored picture of a media type, in no order.
func (a *Archive) EachMedia(ctx context.Context, mediaType string, do func(Media) error) error {
	return a.eachMedia(ctx, do, `SELECT `+mediaColumns+` FROM media WHERE type = ? AND name <> ''`, mediaType)
}

func (a *Archive) eachMedia(ctx context.Context, do func(Media) error, query string, args ...any) error {
	rows, err := a.read.queryNow(ctx, query, args...)
	if err != nil {
		return fmt.Errorf("read pictures: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var m Media
		if err := rows.Scan(&m.URL, &m.Name, &m.Type, &m.Width, &m.Height, &m.Bytes); err != nil {
			return fmt.Errorf("read pictures: %w", err)
		}
		if err := do(m); err != nil {
			return err
		}
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("read pictures: %w", err)
	}
	return nil
}

// MediaShown returns the names and widths of the mirrored pictures that records
// of some rows show, each once, in the order of their names.
func (a *Archive) MediaShown(ctx context.Context, shown func(row int64) bool) ([]Media, error) {
	rows, err := a.read.QueryContext(ctx, `SELECT name, width, row FROM media JOIN image USING (url) WHERE name <> '' ORDER BY name, width`)
	if err != nil {
		return nil, fmt.Errorf("read pictures: %w", err)
	}
	defer rows.Close()
	var media []Media
	for rows.Next() {
		var m Media
		var row int64
		if err := rows.Scan(&m.Name, &m.Width, &row); err != nil {
			return nil, fmt.Errorf("read pictures: %w", err)
		}
		if shown(row) && (len(media) == 0 || media[len(media)-1].Name != m.Name) {
			media = append(media, m)
		}
	}
	return media, rows.Err()
}

func sizesBeside(media string) string {
	if media == "" {
		return ""
	}
	return filepath.Join(filepath.Dir(media), "sizes")
}

// removeMedia removes the file of a picture in a folder, and the smaller ones
// made of it.
func removeMedia(dir, name string) error {
	stem, _, _ := strings.Cut(name, ".")
	files, err := filepath.Glob(filepath.Join(sizesBeside(dir), stem+"-*"))
	if err != nil {
		return err
	}
	for _, file := range append(files, filepath.Join(dir, name)) {
		if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// MissingMedia returns the addresses of pictures that were never tried, or failed
// more than retry ago (or later than now, by a clock that was ahead), and that a
// record of the kind and path shows which are wanted; those of the newest records
// come first.
func (a *Archive) MissingMedia(ctx context.Context, now time.Time, retry time.Duration, wants func(kind Kind, path string) bool) ([]string, error) {
	rows, err := a.read.QueryContext(ctx, `SELECT image.url, kind, path FROM image JOIN record USING (row) 
		LEFT JOIN media ON media.url = image.url WHERE (media.url IS NULL OR (media.name = '' AND (media.fetched < ? OR media.fetched > ?))) AND `+notAside+`
		ORDER BY published DESC NULLS LAST, record.row, position`, now.Add(-retry).UnixMilli(), now.UnixMilli())
	if err != nil {
		return nil, fmt.Errorf("read pictures: %w", err)
	}
	defer rows.Close()
	var list []string
	seen := make(map[string]bool)
	for rows.Next() {
		var url, path string
		var kind Kind
		if err := rows.Scan(&url, &kind, &path); err != nil {
			return nil, fmt.Errorf("read pictures: %w", err)
		}
		if !seen[url] && wants(kind, path) {
			seen[url] = true
			list = append(list, url)
		}
	}
	return list, rows.Err()
}
