package archive

import (
	"context"

	"ayna/archive/database"
)

// Teaser is what a list shows of a record.
type Teaser struct {
	Row         int64
	Title, Spot string
	Pictures    int    // of a gallery, those in its text included; 0 for other kinds
	Lead        string // address of the lead picture at the source, "" if it has none
	Members     bool   // only members of the source read the whole text
	Media       *Media // the lead picture; nil if it is not mirrored. A pointer saves 10 MB for 100,000 records
}

// The queries for teasers without their pictures, and with them; the condition is missing.
const (
	countPictures     = `CASE kind WHEN 'gallery' THEN (SELECT count(*) FROM image WHERE image.row = record.row AND attached = '') ELSE 0 END`
	teaserColumns     = `SELECT row, title, spot, lead, access <> '', ` + countPictures
	selectTeaser      = teaserColumns + ` FROM record WHERE `
	selectTeaserMedia = teaserColumns + `, coalesce(media.name, ''), coalesce(media.type, ''),
		coalesce(width, 0), coalesce(height, 0), coalesce(bytes, 0)
		FROM record LEFT JOIN media ON media.url = record.lead AND lead <> '' WHERE `
)

// Teasers returns the teasers of some rows in any order. It leaves out rows that do
// not exist, and sets Media only if media is true.
func (c Catalog) Teasers(ctx context.Context, rows []int64, media bool) ([]Teaser, error) {
	condition, among := c.read.Among(rows, "$1")
	return c.teasers(ctx, media, condition, among)
}

// TeasersBetween returns the teasers of the rows from first to last. Neighbours in
// time are mostly neighbours in the file, so this is faster than [Catalog.Teasers].
func (c Catalog) TeasersBetween(ctx context.Context, first, last int64, media bool) ([]Teaser, error) {
	return c.teasers(ctx, media, `row BETWEEN $1 AND $2`, first, last)
}

func (c Catalog) teasers(ctx context.Context, media bool, condition string, args ...any) ([]Teaser, error) {
	var t Teaser // of each row in turn
	var m Media
	query, targets := selectTeaser, []any{&t.Row, &t.Title, &t.Spot, &t.Lead, &t.Members, &t.Pictures}
	if media {
		query, targets = selectTeaserMedia, append(targets, &m.Name, &m.Type, &m.Width, &m.Height, &m.Bytes)
	}
	return database.All(ctx, c.read.Brief(), "read teasers", func(row database.Row) (Teaser, error) {
		err := row.Scan(targets...)
		if t.Media = nil; m.Name != "" {
			m.URL = t.Lead
			t.Media = new(m)
		}
		return t, err
	}, query+condition, args...)
}
