package search_test

import (
	"fmt"
	"slices"
	"testing"

	"ayna/archive"
	"ayna/archive/fold"
	"ayna/server/newsroom"
)

// TestArchiveAgrees: the archive's own search finds the items of a word that the index of the
// search page has, in languages with and without blanks.
func TestArchiveAgrees(t *testing.T) {
	for language, prose := range proses {
		t.Run(language, func(t *testing.T) {
			p := prose.print(t, language, 40, 60)
			records := make([]*archive.Record, len(p.titles))
			for i := range records {
				id := fmt.Sprint(3000 + i)
				records[i] = &archive.Record{
					Kind: archive.Article, ID: id, List: fmt.Appendf(nil, `{"Id":%q}`, id), Listed: newsroom.Noon, Title: p.titles[i], Spot: p.spots[i], Text: p.texts[i],
				}
			}
			a := newsroom.Archive(t, records...)
			forms := make(map[string][]int)
			for _, g := range p.render(t).decode(t).groups {
				for form, items := range g.forms {
					forms[form] = append(forms[form], items...)
				}
			}
			asked := 0
			for _, word := range fold.Words(p.texts[0] + "\n" + p.texts[20]) {
				holds, err := a.HoldsWords(t.Context(), word)
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
