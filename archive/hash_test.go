package archive_test

import (
	"crypto/sha256"
	"path/filepath"
	"testing"
	"time"

	"ayna/archive"
	"ayna/record"
)

// The hash of a record is that of archives and exports that there are: SHA-256 of the list
// record, a zero and the single record.
func TestHash(t *testing.T) {
	a := openAt(t, filepath.Join(t.TempDir(), "archive.db"))
	const list, single = `{"Id":"1","Title":"Bir"}`, `{"Id":"1","Text":"<p>Bir</p>"}`
	r := archive.Record{Record: record.Record{Kind: record.Article, ID: "1", Answers: record.Answers{List: []byte(list), Single: []byte(single)}}, Progress: archive.Progress{Listed: time.Unix(1_790_000_000, 0), Fetched: time.Unix(1_790_000_000, 0)}}
	err := a.Update(ctx, func(tx *archive.Tx) error {
		_, err := tx.Put(&r, r.Listed)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if want := sha256.Sum256([]byte(list + "\x00" + single)); r.Hash != want {
		t.Errorf("%x, want %x", r.Hash, want)
	}
}
