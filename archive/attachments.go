package archive

import (
	"cmp"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"hash/maphash"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ayna/archive/database"
	"ayna/attachment"
	"ayna/record"
)

// Attachments are the documents, sounds and films of records: rows of the tables image and
// download, and of media those whose files are mirrored. The files lie beside the pictures.
type Attachments struct{ archive *Archive }

// Download is what the source said of the file of an attachment, and how far it was fetched.
type Download struct {
	URL            string
	ETag, Modified string    // headers of the last answer, as they came
	Length         int64     // bytes of the whole file; -1 is unknown
	Received       int64     // bytes of it that are on the disk
	Due            time.Time // it is not asked for before
	Tries          int       // how often in a row it had not changed, or failed
	Mirrored       bool      // an earlier version of the file is mirrored; not stored
}

const downloadColumns = `coalesce(download.etag, ''), coalesce(download.modified, ''), coalesce(download.length, -1), coalesce(download.received, 0), coalesce(download.due, 0), coalesce(download.tries, 0)`

func (d *Download) columns() []any {
	return []any{&d.ETag, &d.Modified, &d.Length, &d.Received, database.Time(&d.Due), &d.Tries}
}

// PutDownload stores what is known of a file.
func (t *Tx) PutDownload(d Download) error {
	err := t.tx.UpdateOrInsert(
		`UPDATE download SET etag = $2, modified = $3, length = $4, received = $5, due = $6, tries = $7 WHERE url = $1`,
		`INSERT INTO download (url, etag, modified, length, received, due, tries) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
		d.URL, d.ETag, d.Modified, d.Length, d.Received, cmp.Or(database.Millis(d.Due), any(0)), d.Tries)
	return database.Wrap(err, "store the state of %s", d.URL)
}

// Put stores a file that has arrived, and removes the one that it replaces.
func (a Attachments) Put(ctx context.Context, m Media, d Download) error {
	former := ""
	err := a.archive.Update(ctx, func(tx *Tx) error {
		err := tx.tx.QueryRowContext(ctx, `SELECT name FROM media WHERE url = $1 AND name <> $2
			AND NOT EXISTS (SELECT 1 FROM media AS other WHERE other.name = media.name AND other.url <> $1)`, m.URL, m.Name).Scan(&former)
		if errors.Is(err, sql.ErrNoRows) {
			err = nil
		}
		return cmp.Or(err, tx.PutMedia(m), tx.PutDownload(d))
	})
	pictures := a.archive.Pictures
	if err != nil || former == "" || pictures.Dir() == "" || pictures.isShared() {
		return err
	}
	return removeAll([]string{filepath.Join(pictures.Dir(), filepath.Base(former))})
}

// farthest is the time after which a due date is one of a clock that was ahead.
const farthest = 100 * 24 * time.Hour

// Missing returns at most a number of files that are not mirrored, are due and have at most so many
// bytes, as far as known, those of the newest records first, and how many more there are. wants selects by the record and the file.
func (a Attachments) Missing(ctx context.Context, now time.Time, largest int64, most int, wants func(kind record.Kind, paths []string, file record.Attachment) bool) (list []Download, more int, err error) {
	type found struct {
		Download
		kind     record.Kind
		paths    []string
		attached attachment.Kind
	}
	seen, seed := make(map[uint64]bool), maphash.MakeSeed() // a hash: there may be a million
	for f, err := range database.Each(ctx, a.archive.read, "read attachments", func(row database.Row) (f found, err error) {
		var path string
		err = row.Scan(append([]any{&f.URL, &f.attached, &f.kind, &path, database.List(&f.paths)}, f.columns()...)...)
		f.paths = record.FoldersOf(path, f.paths)
		return f, err
	}, `SELECT image.url, attached, record.kind, path, paths, `+downloadColumns+`
		FROM image JOIN record USING (row) LEFT JOIN media ON media.url = image.url LEFT JOIN download ON download.url = image.url
		WHERE attached NOT IN ('', 'card') AND coalesce(media.name, '') = '' AND (download.due IS NULL OR download.due <= $1 OR download.due > $2)
		AND coalesce(download.length, -1) <= $3 AND `+database.NotAside+`
		ORDER BY published DESC NULLS LAST, record.row, position`, now.UnixMilli(), now.Add(farthest).UnixMilli(), largest) {
		if err != nil {
			return nil, 0, err
		}
		hash := maphash.String(seed, f.URL)
		if seen[hash] || !wants(f.kind, f.paths, record.Attachment{URL: f.URL, Kind: f.attached}) {
			continue
		}
		if seen[hash] = true; len(list) < most {
			list = append(list, f.Download)
		} else {
			more++
		}
	}
	return list, more, nil
}

// Again returns at most a number of mirrored files of some kinds that are due to be asked for
// again, the longest due first.
func (a Attachments) Again(ctx context.Context, now time.Time, most int, kinds []attachment.Kind) ([]Download, error) {
	args := []any{now.UnixMilli(), now.Add(farthest).UnixMilli(), most, "", "", ""}
	for i, kind := range kinds {
		args[3+i] = string(kind)
	}
	return database.All(ctx, a.archive.read, "read attachments", func(row database.Row) (Download, error) {
		d := Download{Mirrored: true}
		err := row.Scan(append([]any{&d.URL}, d.columns()...)...)
		return d, err
	}, `SELECT url, `+downloadColumns+` FROM download JOIN media USING (url) WHERE name <> '' AND (due <= $1 OR due > $2)
		AND EXISTS (SELECT 1 FROM image WHERE image.url = download.url AND attached <> '' AND attached IN ($4, $5, $6)) ORDER BY due, url LIMIT $3`, args...)
}

// Unlinked returns the addresses whose files were begun, and which no record links any more.
func (a Attachments) Unlinked(ctx context.Context) ([]string, error) {
	return database.All(ctx, a.archive.read, "read attachments", database.Column[string],
		`SELECT url FROM download WHERE received > 0 AND NOT EXISTS (SELECT 1 FROM image WHERE image.url = download.url AND attached <> '') ORDER BY url`)
}

// Hosts returns the hosts, with a port where it is not the usual one, that at least a tenth of
// the records, or of their lead pictures, have their addresses at.
func (a Attachments) Hosts(ctx context.Context) ([]string, error) {
	var counts [2]map[string]int
	for i := range counts {
		counts[i] = make(map[string]int)
	}
	for pair, err := range database.Each(ctx, a.archive.read, "read addresses", func(row database.Row) (pair [2]string, err error) {
		err = row.Scan(&pair[0], &pair[1])
		return pair, err
	}, `SELECT url, lead FROM record WHERE url <> '' OR lead <> ''`) {
		if err != nil {
			return nil, err
		}
		for i, address := range pair {
			if u, err := url.Parse(address); err == nil && u.Host != "" {
				counts[i][strings.ToLower(u.Host)]++
			}
		}
	}
	var hosts []string
	for _, count := range counts {
		total := 0
		for _, n := range count {
			total += n
		}
		for host, n := range count {
			if n*10 >= total && !slices.Contains(hosts, host) {
				hosts = append(hosts, host)
			}
		}
	}
	slices.Sort(hosts)
	return hosts, nil
}

// Shown returns the mirrored attachments, with URL and Name, of the records that shown selects,
// each address once.
func (a Attachments) Shown(ctx context.Context, shown func(row int64) bool) ([]Media, error) {
	var list []Media
	var row int64
	for m, err := range database.Each(ctx, a.archive.read, "read attachments", func(s database.Row) (m Media, err error) {
		err = s.Scan(&m.URL, &m.Name, &row)
		return m, err
	}, `SELECT url, name, row FROM media JOIN image USING (url) WHERE name <> '' AND attached NOT IN ('', 'card') ORDER BY url`) {
		if err != nil {
			return nil, err
		}
		if shown(row) && (len(list) == 0 || list[len(list)-1].URL != m.URL) {
			list = append(list, m)
		}
	}
	return list, nil
}

// Partial returns the path of the part of a file that has arrived. Archives that share their
// folder have different ones.
func (a Attachments) Partial(address string) string {
	sum := sha256.Sum256([]byte(filepath.Base(a.archive.Name()) + "\x00" + address))
	return filepath.Join(a.archive.Pictures.Dir(), ".partial", hex.EncodeToString(sum[:16]))
}
