package archive

import (
	"context"
	"iter"
)

// Summary is a record without its words and JSON, for arranging a site. Times are
// Unix milliseconds, 0 where unknown.
type Summary struct {
	Row                    int64
	Kind                   Kind
	ID, Type, Path, URL    string
	Published, Modified    int64
	Seen, Changed, Fetched int64
	Gone                   bool   // from the source
	Address                string // of its page in the published site, empty if it has none yet
	Tags, Writers, Paths   string // JSON, as in the table record
	Standing               bool   // a standing page
}

// Summaries yields every record that is not kept aside, in the order of arrival. Each
// value is only valid until the next one.
func (a *Archive) Summaries(ctx context.Context) iter.Seq2[*Summary, error] {
	var l Summary
	targets := []any{&l.Row, &l.Kind, &l.ID, &l.Type, &l.Path, &l.URL, &l.Published, &l.Modified, &l.Seen, &l.Changed, &l.Fetched, &l.Gone,
		&l.Address, &l.Tags, &l.Writers, &l.Paths, &l.Standing}
	return each(ctx, a.read, "read the archive", func(row scanner) (*Summary, error) {
		return &l, row.Scan(targets...)
	}, `SELECT row, kind, id, type, path, url, coalesce(published, 0), coalesce(modified, 0), seen, coalesce(changed, 0), coalesce(fetched, 0),
		gone_at IS NOT NULL, coalesce(address, ''), tags, writers, paths, ordinal IS NOT NULL FROM record WHERE `+notAside+` ORDER BY row`)
}

// Teaser is what a list shows of a record.
type Teaser struct {
	Row         int64
	Title, Spot string
	Pictures    int    // of a gallery, those in its text included; 0 for other kinds
	Lead        string // address of the lead picture at the source, "" if it has none
	Media       *Media // the lead picture; nil if it is not mirrored, which saves 10 MB for 100,000 records
}

// The columns of a teaser without its picture, and with it.
const (
	teaserFields       = `SELECT row, title, spot, lead, CASE kind WHEN 'gallery' THEN (SELECT count(*) FROM image WHERE image.row = record.row) ELSE 0 END`
	teaserColumns      = teaserFields + ` FROM record `
	teaserMediaColumns = teaserFields + `, coalesce(media.name, ''), coalesce(media.type, ''),
		coalesce(width, 0), coalesce(height, 0), coalesce(bytes, 0)
		FROM record LEFT JOIN media ON media.url = record.lead AND lead <> '' `
)

// Teasers returns the teasers of some rows in any order. It leaves out rows that do
// not exist, and sets Media only if media is true.
func (a *Archive) Teasers(ctx context.Context, rows []int64, media bool) ([]Teaser, error) {
	condition, among := a.engine.among(rows, "$1")
	return a.teasers(ctx, media, condition, among)
}

// TeasersBetween returns the teasers of the rows from first to last. Neighbours in
// time are mostly neighbours in the file, so this is faster than [Archive.Teasers].
func (a *Archive) TeasersBetween(ctx context.Context, first, last int64, media bool) ([]Teaser, error) {
	return a.teasers(ctx, media, `row BETWEEN $1 AND $2`, first, last)
}

func (a *Archive) teasers(ctx context.Context, media bool, condition string, args ...any) ([]Teaser, error) {
	var teasers []Teaser
	var t Teaser
	var m Media
	columns, targets := teaserColumns, []any{&t.Row, &t.Title, &t.Spot, &t.Lead, &t.Pictures}
	if media {
		columns, targets = teaserMediaColumns, append(targets, &m.Name, &m.Type, &m.Width, &m.Height, &m.Bytes)
	}
	for t, err := range each(ctx, a.read.brief(), "read teasers", func(row scanner) (Teaser, error) {
		err := row.Scan(targets...)
		if t.Media = nil; m.Name != "" {
			m.URL = t.Lead
			t.Media = new(m)
		}
		return t, err
	}, columns+`WHERE `+condition, args...) {
		if err != nil {
			return nil, err
		}
		teasers = append(teasers, t)
	}
	return teasers, nil
}

// Hashes returns the hashes of some rows by row. It leaves out rows that do not exist.
func (a *Archive) Hashes(ctx context.Context, rows []int64) (map[int64][]byte, error) {
	hashes := make(map[int64][]byte, len(rows))
	condition, among := a.engine.among(rows, "$1")
	for _, err := range each(ctx, a.read.brief(), "read hashes", func(row scanner) (none struct{}, err error) {
		var number int64
		var hash []byte
		err = row.Scan(&number, &hash)
		hashes[number] = hash
		return none, err
	}, `SELECT row, hash FROM record WHERE `+condition, among) {
		if err != nil {
			return nil, err
		}
	}
	return hashes, nil
}
