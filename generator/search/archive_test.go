package search_test

import (
	"fmt"
	"slices"
	"testing"

	"ayna/archive"
	"ayna/archive/analysis"
	"ayna/record"
	"ayna/testrun/fakepaper"
)

// TestArchiveAgrees: the archive's own search finds the items of a word that the index of the
// search page has, in languages with and without blanks.
func TestArchiveAgrees(t *testing.T) {
	for language, prose := range proses {
		t.Run(language, func(t *testing.T) {
			p := prose.print(t, language, 40, 60)
			a, err := archive.Memory(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			defer a.Close()
			err = a.Update(t.Context(), func(tx *archive.Tx) error {
				for i := range p.titles {
					id := fmt.Sprint(3000 + i)
					r := archive.Record{Record: record.Record{Kind: record.Article, ID: id, Answers: record.Answers{List: fmt.Appendf(nil, `{"Id":%q}`, id)}, Metadata: record.Metadata{Title: p.titles[i], Spot: p.spots[i], Text: p.texts[i]}}, Progress: archive.Progress{Listed: fakepaper.Noon}}
					if _, err := tx.Put(&r, fakepaper.Noon); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			forms := make(map[string][]int)
			for _, g := range p.render(t).decode(t).groups {
				for form, items := range g.forms {
					forms[form] = append(forms[form], items...)
				}
			}
			asked := 0
			for _, word := range analysis.Words(p.texts[0] + "\n" + p.texts[20]) {
				holds, err := a.Index.Holds(t.Context(), word, nil)
				if err != nil {
					t.Fatal(err)
				}
				var got []int
				for i := range p.titles {
					if holds(int64(i + 1)) {
						got = append(got, i)
					}
				}
				want := slices.Compact(slices.Sorted(slices.Values(forms[word])))
				if !slices.Equal(got, want) {
					t.Fatalf("%q is in items %v of the archive, and in %v of the page", word, got, want)
				}
				asked++
			}
			if asked < 50 {
				t.Errorf("%d words were asked", asked)
			}
		})
	}
}
