package record_test

import (
	"testing"
	"time"

	"ayna/archive"
	"ayna/prose"
	"ayna/record"
)

// FuzzFill: whatever JSON a record is, it is refused, or what is drawn from it is
// plain words, possible dates and addresses that may be fetched.
func FuzzFill(f *testing.F) {
	for i := range record.Kinds {
		f.Add(i, []byte(`{"Id":1,"Title":"<b>a</b>","Path":"/a/","Url":"https://haber.example/a","Tags":["a",null],"StartDate":"2026-09-01T10:00:00"}`),
			[]byte(`{"Fullname":"a","Text":"<p>b<img src=/c.jpg>","Files":[{"FileUrl":"//d/e.jpg","Metadata":{"Title":"\u202e"}}],"RelatedNews":[{"Id":"2"}],"Writers":[{}]}`))
	}
	f.Add(0, []byte(`{"Title":["a"],"Tags":"a,b","Files":{},"Url":"javascript:alert(1)"}`), []byte(`null`))
	f.Fuzz(func(t *testing.T, kind int, list, single []byte) {
		r := &archive.Record{Record: record.Record{Kind: record.Kinds[uint(kind)%uint(len(record.Kinds))], ID: "1", Answers: record.Answers{List: list, Single: single}}}
		if record.Fill(&r.Record, record.Dates{}) != nil {
			return
		}
		words := append([]string{r.Title, r.Spot, r.Editor}, r.Tags...)
		for _, w := range r.Writers {
			words = append(words, w.Name)
		}
		for _, reference := range r.Related {
			words = append(words, reference.Title)
		}
		content, err := record.ContentOf(&r.Record)
		if err != nil {
			t.Errorf("filled, but without content: %v", err)
		}
		addresses := append(r.Images, r.Links...)
		for _, file := range content.Files {
			words, addresses = append(words, file.Title, file.Caption), append(addresses, file.URL)
		}
		for _, w := range words {
			if w != prose.StripInvalidXML(w) || len(w) > 0 && (w[0] <= ' ' || w[len(w)-1] <= ' ') {
				t.Errorf("words %q", w)
			}
		}
		for _, address := range addresses {
			if safe, ok := prose.SafeURL(address); !ok || safe != address {
				t.Errorf("address %q", address)
			}
		}
		for _, date := range []time.Time{r.Published, r.Modified} {
			if !date.IsZero() && (date.Year() < 1899 || date.Year() > 10_000 || date.Location() != time.UTC) {
				t.Errorf("date %v", date)
			}
		}
	})
}
