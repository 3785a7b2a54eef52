package archive

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"time"

	"ayna/archive/database"
	"ayna/record"
)

// Comment is what a reader has written below a record at the source.
type Comment struct {
	ID, Record, Parent string // Parent is the id of the comment that it answers, else ""
	Author             string // plain text, may be ""
	Written            time.Time
	HTML               string // as received
	Pass               int    // number of the pass over the list that last saw it
	hash               []byte
}

// Comments reads the comments of readers.
type Comments struct{ read *database.Statements }

// CommentsTx writes what [Comments] reads.
type CommentsTx struct{ transaction }

// CommentCount is what a site knows of the comments below a record.
type CommentCount struct {
	Record string
	Count  int
	Digest uint64 // of all of them
}

const selectComment = `SELECT id, record, parent, author, written, html, hash, pass FROM comment`

func scanComment(row database.Row) (c Comment, err error) {
	var written int64
	if err = row.Scan(&c.ID, &c.Record, &c.Parent, &c.Author, &written, &c.HTML, &c.hash, &c.Pass); written != 0 {
		c.Written = time.UnixMilli(written).UTC()
	}
	return c, err
}

// sum returns the hash that belongs to a comment.
func (c *Comment) sum() []byte {
	var content []byte
	for _, text := range []string{c.ID, c.Record, c.Parent, c.Author, c.HTML} {
		content = append(binary.AppendUvarint(content, uint64(len(text))), text...)
	}
	sum := sha256.Sum256(binary.AppendVarint(content, c.at()))
	return sum[:len(sum)/2]
}

// at is Written as the table has it.
func (c *Comment) at() int64 {
	if c.Written.IsZero() {
		return 0
	}
	return c.Written.UnixMilli()
}

// Of returns the comments below a record, the oldest first: at most the number most, and none after
// those with so many bytes of HTML.
func (c Comments) Of(ctx context.Context, id string, most, bytes int) (list []Comment, err error) {
	for comment, err := range database.Each(ctx, c.read, "read comments", scanComment, selectComment+` WHERE record = $1 ORDER BY written, id LIMIT $2`, id, most) {
		if err != nil {
			return nil, err
		}
		if list, bytes = append(list, comment), bytes-len(comment.HTML); bytes < 0 {
			break
		}
	}
	return list, nil
}

// Counts yields the counts of all records that have comments, in the order of their ids.
func (c Comments) Counts(ctx context.Context) iter.Seq2[CommentCount, error] {
	type hashed struct {
		id   string
		hash []byte
	}
	return func(yield func(CommentCount, error) bool) {
		var count CommentCount
		digest := sha256.New()
		end := func() bool {
			count.Digest = binary.LittleEndian.Uint64(digest.Sum(nil))
			return count.Count == 0 || yield(count, nil)
		}
		for row, err := range database.Each(ctx, c.read, "count comments", func(row database.Row) (h hashed, err error) {
			err = row.Scan(&h.id, &h.hash)
			return h, err
		}, `SELECT record, hash FROM comment ORDER BY record, written, id`) {
			if err != nil {
				yield(CommentCount{}, err)
				return
			}
			if row.id != count.Record {
				if !end() {
					return
				}
				count = CommentCount{Record: row.id}
				digest.Reset()
			}
			count.Count++
			digest.Write(row.hash)
		}
		end()
	}
}

// Count returns the number of comments.
func (c Comments) Count(ctx context.Context) (n int, err error) {
	err = c.read.QueryRowContext(ctx, `SELECT count(*) FROM comment`).Scan(&n)
	return n, database.Wrap(err, "count comments")
}

// Unseen returns the number of comments that no pass from this one on has seen, and the ids of the
// first most of them.
func (c Comments) Unseen(ctx context.Context, pass, most int) (ids []string, n int, err error) {
	err = c.read.QueryRowContext(ctx, `SELECT count(*) FROM comment WHERE pass < $1`, pass).Scan(&n)
	if err == nil && n > 0 {
		ids, err = database.All(ctx, c.read, "look for missing comments", database.Column[string], `SELECT id FROM comment WHERE pass < $1 ORDER BY id LIMIT $2`, pass, most)
	}
	return ids, n, database.Wrap(err, "look for missing comments")
}

// Newest returns the last written comment that a pass has seen, or [database.ErrNotFound]. Dates after now
// are left out.
func (c Comments) Newest(ctx context.Context, pass int, now time.Time) (Comment, error) {
	newest, err := scanComment(c.read.QueryRowContext(ctx, selectComment+` WHERE pass >= $1 AND written <= $2 ORDER BY written DESC, id DESC LIMIT 1`, pass, now.UnixMilli()))
	if errors.Is(err, sql.ErrNoRows) {
		err = database.ErrNotFound
	}
	return newest, database.Wrap(err, "look for the newest comment")
}

// Unread returns some of the originals of comments, with their data, that another reader has
// read, or none: at most the number most.
func (c Comments) Unread(ctx context.Context, reader string, most int) ([]Original, error) {
	const by = selectOriginal + ` WHERE kind = 'comment' AND record <> '' AND replaced = 0 AND reader `
	return database.All(ctx, c.read, "look for comments of another reader", unpacked,
		`SELECT * FROM (`+by+`< $1 UNION ALL `+by+`> $2) AS made LIMIT $3`, reader, Unreadable(reader), most)
}

// Get returns a comment, or [database.ErrNotFound].
func (t CommentsTx) Get(id string) (Comment, error) {
	c, err := scanComment(t.tx.QueryRow(selectComment+` WHERE id = $1`, id))
	if errors.Is(err, sql.ErrNoRows) {
		err = database.ErrNotFound
	}
	return c, database.Wrap(err, "read comment %s", id)
}

// Put stores a comment that the pass c.Pass has seen, and reports what changed.
func (t CommentsTx) Put(c Comment) (Change, error) {
	sum := c.sum()
	old, err := t.Get(c.ID)
	switch {
	case errors.Is(err, database.ErrNotFound):
		err = t.tx.Exec(`INSERT INTO comment (id, record, parent, author, written, html, hash, pass) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
			c.ID, c.Record, c.Parent, c.Author, c.at(), c.HTML, sum, c.Pass)
		return New, database.Wrap(err, "store comment %s", c.ID)
	case err != nil:
		return 0, err
	case bytes.Equal(old.hash, sum) && bytes.Equal(old.hash, old.sum()):
		return Unchanged, t.See(c.ID, c.Pass)
	}
	err = t.tx.Exec(`UPDATE comment SET record = $2, parent = $3, author = $4, written = $5, html = $6, hash = $7, pass = $8, lacked = NULL WHERE id = $1`,
		c.ID, c.Record, c.Parent, c.Author, c.at(), c.HTML, sum, c.Pass)
	return Changed, database.Wrap(err, "store comment %s", c.ID)
}

// See notes that a pass has seen a comment.
func (t CommentsTx) See(id string, pass int) error {
	err := t.tx.Exec(`UPDATE comment SET pass = $2, lacked = NULL WHERE id = $1 AND (pass <> $2 OR lacked IS NOT NULL)`, id, pass)
	return database.Wrap(err, "mark comment %s as seen", id)
}

// Lack notes that an answer lacks a comment, and returns when the first such answer came.
func (t CommentsTx) Lack(id string, now time.Time) (since time.Time, err error) {
	err = t.tx.Exec(`UPDATE comment SET lacked = $2 WHERE id = $1 AND (lacked IS NULL OR lacked > $2)`, id, now.UnixMilli())
	if err == nil {
		err = t.tx.QueryRow(`SELECT lacked FROM comment WHERE id = $1`, id).Scan(database.Time(&since))
	}
	return since, database.Wrap(err, "note that comment %s is missing", id)
}

// Delete deletes a comment and its original.
func (t CommentsTx) Delete(id string) error {
	err := t.tx.Exec(`DELETE FROM comment WHERE id = $1`, id)
	if err == nil {
		err = t.tx.Exec(`DELETE FROM original WHERE kind = 'comment' AND record <> '' AND `+t.tx.Equals("record", "$1"), id)
	}
	return database.Wrap(err, "delete comment %s", id)
}

// erase deletes the comments that are forgotten, and those below records that are.
func (t CommentsTx) erase() error {
	const forgotten = `(id IN (SELECT id FROM forgotten WHERE kind = 'comment') OR record IN (SELECT id FROM forgotten WHERE kind NOT IN ('comment', 'writer', 'folder')))`
	err := t.tx.Exec(`DELETE FROM original WHERE kind = 'comment' AND record <> '' AND record IN (SELECT id FROM comment WHERE ` + forgotten + `)`)
	if err == nil {
		err = t.tx.Exec(`DELETE FROM comment WHERE ` + forgotten)
	}
	return err
}

// redact removes mentions of forgotten records from comments.
func (t CommentsTx) redact(tx *Tx, mentions record.Redactor) error {
	ids, err := mentioning[string](tx, mentions, 1, `SELECT id, html FROM comment`)
	if err != nil {
		return err
	}
	for _, id := range ids {
		c, err := t.Get(id)
		if err != nil {
			return err
		}
		text, _ := json.Marshal(c.HTML) // a text cannot fail
		if text, err = mentions.Apply(text); err == nil {
			err = json.Unmarshal(text, &c.HTML)
		}
		if err != nil {
			err = t.Delete(id)
		} else {
			err = t.tx.Exec(`UPDATE comment SET html = $2, hash = $3 WHERE id = $1`, id, c.HTML, c.sum())
		}
		if err != nil {
			return fmt.Errorf("comment %s: %w", id, err)
		}
	}
	return nil
}

// comments checks the hashes of comments.
func (c *check) comments(ctx context.Context) error {
	stored := database.Each(ctx, c.read, "read comments", scanComment, selectComment+` ORDER BY id`)
	return examine(ctx, c, stored, func(c Comment) int { return len(c.HTML) }, func(stored Comment) []Flaw {
		if bytes.Equal(stored.hash, stored.sum()) {
			return nil
		}
		return []Flaw{{
			Kind: record.Comment, ID: stored.ID, What: "it does not match its hash; it is removed, and the next pass over the list brings it again",
			mend: func(tx *Tx) error { return tx.Comments.Delete(stored.ID) },
		}}
	}, func(int) {})
}
