package feed_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"ayna/archive"
	"ayna/record"
	"ayna/testrun/attack"
)

// FuzzFeeds: whatever a record holds, its feeds are well-formed and say the
// same. Fuzz it with -fuzzminimizetime=5x: the coverage of the database varies
// by itself, which would be minimized in vain.
func FuzzFeeds(f *testing.F) {
	f.Add("article", "7", "Başlık", "<p>Bir <b>iki</b> ]]&gt; <img src=/1.jpg>", "http://www.haber.example/baslik-7", "Ayna")
	f.Add("gallery", "\x00/../ş", "]]>\u202e\ufffe", "<p>\xff<script>alert(1)</script><iframe src=//e>", "javascript:alert(1)", "\x01")
	f.Add("video", "1e9", "&lt;b&gt;&amp;amp;", "<table><tr><td><p><a href='//x'>", "//evil", "&")
	f.Add("column", "", "", "", "", "")
	for some := range slices.Chunk(attack.For(attack.Words), 10) {
		text := strings.Join(some, " ")
		f.Add("article", "7", text, text, text, text)
	}
	for _, address := range attack.For(attack.Address) {
		f.Add("gallery", address, address, address, address, address)
	}
	escapes := []string{`\`, `\\`, `"`, `\"`}
	for c := range ' ' {
		escapes = append(escapes, string(c), fmt.Sprintf(`\u%04x`, c))
	}
	escape := strings.NewReplacer(escapes...)
	f.Fuzz(func(t *testing.T, kind, id, title, text, url, siteTitle string) {
		if !slices.Contains([]string{"article", "column", "gallery", "video"}, kind) {
			kind = "article"
		}
		fields := strings.ReplaceAll(`{"CreatedDate":"2026-03-14T09:00:00Z","Title":@,"Description":@,"Editor":@,"Path":@,"Tags":[@],"Fullname":@`, "@", `"`+escape.Replace(title)+`"`) +
			`,"Text":"` + escape.Replace(text) + `","Url":"` + escape.Replace(url) + `","Files":[{"FileUrl":"` + escape.Replace(url) + `"}]}`
		if !json.Valid([]byte(fields)) {
			t.Skip("no record")
		}
		s := settings(t)
		s.Title = siteTitle
		reader := arranged(t, store(t, []*archive.Record{{Record: record.Record{Kind: record.Kind(kind), ID: id, Answers: record.Answers{List: []byte(fields), Single: []byte(fields)}}}}, nil), s)
		reader.Mirror = false
		rendered := render(t, reader, options)
		for _, e := range agreed(t, rendered) {
			checkMarkup(t, e.content)
		}
		for name, document := range rendered {
			if err := wellFormed(document); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}
