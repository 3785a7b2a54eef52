package archive_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"ayna/archive"
	"ayna/archive/analysis"
	"ayna/record"
	"ayna/testrun"
)

// A search finds the records whose texts hold the words: of an index in many
// segments, of records that were edited and removed, of more words than a page holds.
func TestSearchFindsWhatTextsHold(t *testing.T) {
	testrun.NotShort(t)
	a, err := archive.Open(ctx, filepath.Join(t.TempDir(), "archive.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	texts := make(map[int64][]string) // folded words by row
	var toForget int64
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
	for round := range (testrun.Counts{Plain: 3, Long: 6}).Now() {
		err := a.Update(ctx, func(tx *archive.Tx) error {
			if err := tx.ForgetForTest(record.Article, fmt.Sprint(3000+round)); err != nil {
				return err
			}
			delete(texts, toForget)
			for i := range 250 {
				id := random.IntN(2000)
				if i == 0 {
					id = 3001 + round // to be forgotten in the next round
				}
				json := fmt.Appendf(nil, `{"Id":"%d","Round":%d,"Try":%d}`, id, round, i)
				r := archive.Record{Record: record.Record{Kind: record.Article, ID: fmt.Sprint(id), Answers: record.Answers{List: json}, Metadata: record.Metadata{Text: text(), Title: vocabulary[id%len(vocabulary)], Published: moment.Add(time.Duration(id) * time.Hour)}}, Progress: archive.Progress{Listed: moment}}
				if _, err := tx.Put(&r, moment); err != nil {
					return err
				}
				if i == 0 {
					toForget = r.Row
				}
				texts[r.Row] = analysis.Words(r.Title + " " + r.Text)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, query := range []string{"", "kar limanda "} {
			for _, word := range append(vocabulary, "l", "lima", "limonl", "2", "20", "202", "yok", "öteki", "k") {
				whole := query + word
				searched := strings.Fields(whole)
				beginning := len(word) > 1 && !slices.Contains(strings.Fields(query), word)
				var want []int64
				for row, words := range texts {
					if holds(words, searched, beginning) {
						want = append(want, row)
					}
				}
				slices.Sort(want)
				got, err := a.Reader().Search(ctx, whole, nil, nil)
				slices.Sort(got)
				if err != nil || !slices.Equal(got, want) {
					t.Fatalf("round %d, %q: %d rows %v, want %d, %v", round, whole, len(got), err, len(want), want[:min(9, len(want))])
				}
			}
		}
	}
}

// holds reports whether a text has all words; if beginning is set, the last one may
// also begin one of the text's.
func holds(text, words []string, beginning bool) bool {
	for i, word := range words {
		word = analysis.Words(word)[0]
		if !slices.ContainsFunc(text, func(other string) bool {
			return other == word || beginning && i == len(words)-1 && strings.HasPrefix(other, word)
		}) {
			return false
		}
	}
	return true
}
