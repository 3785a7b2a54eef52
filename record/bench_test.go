package record_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"ayna/archive"
	"ayna/record"
)

// An article of some 4 KB, as its own operation sends it.
func BenchmarkFill(b *testing.B) {
	text := strings.Repeat(`<p>Limanda rüzgâr sabaha karşı döndü; balıkçılar ağlarını <b>ikinci kez</b> topladı, `+
		`<a href=\"http://www.haber.example/liman-7\">iskele</a> yine doldu.</p>`, 20)
	single := []byte(`{"Id":"40501234","ContentType":"Article","CreatedDate":"2026-03-14T09:00:00Z","StartDate":"2026-03-14T09:00:00Z",` +
		`"ModifiedDate":"2026-03-14T10:00:00Z","Description":"Sahilde akşam","Path":"/spor/yelken/","Title":"Rüzgâr döndü",` +
		`"Url":"http://www.haber.example/spor/yelken/ruzgar-dondu-40501234","Editor":"Deniz Kaya","Tags":["yelken","liman"],` +
		`"Files":[{"FileUrl":"http://img.haber.example/1.jpg","Metadata":{"Title":"Liman","Description":"Sabah"}}],` +
		`"RelatedNews":[{"Id":"40501230","Title":"Fırtına"}],"Writers":[],"Text":"` + text + `"}`)
	b.SetBytes(int64(len(single)))
	b.ReportAllocs()
	for b.Loop() {
		r := &archive.Record{Record: record.Record{Kind: record.Article, ID: "40501234", Answers: record.Answers{Single: single}}}
		if err := record.Fill(&r.Record, record.Dates{Zone: istanbul}); err != nil {
			b.Fatal(err)
		}
	}
}

// The same article, as each of a source that has ten forgotten records is searched.
func BenchmarkRedact(b *testing.B) {
	text := strings.Repeat(`<p>Limanda rüzgâr sabaha karşı döndü; balıkçılar ağlarını <b>ikinci kez</b> topladı, `+
		`<a href=\"http://www.haber.example/liman-7\">iskele</a> yine doldu.</p>`, 20)
	raw := []byte(`{"Id":"40501234","Url":"http://www.haber.example/spor/yelken/ruzgar-dondu-40501234","Text":"` + text + `"}`)
	var forgotten []record.Forgotten
	for i := range 10 {
		forgotten = append(forgotten, record.Forgotten{Kind: record.Article, ID: strconv.Itoa(40501300 + i), URL: fmt.Sprintf("http://www.haber.example/spor/gizli-%d", i)})
	}
	redaction := record.NewRedaction(forgotten...)
	b.SetBytes(int64(len(raw)))
	for b.Loop() {
		if _, err := redaction.Apply(raw); err != nil {
			b.Fatal(err)
		}
	}
}
