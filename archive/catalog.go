package archive

import (
	"context"
	"database/sql"
	"iter"

	"ayna/archive/database"
	"ayna/record"
)

// Catalog has the metadata of all records, without their JSON.
type Catalog struct{ read *database.Statements }

// Summary is a record without its text and JSON, for arranging a site. Times are Unix
// milliseconds, 0 where unknown.
type Summary struct {
	Row                    int64
	Kind                   record.Kind
	ID, Type, Path, URL    string
	Published, Modified    int64
	Seen, Changed, Fetched int64
	Gone                   bool   // deleted at the source
	Address                string // of its page in the published site, empty if it has none yet
	Tags, Writers, Paths   string // JSON, as in the table record
	Standing               bool   // a standing page

	Title, Spot, Lead, Hash []byte
	Members                 bool   // only members of the source read the whole text
	Pictures                int    // as in a Teaser
	Related, Links          []byte // JSON, as in the table record
}

// LastChange returns the number of the last change of what a site shows of a record. Numbers rise.
func (c Catalog) LastChange(ctx context.Context) (number int64, err error) {
	err = c.read.QueryRowContext(ctx, `SELECT coalesce(max(number), 0) FROM stamp`).Scan(&number)
	return number, database.Wrap(err, "read the number of the last change")
}

// Changed returns the rows of which a site may show something else than when [Catalog.LastChange]
// returned a number: of records that were stored, changed or removed since, or whose pictures,
// earlier versions, former addresses or prepared texts were. It is not nil if there are none, and
// knows nothing of the time before the archive had the present schema.
func (c Catalog) Changed(ctx context.Context, since int64) ([]int64, error) {
	rows, err := database.All(ctx, c.read, "read what changed", database.Column[int64], `SELECT row FROM stamp WHERE number > $1`, since)
	return append([]int64{}, rows...), err
}

// ofRows returns a condition, with what must stand before it, that a record is one of some
// rows, and its parameters. It is empty for nil, which selects all.
func ofRows(read *database.Statements, before string, rows []int64, parameter string) (string, []any) {
	if rows == nil {
		return "", nil
	}
	condition, among := read.Among(rows, parameter)
	return before + condition, []any{among}
}

// Summaries yields every record that is not kept aside, in the order of arrival, or those of
// some rows unless rows is nil. Each value is only valid until the next one.
func (c Catalog) Summaries(ctx context.Context, rows []int64) iter.Seq2[*Summary, error] {
	condition, args := ofRows(c.read, ` AND `, rows, "$1")
	var s Summary
	targets := []any{&s.Row, &s.Kind, &s.ID, &s.Type, &s.Path, &s.URL, &s.Published, &s.Modified, &s.Seen, &s.Changed, &s.Fetched, &s.Gone,
		&s.Address, &s.Tags, &s.Writers, &s.Paths, &s.Standing, (*sql.RawBytes)(&s.Title), (*sql.RawBytes)(&s.Spot), (*sql.RawBytes)(&s.Lead),
		(*sql.RawBytes)(&s.Hash), &s.Members, &s.Pictures, (*sql.RawBytes)(&s.Related), (*sql.RawBytes)(&s.Links)}
	return database.Each(ctx, c.read, "read the archive", func(row database.Row) (*Summary, error) {
		return &s, row.Scan(targets...)
	}, `SELECT row, kind, id, type, path, url, coalesce(published, 0), coalesce(modified, 0), seen, coalesce(changed, 0), coalesce(fetched, 0),
		gone_at IS NOT NULL, coalesce(address, ''), tags, writers, paths, ordinal IS NOT NULL,
		title, spot, lead, hash, access <> '', `+countPictures+`, related, links FROM record WHERE `+database.NotAside+condition+` ORDER BY row`, args...)
}

// Scan yields the records of the given kinds, or of all kinds if none is given, in the order
// of arrival. It leaves out records kept aside, and the JSON.
func (c Catalog) Scan(ctx context.Context, kinds ...record.Kind) iter.Seq2[*Record, error] {
	where, args := "", make([]any, len(kinds))
	if len(kinds) > 0 {
		where = ` AND kind IN (` + numbered(make([]string, len(kinds))) + `)`
	}
	for i, kind := range kinds {
		args[i] = kind
	}
	return records(ctx, c.read, false, selectRecord+` FROM record WHERE `+database.NotAside+where+` ORDER BY row`, args...)
}

// StandingPages yields the standing pages that are not kept aside, as [Catalog.Scan] does.
func (c Catalog) StandingPages(ctx context.Context) iter.Seq2[*Record, error] {
	return records(ctx, c.read, false, selectRecord+` FROM record WHERE `+database.NotAside+` AND ordinal IS NOT NULL ORDER BY row`)
}

// FormerURL is an address of a record at the source besides the present one: the record had
// the address before, or another part of its JSON has it.
type FormerURL struct {
	Row int64
	URL string
}

// FormerURLs yields the former addresses of all records, or of those of some rows unless rows is nil.
func (c Catalog) FormerURLs(ctx context.Context, rows []int64) iter.Seq2[FormerURL, error] {
	condition, args := ofRows(c.read, ` WHERE `, rows, "$1")
	return database.Each(ctx, c.read, "read former addresses", func(row database.Row) (f FormerURL, err error) {
		err = row.Scan(&f.Row, &f.URL)
		return f, err
	}, `SELECT row, url FROM former_url`+condition, args...)
}
