package archive

import (
	"context"

	"ayna/archive/database"
	"ayna/record"
)

// Count returns the number of records of a kind that are not gone.
func (c Catalog) Count(ctx context.Context, kind record.Kind) (int, error) {
	var n int
	err := c.read.QueryRowContext(ctx, `SELECT count(*) FROM record WHERE kind = $1 AND gone_at IS NULL`, kind).Scan(&n)
	return n, database.Wrap(err, "count records of kind %s", kind)
}

// CountWanted returns the number of records of each kind that are not gone and whose
// folders wants selects; nil selects every record. In SQLite it reads an index only then.
func (c Catalog) CountWanted(ctx context.Context, wants func(paths []string) bool) (map[record.Kind]int, error) {
	if wants == nil {
		return c.count(ctx, nil, `SELECT kind, '', '[]', count(*) FROM record WHERE gone_at IS NULL GROUP BY kind`)
	}
	return c.count(ctx, wants, `SELECT kind, path, paths, count(*) FROM record WHERE gone_at IS NULL GROUP BY kind, path, paths`)
}

// CountWaiting is [Catalog.CountWanted] for the records whose single record has not arrived.
// In SQLite it reads an index only.
func (c Catalog) CountWaiting(ctx context.Context, wants func(paths []string) bool) (map[record.Kind]int, error) {
	return c.count(ctx, wants, `SELECT kind, path, paths, count(*) FROM record WHERE fetched IS NULL AND gone_at IS NULL GROUP BY kind, path, paths`)
}

// count adds up the counts of a query by kind. Its rows are groups of records: kind, path, paths
// and number.
func (c Catalog) count(ctx context.Context, wants func(paths []string) bool, query string) (map[record.Kind]int, error) {
	type group struct {
		kind  record.Kind
		paths []string
		n     int
	}
	n := make(map[record.Kind]int)
	for g, err := range database.Each(ctx, c.read, "count records", func(row database.Row) (g group, err error) {
		var path string
		err = row.Scan(&g.kind, &path, database.List(&g.paths), &g.n)
		g.paths = record.FoldersOf(path, g.paths)
		return g, err
	}, query) {
		if err != nil {
			return nil, err
		}
		if wants == nil || wants(g.paths) {
			n[g.kind] += g.n
		}
	}
	return n, nil
}
