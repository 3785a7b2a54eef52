package archive

import (
	"context"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"time"

	"ayna/archive/database"
	"ayna/record"
)

// Pictures are the mirrored pictures: rows of the table media, and files.
type Pictures struct{ archive *Archive }

// Media is the result of fetching a picture or an attachment, or of asking for a card.
type Media struct {
	URL     string // at the source; of a card that of its page
	Name    string // file in [Pictures.Dir], or ""
	Type    string // media type, as its bytes show it
	Width   int    // pixels, as shown
	Height  int    // pixels, as shown
	Bytes   int64
	Fetched time.Time
	Problem string // why there is no picture
	Title   string // of a card, as plain text
	IsCard  bool   // the record shows a card of it; not stored
}

// PutMedia stores the result of fetching a picture.
func (t *Tx) PutMedia(m Media) error {
	err := t.tx.UpdateOrInsert(
		`UPDATE media SET name = $2, type = $3, width = $4, height = $5, bytes = $6, fetched = $7, problem = $8, page_title = $9 WHERE url = $1`,
		`INSERT INTO media (url, name, type, width, height, bytes, fetched, problem, page_title) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
		m.URL, m.Name, m.Type, m.Width, m.Height, m.Bytes, database.Millis(m.Fetched), m.Problem, m.Title)
	return database.Wrap(err, "store picture %s", m.URL)
}

// Of returns the mirrored pictures and attachments of a record, and what is known of its cards, by
// their addresses.
func (p Pictures) Of(ctx context.Context, row int64) (map[string]Media, error) {
	var media map[string]Media
	for m, err := range database.Each(ctx, p.archive.read.Brief(), "read pictures", func(row database.Row) (m Media, err error) {
		err = row.Scan(&m.URL, &m.Name, &m.Type, &m.Width, &m.Height, &m.Bytes, &m.Title, &m.IsCard)
		return m, err
	}, `SELECT media.url, media.name, media.type, media.width, media.height, media.bytes, media.page_title, attached = 'card'
		FROM image JOIN media USING (url) WHERE row = $1 AND (media.name <> '' OR media.page_title <> '')`, row) {
		if err != nil {
			return nil, err
		}
		if media == nil {
			media = make(map[string]Media)
		}
		media[m.URL] = m
	}
	return media, nil
}

// PictureOf is a mirrored picture or attachment of a record; First is set for the lead picture.
type PictureOf struct {
	Media
	Row   int64
	First bool
}

// All yields the mirrored pictures and attachments of all records, or of those of some rows unless
// rows is nil, and the titles of their cards, those of a record in their order.
func (p Pictures) All(ctx context.Context, rows []int64) iter.Seq2[PictureOf, error] {
	condition, args := ofRows(p.archive.read, ` AND `, rows, "$1")
	return database.Each(ctx, p.archive.read, "read pictures", func(row database.Row) (m PictureOf, err error) {
		err = row.Scan(&m.Row, &m.First, &m.URL, &m.Name, &m.Type, &m.Width, &m.Height, &m.Bytes, &m.Title)
		return m, err
	}, `SELECT row, position = 0 AND attached = '', media.url, name, type, width, height, bytes, page_title
		FROM image JOIN media USING (url) WHERE (name <> '' OR page_title <> '')`+condition+` ORDER BY row, position`, args...)
}

// Shown returns the mirrored pictures, with Name and Width, of the records that
// shown selects, each once and sorted by name.
func (p Pictures) Shown(ctx context.Context, shown func(row int64) bool) ([]Media, error) {
	var media []Media
	var row int64
	for m, err := range database.Each(ctx, p.archive.read, "read pictures", func(s database.Row) (m Media, err error) {
		err = s.Scan(&m.Name, &m.Width, &row)
		return m, err
	}, `SELECT name, width, row FROM media JOIN image USING (url) WHERE name <> '' AND attached IN ('', 'card') ORDER BY name, width`) {
		if err != nil {
			return nil, err
		}
		if shown(row) && (len(media) == 0 || media[len(media)-1].Name != m.Name) {
			media = append(media, m)
		}
	}
	return media, nil
}

// pictureSizes returns the sizes of the files of pictures by their names.
func pictureSizes(ctx context.Context, q database.Reader) (map[string]int64, error) {
	type file struct {
		name string
		size int64
	}
	sizes := make(map[string]int64)
	for f, err := range database.Each(ctx, q, "read pictures", func(row database.Row) (f file, err error) {
		err = row.Scan(&f.name, &f.size)
		return f, err
	}, `SELECT name, bytes FROM media WHERE name <> ''`) {
		if err != nil {
			return nil, err
		}
		sizes[f.name] = f.size
	}
	return sizes, nil
}

// isFile reports whether a name is that of a regular file of a size.
func isFile(name string, size int64) bool {
	info, err := os.Lstat(name)
	return err == nil && info.Mode().IsRegular() && info.Size() == size
}

// RefetchLost has pictures fetched again whose files are gone, or have lost bytes in a power
// cut.
func (p Pictures) RefetchLost(ctx context.Context) error {
	sizes, err := pictureSizes(ctx, p.archive.read)
	if err != nil || p.Dir() == "" {
		return err
	}
	maps.DeleteFunc(sizes, func(name string, size int64) bool { return isFile(filepath.Join(p.Dir(), name), size) })
	if len(sizes) == 0 {
		return nil
	}
	return p.archive.Update(ctx, func(tx *Tx) error {
		for name := range sizes {
			if err := p.refetch(tx, name); err != nil {
				return err
			}
		}
		return nil
	})
}

func sizesBeside(media string) string {
	if media == "" {
		return ""
	}
	return filepath.Join(filepath.Dir(media), "sizes")
}

// Missing returns the addresses of pictures of the records that wants selects,
// newest records first, if they were never tried, or failed more than retry ago, or
// failed after now, by a clock that was ahead.
func (p Pictures) Missing(ctx context.Context, now time.Time, retry time.Duration, wants func(kind record.Kind, paths []string) bool) ([]string, error) {
	type image struct {
		url   string
		kind  record.Kind
		paths []string
	}
	var list []string
	seen := make(map[string]bool)
	for m, err := range database.Each(ctx, p.archive.read, "read pictures", func(row database.Row) (m image, err error) {
		var path string
		err = row.Scan(&m.url, &m.kind, &path, database.List(&m.paths))
		m.paths = record.FoldersOf(path, m.paths)
		return m, err
	}, `SELECT image.url, kind, path, paths FROM image JOIN record USING (row) LEFT JOIN media ON media.url = image.url
		WHERE attached = '' AND (media.url IS NULL OR (media.name = '' AND (media.fetched < $1 OR media.fetched > $2))) AND `+database.NotAside+`
		ORDER BY published DESC NULLS LAST, record.row, position`, now.Add(-retry).UnixMilli(), now.UnixMilli()) {
		if err != nil {
			return nil, err
		}
		if !seen[m.url] && wants(m.kind, m.paths) {
			seen[m.url] = true
			list = append(list, m.url)
		}
	}
	return list, nil
}

// Dir returns the folder in which mirrored pictures are kept, "" for an
// archive in memory.
func (p Pictures) Dir() string {
	return p.archive.db.Media()
}

// SizesDir returns the folder beside [Pictures.Dir] in which smaller
// pictures made of the mirrored ones are kept, "" for an archive in memory.
func (p Pictures) SizesDir() string { return sizesBeside(p.Dir()) }

// CheckWritable returns the error with which writing to an archive, and to its folders of
// pictures, would fail. The archive need not exist, and must not be open in this process:
// to close one of its files ends the locks on it.
func CheckWritable(name string, pictures bool) error {
	_, media, err := database.Locate(name)
	switch {
	case err != nil:
		return err
	case !pictures:
		return database.CheckWritable(name)
	}
	return database.CheckWritable(name, media, sizesBeside(media))
}
