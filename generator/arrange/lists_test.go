package arrange_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"ayna/archive"
	"ayna/generator/arrange"
	"ayna/generator/site"
)

func TestKindsAndOwn(t *testing.T) {
	s := siteOf(t,
		article("1", "/spor/", "a", 1), article("2", "/spor/futbol/", "b", 2), article("3", "/spor/", "c", 3),
		article("4", "/gundem/", "d", 4).of(archive.Video),
	)
	check(t, "kinds", titles(s.Kinds, func(k *site.KindList) *site.List { return &k.List }), "Haber Video")
	check(t, "articles", listed(s.Kinds[0].Items), "article/3 article/2 article/1")
	if s.Kinds[0].Dir != "tur/haber" || s.Kinds[1].Dir != "tur/video" {
		t.Errorf("directories %s, %s", s.Kinds[0].Dir, s.Kinds[1].Dir)
	}
	for _, f := range s.Folders {
		want := map[string]string{"/spor/": "article/3 article/1", "/spor/futbol/": "article/2", "/gundem/": "video/4"}[f.Path]
		check(t, "own items of "+f.Path, listed(f.Own), want)
	}
}

func TestMixes(t *testing.T) {
	a := memory(t,
		rec(archive.Writer, "w1", "Fullname", "Işıl Özden"),
		article("1", "/spor/", "a", 1, "Tags", []string{"Deprem"}), article("2", "/spor/futbol/", "b", 2), article("3", "/sporcu/", "c", 3),
		article("4", "/gundem/", "d", 4, "Tags", []string{"deprem"}), article("5", "/gundem/", "e", 5, "Writers", []any{map[string]any{"Id": "w1"}}),
	)
	tests := map[string]struct {
		include, exclude []string
		want             string
	}{
		"a folder":        {[]string{"/spor/"}, nil, "article/2 article/1"},
		"a tag":           {[]string{"tag:DEPREM"}, nil, "article/4 article/1"},
		"a writer":        {[]string{"writer:w1"}, nil, "article/5"},
		"several":         {[]string{"/sporcu/", "tag:deprem", "writer:w1"}, nil, "article/5 article/4 article/3 article/1"},
		"but for":         {[]string{"/spor/", "tag:deprem"}, []string{"/spor/futbol/", "/gundem"}, "article/1"},
		"everything else": {nil, []string{"tag:deprem"}, "article/5 article/3 article/2"},
		"unknown":         {[]string{"tag:yok", "writer:w9", "/yok/"}, nil, ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			o := options(t)
			o.Mixes = []arrange.Mix{{Title: "Şu ve bu", Include: test.include, Exclude: test.exclude}}
			mix := arranged(t, a, o).Mixes[0]
			check(t, name, listed(mix.Items), test.want)
			if mix.Dir != "karma/su-ve-bu" || mix.Sort != site.OfMixes {
				t.Errorf("mix in %s, a list of %s", mix.Dir, mix.Sort)
			}
		})
	}
}

// TestRenamedFolder is B13: where a folder was stays known.
func TestRenamedFolder(t *testing.T) {
	at := func(path string) []record {
		var all []record
		for i := range 4 {
			all = append(all, article(fmt.Sprint(i), path, "Başlık", i))
		}
		return append(all, article("9", "/gundem/yerel/", "Yerel", 9))
	}
	a := memory(t, at("/gundem/")...)
	former := func(records []record) string {
		put(t, a, records...)
		var found []string
		for _, f := range arranged(t, a, options(t)).Folders {
			if len(f.Former) > 0 {
				found = append(found, f.Path+" was "+strings.Join(f.Former, ", "))
			}
		}
		return strings.Join(found, "; ")
	}
	for _, step := range []struct {
		name    string
		records []record
		want    string
	}{
		{"nothing happened", nil, ""},
		{"all but one", append(at("/turkiye/"), article("3", "/spor/", "Başlık", 3)), ""}, // /gundem/ is still there above /gundem/yerel/
		{"its sub-folder too", []record{article("9", "/turkiye/yerel/", "Yerel", 9)}, "/turkiye/ was gundem; /turkiye/yerel/ was gundem/yerel"},
		{"again", append(at("/yurt/")[:4], article("9", "/turkiye/yerel/", "Yerel", 9)), "/turkiye/yerel/ was gundem/yerel; /yurt/ was gundem"},
		{"and back", at("/gundem/"), ""},
	} {
		t.Run(step.name, func(t *testing.T) {
			if got := former(step.records); got != step.want {
				t.Errorf("%q, want %q", got, step.want)
			}
		})
	}
}

func TestCorrections(t *testing.T) {
	later := func(r record, fields ...any) record {
		for i := 0; i < len(fields); i += 2 {
			r.json[fields[i].(string)] = fields[i+1]
		}
		return r.seen(noon.Add(time.Hour))
	}
	a := memory(t,
		article("1", "/a/", "Bir", 1, "Text", "<p>Bir iki üç</p>"), article("2", "/a/", "İki", 2), article("3", "/a/", "Üç", 3),
		article("4", "/b/", "Dört", 4), article("5", "/a/", "Beş", 5),
	)
	s := arranged(t, a, options(t))
	if s.Corrections.Dir != "duzeltmeler" || s.Corrections.Items.Len() != 0 || s.Corrections.Title != "Düzeltmeler" {
		t.Errorf("before: %+v", s.Corrections)
	}
	put(t, a,
		later(article("1", "/a/", "Bir", 1, "Text", "<p>Bir iki üç</p>"), "Text", "<p>Bir <b>iki</b> dört</p>"),
		later(article("2", "/a/", "İki", 2), "ModifiedDate", "2026-03-14T12:30:00Z", "Title", "İkinci"),
		later(article("3", "/a/", "Üç", 3), "ViewCount", 7), // no word changed
		later(article("4", "/b/", "Dört", 4), "Title", "Dördüncü"),
	)
	o := options(t)
	o.Exclude = []string{"/b/"}
	s = arranged(t, a, o)
	check(t, "the last change first", listed(s.Corrections.Items), "article/1 article/2")
	if v := s.Corrections.Versions; len(v) != 2 || v[0] == v[1] {
		t.Errorf("versions %v", v)
	}
}
