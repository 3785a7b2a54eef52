package arrange_test

import (
	"slices"
	"testing"

	"ayna/archive"
	"ayna/generator/site"
	"ayna/record"
	"ayna/testrun/fakepaper"
)

func TestWriters(t *testing.T) {
	column := func(id string, minute int, fields ...any) *archive.Record {
		return of(record.Column, article(id, "/yazarlar/", "a", minute, append([]any{"ContentType", "Column"}, fields...)...))
	}
	s := siteOf(t,
		fakepaper.Fields(record.Writer, "w1", "Fullname", "Işıl Özden", "Url", "http://www.haber.example/isil"),
		fakepaper.Fields(record.Writer, "w2", "Fullname", "Nehir Taşkın"),
		fakepaper.Fields(record.Writer, "w3", "Fullname", "Ali Veli"),
		fakepaper.Fields(record.Writer, "w4", "Fullname", "ALİ VELİ"),
		fakepaper.Fields(record.Writer, "w5", "Fullname", " "),
		fakepaper.Fields(record.Writer, "w6", "Fullname", "Hiç Yazmayan"),
		column("11", 11, "Fullname", "Başka Ad", "WriterId", "w1"),                                                              // by id, whatever the name
		column("12", 12, "Fullname", "NEHİR TAŞKIN"),                                                                            // by name, whatever the case
		column("13", 13, "Fullname", "Ali Veli"),                                                                                // of two of that name, neither
		column("14", 14, "Fullname", "Yeni Kalem", "WriterId", "w9"),                                                            // unknown, with id
		column("15", 15, "Fullname", "Yeni Kalem", "WriterId", "w9"),                                                            // the same again
		column("16", 16, "Fullname", "Kayıtsız Ad"),                                                                             // unknown, by name
		column("17", 17, "Fullname", "kayıtsız ad"),                                                                             //
		column("18", 18, "WriterId", "w8"),                                                                                      // not even a name
		column("19", 19, "WriterId", "w2", "Fullname", ""),                                                                      // by id alone
		article("20", "/a/", "b", 20, "Writers", []any{map[string]any{"Id": "w2"}, map[string]any{"Id": "w1"}}),                 // two
		article("21", "/a/", "b", 21, "Writers", []any{map[string]any{"Id": "w2"}, map[string]any{"Fullname": "Nehir Taşkın"}}), // one, twice
		article("22", "/a/", "b", 22, "Writers", []any{map[string]any{"Fullname": "Adı Olan", "Id": "w5"}}),                     // its record has no name
	)
	want := []struct{ title, id, items string }{ // in Turkish order
		{"Adı Olan", "w5", "article/22"},
		{"Ali Veli", "", "column/13"},
		{"Ali Veli", "w3", ""},
		{"ALİ VELİ", "w4", ""},
		{"Hiç Yazmayan", "w6", ""},
		{"Işıl Özden", "w1", "article/20 column/11"},
		{"kayıtsız ad", "", "column/17 column/16"},
		{"Nehir Taşkın", "w2", "article/21 article/20 column/19 column/12"},
		{"Yeni Kalem", "w9", "column/15 column/14"},
	}
	if len(s.Writers) != len(want) {
		t.Fatalf("writers %q", titles(s.Writers, func(w *site.Writer) *site.List { return &w.List }))
	}
	for i, w := range s.Writers {
		if w.Title != want[i].title || w.ID != want[i].id {
			t.Errorf("writer %d is %q (%s), want %+v", i, w.Title, w.ID, want[i])
		}
		check(t, w.Title, listed(w.Items), want[i].items)
	}
	if w := s.Writers[5]; w.URL != "http://www.haber.example/isil" || w.Row == 0 || w.Dir != "yazar/isil-ozden-w1" {
		t.Errorf("the writer of a record of her own: %+v", w)
	}
	if got := find(t, s, "column/18").Writers(); len(got) != 0 {
		t.Errorf("a writer without a name: %+v", got[0])
	}
	addresses(t, s)
}

func TestTagsAreOneWhateverTheirCase(t *testing.T) {
	tags := func(id string, minute int, tags ...string) *archive.Record {
		return article(id, "/a/", "b", minute, "Tags", tags)
	}
	s := siteOf(t,
		tags("1", 1, "Spor", "deprem", "kar", "Irak"),
		tags("2", 2, "spor", "DEPREM", "kâr", "IRAK"),
		tags("3", 3, "SPOR", "Spor", "İzmir", "ırak"),
		tags("4", 4, "Spor ", "izmir", "I\u0307zmir", "irak"),
		tags("5", 5, "Deprem", "Instagram", "go\u0308l"),
		tags("6", 6, "INSTAGRAM", "instagram", "göl", "<b>göl</b>", ""),
	)
	want := []struct{ title, items string }{ // the commonest spelling, in Turkish order
		{"DEPREM", "article/5 article/2 article/1"},
		{"göl", "article/6 article/5"},
		{"INSTAGRAM", "article/6 article/5"},
		{"IRAK", "article/4 article/3 article/2 article/1"},
		{"İzmir", "article/4 article/3"},
		{"kar", "article/1"}, // snow
		{"kâr", "article/2"}, // profit
		{"Spor", "article/4 article/3 article/2 article/1"},
	}
	if len(s.Tags) != len(want) {
		t.Fatalf("tags %q", titles(s.Tags, func(x *site.Tag) *site.List { return &x.List }))
	}
	for i, tag := range s.Tags {
		if tag.Title != want[i].title {
			t.Errorf("tag %d is %q, want %q", i, tag.Title, want[i].title)
		}
		check(t, tag.Title, listed(tag.Items), want[i].items)
	}
	if got := slices.Collect(find(t, s, "article/3").Tags()); len(got) != 3 {
		t.Errorf("an item carries a tag twice: %d", len(got))
	}
	addresses(t, s) // Kar and kâr have one slug
}
