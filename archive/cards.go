package archive

import (
	"context"
	"time"

	"ayna/archive/database"
	"ayna/record"
)

// Cards are the pages of other sites that texts show as cards: rows of the tables image and
// download, and of media those whose title or picture is known.
type Cards struct{ archive *Archive }

// Card is what is known of such a page, and when its host is asked again.
type Card struct {
	Media
	Download
}

// Due returns at most a number of cards whose hosts are to be asked: those that never were first, of
// the newest records. wants selects the records.
func (c Cards) Due(ctx context.Context, now time.Time, most int, wants func(kind record.Kind, paths []string) bool) ([]Card, error) {
	type found struct {
		Card
		kind  record.Kind
		paths []string
	}
	var list []Card
	seen := make(map[string]bool)
	for f, err := range database.Each(ctx, c.archive.read, "read cards", func(row database.Row) (f found, err error) {
		var path string
		m := &f.Media
		err = row.Scan(append([]any{&m.URL, &f.kind, &path, database.List(&f.paths), &m.Name, &m.Type, &m.Width, &m.Height, &m.Bytes, &m.Title}, f.Download.columns()...)...)
		f.Download.URL, f.paths = m.URL, record.FoldersOf(path, f.paths)
		return f, err
	}, `SELECT image.url, record.kind, path, paths, coalesce(media.name, ''), coalesce(media.type, ''), coalesce(media.width, 0), coalesce(media.height, 0),
			coalesce(media.bytes, 0), coalesce(media.page_title, ''), `+downloadColumns+`
		FROM image JOIN record USING (row) LEFT JOIN media ON media.url = image.url LEFT JOIN download ON download.url = image.url
		WHERE attached = 'card' AND (download.due IS NULL OR download.due <= $1 OR download.due > $2) AND `+database.NotAside+`
		ORDER BY CASE WHEN download.due IS NULL THEN 0 ELSE 1 END, published DESC NULLS LAST, record.row, position`, now.UnixMilli(), now.Add(farthest).UnixMilli()) {
		if err != nil {
			return nil, err
		}
		if url := f.Media.URL; !seen[url] && wants(f.kind, f.paths) {
			seen[url] = true
			list = append(list, f.Card)
		}
		if len(list) == most {
			break
		}
	}
	return list, nil
}
