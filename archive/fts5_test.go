package archive_test

import (
	"database/sql"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"ayna/archive"
)

// What is read of the index's own pages is what FTS5 finds: in many segments, of
// records that were edited and removed, of words on many pages.
func TestSearchFindsWhatTheIndexHolds(t *testing.T) {
	path := filepath.Join(t.TempDir(), "archive.db")
	a, err := archive.Open(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	random := rand.New(rand.NewPCG(1, 2))
	var vocabulary []string
	for _, begin := range []string{"li", "lim", "limo", "limon", "kar", "2026", "ab"} {
		for _, end := range []string{"", "a", "an", "anda", "lar", "z9"} {
			vocabulary = append(vocabulary, begin+end)
		}
	}
	text := func() string {
		var words []string
		for range 1 + random.IntN(60) {
			words = append(words, vocabulary[int(random.ExpFloat64()*7)%len(vocabulary)])
		}
		if random.IntN(40) == 0 { // more words than a page holds
			words = append(words, "öteki")
			for i := range 6000 {
				words = append(words, fmt.Sprintf("sözcük%d", i))
			}
		}
		return strings.Join(words, " ")
	}
	moment := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for round := range 6 {
		err := a.Update(ctx, func(tx *archive.Tx) error {
			if _, _, err := tx.Forget(archive.Article, fmt.Sprint(3000+round)); err != nil {
				return err
			}
			for i := range 250 {
				id := random.IntN(2000)
				if i == 0 {
					id = 3001 + round // to be forgotten in the next round
				}
				json := fmt.Appendf(nil, `{"Id":"%d","Round":%d}`, id, round)
				r := archive.Record{Kind: archive.Article, ID: fmt.Sprint(id), List: json, Listed: moment, Text: text(), Title: vocabulary[id%len(vocabulary)],
					Published: moment.Add(time.Duration(id) * time.Hour)}
				if _, err := tx.Put(&r, moment); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, query := range []string{"", "kar limanda "} {
			for _, word := range append(vocabulary, "l", "lima", "limonl", "2", "20", "202", "yok", "öteki", "k") {
				whole := query + word
				match := `"` + strings.Join(strings.Fields(archive.Fold(whole)), `" AND "`) + `"`
				if len(word) > 1 && !slices.Contains(strings.Fields(query), word) {
					match += " *"
				}
				rows, err := db.Query(`SELECT rowid FROM search WHERE search MATCH ?`, match)
				if err != nil {
					t.Fatal(err)
				}
				var want []int64
				for rows.Next() {
					var row int64
					if err := rows.Scan(&row); err != nil {
						t.Fatal(err)
					}
					want = append(want, row)
				}
				if err := rows.Err(); err != nil {
					t.Fatal(err)
				}
				got, err := a.Reader().Search(ctx, whole, nil)
				slices.Sort(got)
				if err != nil || !slices.Equal(got, want) {
					t.Fatalf("round %d, %q: %d rows %v, want %d, %v", round, whole, len(got), err, len(want), want[:min(9, len(want))])
				}
			}
		}
	}
}
