package page_test

import (
	"fmt"
	"strings"
	"testing"

	"ayna/archive"
	"ayna/record"
	"ayna/testrun"
	"ayna/testrun/fakepaper"
)

// TestNumbers counts papers of one month, of eighty years, without dates and without items.
func TestNumbers(t *testing.T) {
	testrun.NotShort(t)
	dated := func(dates ...string) (records []*archive.Record) {
		for i, date := range dates {
			records = append(records, fakepaper.Item(record.Article, fmt.Sprint(50000001+i), "Title", "Haber", "Path", "/spor/", "CreatedDate", date, "StartDate", date))
		}
		return records
	}
	var eighty []string
	for year := range 80 {
		eighty = append(eighty, fmt.Sprintf("%d-03-01T12:00:00Z", 1947+year))
	}
	for _, c := range []struct {
		name      string
		records   []*archive.Record
		want, not []string
	}{
		{"one month", dated("2026-03-01T12:00:00Z", "2026-03-31T22:00:00Z", "2026-03-31T12:00:00Z"), []string{
			`<th scope="row">2026</th><td>3</td>`, `aria-label="Mart 2, Nisan 1"`, `M22 100v-100h7`, `M32 100v-50h7`,
		}, []string{"Tarihi bilinmiyor"}},
		{"eighty years", dated(eighty...), []string{`<th scope="row">1947</th><td>1</td>`, `<th scope="row">2026</th><td>1</td>`, `aria-label="Mart 1"`}, nil},
		{"no dates", dated("", ""), []string{`Tarihi bilinmiyor <small>2</small>`, `Spor</bdi></a></th><td>2</td>`}, []string{"<h2>Yıllar", "%!"}},
		{"nothing", nil, []string{`<p class="empty">`}, []string{"<table>", "<h2>Yıllar"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, "tr")
			w.records, w.media, w.searches, w.mixes = c.records, nil, nil, nil
			shown := string(w.render(t).files["arsiv/sayilar/index.html"])
			_, shown, _ = strings.Cut(shown, "<main")
			for _, want := range c.want {
				if !strings.Contains(shown, want) {
					t.Errorf("%s is not in %s", want, shown)
				}
			}
			for _, not := range c.not {
				if strings.Contains(shown, not) {
					t.Errorf("%s is in the page", not)
				}
			}
		})
	}
}
