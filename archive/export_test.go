package archive

import (
	"context"
	"fmt"
)

// SetVersionForTest marks the archive as one of another schema version.
func (a *Archive) SetVersionForTest(version int) error {
	_, err := a.writer.ExecContext(context.Background(), fmt.Sprintf("PRAGMA user_version = %d", version))
	return err
}

// FillForTest stores n articles at once whose headline is "kar", every
// hundredth's "kar dolu". They did not arrive in the order of publication. With
// all that Put does, so many take long.
func (a *Archive) FillForTest(n int) error {
	_, err := a.writer.ExecContext(context.Background(), `
		CREATE TEMP TABLE filler AS WITH RECURSIVE count (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM count WHERE i < ?1 - 1)
			SELECT i + 1 AS row, format('%05d', i) AS id, iif(i % 100, 'kar', 'kar dolu') AS title, i * 7 % ?1 AS published FROM count;
		INSERT INTO record (row, kind, id, title, published, type, path, spot, url, editor, writer_id, lead, tags, writers, related, links,
				hash, wanted, recheck, tries, pass, seen, listed)
			SELECT row, 'article', id, title, published, '', '', '', '', '', '', '', '[]', '[]', '[]', '[]', x'', 0, 0, 0, 0, 0, 0 FROM filler;
		INSERT INTO raw (row, list) SELECT row, '{}' FROM filler;
		INSERT INTO search (rowid, title) SELECT row, title FROM filler`, n)
	return err
}
