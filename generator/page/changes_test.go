package page_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"iter"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"ayna/archive"
	"ayna/generator/site"
	"ayna/record"
	"ayna/templates"
	"ayna/testrun"
	"ayna/testrun/fakepaper"
)

func keysOf[V any](m map[string]V) iter.Seq[string] { return maps.Keys(m) }

// TestChanges changes one thing and asks which files change.
func TestChanges(t *testing.T) {
	testrun.NotShort(t)
	const (
		bridge  = "ekonomi/liman/kopru-onarimi-bitti-41000011"
		fishers = "ekonomi/liman/balikcilar-bekliyor-41000010"
		gallery = "ekonomi/liman/limanin-uc-yuzu-41000201"
	)
	all := []string{"*"}
	before := newWorld(t, "tr").render(t)
	for _, c := range []struct {
		name   string
		change func(w *world)
		want   []string // "*" is every page
	}{
		{"nothing", func(*world) {}, nil},
		{"text of a record", func(w *world) { w.set("41000010", "Text", "<p>Yeni metin</p>") }, []string{fishers + ".html", fishers + ".md"}},
		{"picture of a record", func(w *world) { w.media[5].Name, w.media[5].Type = "aa06.jpg", "image/jpeg" }, []string{
			bridge + ".html", bridge + ".md", gallery + ".html", gallery + ".md",
		}},
		{"title of a film that stays elsewhere", func(w *world) {
			w.media = append(slices.Clone(w.media), archive.Media{URL: "https://www.youtube.com/watch?v=abcdefghijk", Title: "Köprü filmi"})
		}, []string{bridge + ".html", bridge + ".md"}},
		{"a comment", func(w *world) {
			w.comments = append(slices.Clone(w.comments), archive.Comment{ID: "20", Record: bridgeID, Written: noon, HTML: "<p>Yeni</p>"})
		}, []string{bridge + ".html"}},
		{"the words of a comment", func(w *world) {
			w.comments = slices.Clone(w.comments)
			w.comments[1].HTML = "<p>Başka sözler</p>"
		}, []string{bridge + ".html"}},
		{"no comments", func(w *world) { w.comments = nil }, []string{bridge + ".html"}},
		{"title of a folder", func(w *world) { w.set("52776468a7c41e0f5d213901", "Title", "Rıhtım") }, []string{
			bridge + ".html", fishers + ".html", gallery + ".html", "41000007.html", // which shows the gallery
			"ekonomi/index.html", "ekonomi/liman/index.html", "index.html", "arama/liman/index.html",
			"etiket/liman/index.html", "etiket/kopru/index.html", "etiket/aveb/index.html",
			"sayfa/mansetler-5f00aa00a7c41e0f5d213944/index.html", "abone/index.html",
			"arsiv/2026-09.html", "ekonomi/arsiv/2026-09.html", "ekonomi/liman/arsiv/2026-09.html", "ekonomi/liman/arsiv/index.html",
			"tur/haber/index.html", "tur/foto-galeri/index.html", "karma/kiyi-ve-spor/index.html",
			"tur/index.html", "karma/index.html", "sayfa/index.html", "404.html", "bolumler/index.html", "arsiv/sayilar/index.html",
		}},
		{"title of a folder at the top", func(w *world) { w.set("52776468a7c41e0f5d213902", "Title", "Spor Servisi") },
			all},
		{"own page", func(w *world) { w.own[0].HTML = "<p>Yeni</p>" }, []string{"kunye.html"}},
		{"title of an own page", func(w *world) { w.own[0].Title = "Künye" }, all},
		{"template of a view", func(w *world) { w.templates = replacing("gallery.html", `{{define "main"}}`, `{{define "main"}}<hr>`) }, []string{gallery + ".html"}},
		{"template of all", func(w *world) { w.templates = replacing("layout.html", "</body>", "<hr></body>") }, all},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, "tr")
			c.change(&w)
			after := w.render(t)
			if w.templates == fs.FS(templates.FS) { // else output keeps no file
				after.checkKeys(t, before)
			}
			var changed []string
			for _, name := range slices.Sorted(keysOf(after.files)) {
				if strings.HasPrefix(name, "sitemap") {
					continue // of its own, see TestSitemap
				}
				if !bytes.Equal(before.files[name], after.files[name]) {
					changed = append(changed, name)
				}
			}
			if want := expand(c.want, after); !slices.Equal(changed, want) {
				t.Errorf("changed\n\t%s\nwant\n\t%s", strings.Join(changed, "\n\t"), strings.Join(want, "\n\t"))
			}
		})
	}
}

// A change that only the page of an item shows leaves the lists that it is in as
// they are, in whatever order changes come.
func TestChangesOfEdits(t *testing.T) {
	testrun.NotShort(t)
	const bridge = "ekonomi/liman/kopru-onarimi-bitti-41000011"
	alone := []string{"duzeltmeler/index.html", bridge + ".html", bridge + ".md"}
	lead := func(name string) []map[string]any {
		return []map[string]any{{"FileUrl": "http://img.haber.example/" + name + ".jpg"}}
	}
	e := newEdited(t)
	e.edit(t, record.Article, bridgeID, map[string]any{"Text": "<p>Yeni metin</p>"}) // without the pictures that were in it
	before, _ := e.render(t)
	for i, c := range []struct {
		fields map[string]any
		shown  bool // also in lists
	}{
		{map[string]any{"Text": "<p>Daha yeni metin</p>"}, false},
		{map[string]any{"Title": "Köprü açıldı"}, true},
		{map[string]any{"Text": "<p>En yeni metin</p>"}, false},
		{map[string]any{"Description": "Yeni spot", "Text": "<p>Metin</p>"}, true},
		{map[string]any{"Editor": "KHA"}, false},
		{map[string]any{"Files": lead("9")}, true},
		{map[string]any{"Text": "<p>Son metin</p>"}, false},
		{map[string]any{"StartDate": "2026-09-11T09:11:12Z"}, true},
	} {
		e.edit(t, record.Article, bridgeID, c.fields)
		after, _ := e.render(t)
		var changed []string
		for _, name := range slices.Sorted(keysOf(after.files)) {
			if strings.HasPrefix(name, "sitemap") {
				continue
			}
			if !bytes.Equal(before.files[name], after.files[name]) {
				changed = append(changed, name)
			}
		}
		if others := slices.DeleteFunc(changed, func(name string) bool { return slices.Contains(alone, name) }); (len(others) > 0) != c.shown {
			t.Errorf("edit %d: changed beside the item's own page: %v", i, others)
		}
		after.checkKeys(t, before)
		before = after
	}
}

// TestKeysOfSettings changes each setting of the site.
func TestKeysOfSettings(t *testing.T) {
	testrun.NotShort(t)
	before := newWorld(t, "tr").render(t)
	for i := range reflect.TypeFor[site.Settings]().NumField() {
		w := newWorld(t, "tr")
		field := reflect.ValueOf(&w.settings).Elem().Field(i)
		switch v := field.Addr().Interface().(type) {
		case *site.Words:
			v.Published, v.MoreNews = "Yayın", "Daha"
		case **time.Location:
			*v = time.FixedZone((*v).String(), 0) // of the same name
		case *[]site.Format:
			*v = []site.Format{site.RSS}
		case *[]site.ListKind:
			*v = []site.ListKind{site.OfHome}
		default:
			switch field.Kind() {
			case reflect.String:
				field.SetString(map[string]string{"Language": "en", "Robots": "deny", "Canonical": "mirror"}[reflect.TypeFor[site.Settings]().Field(i).Name])
			case reflect.Int:
				field.SetInt(7)
			case reflect.Bool:
				field.SetBool(!field.Bool())
			}
		}
		t.Run(reflect.TypeFor[site.Settings]().Field(i).Name, func(t *testing.T) { w.render(t).checkKeys(t, before) })
	}
}

// expand writes patterns out, in order.
func expand(patterns []string, rendered tree) []string {
	var names []string
	for _, pattern := range patterns {
		suffix, isPattern := strings.CutPrefix(pattern, "*")
		if !isPattern {
			names = append(names, pattern)
			continue
		}
		if suffix == "" {
			suffix = ".html"
		}
		for name := range rendered.files {
			if strings.HasSuffix(name, suffix) {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// set changes a field of the record with that id, in both of its forms.
func (w *world) set(id, field, value string) {
	for i, r := range w.records {
		if r.ID == id {
			w.records[i] = fakepaper.With(r, field, value)
		}
	}
}

// with returns the built-in templates with something put after one of them.
func with(name, more string) fstest.MapFS {
	fsys := builtin()
	fsys[name].Data = append(fsys[name].Data, more...)
	return fsys
}

// replacing returns the built-in templates with a text in one of them replaced.
func replacing(name, old, new string) fstest.MapFS {
	fsys := builtin()
	fsys[name].Data = bytes.Replace(fsys[name].Data, []byte(old), []byte(new), 1)
	return fsys
}

// builtin returns a copy of the built-in templates.
func builtin() fstest.MapFS {
	fsys := fstest.MapFS{}
	entries, err := templates.FS.ReadDir(".")
	if err != nil {
		panic(err)
	}
	for _, entry := range entries {
		data, err := templates.FS.ReadFile(entry.Name())
		if err != nil {
			panic(err)
		}
		fsys[entry.Name()] = &fstest.MapFile{Data: data}
	}
	return fsys
}

// TestNewItem adds a record: pages that do not show it stay as they are.
func TestNewItem(t *testing.T) {
	testrun.NotShort(t)
	w := newWorld(t, "tr")
	w.records = articles(110)
	before := w.render(t)
	w.records = append(w.records, fakepaper.Item(record.Article, "59999999", "Title", "En yeni", "Path", "/spor/", "Tags", nil, "CreatedDate", "2026-02-01T00:00:00Z"))
	after := w.render(t)
	after.checkKeys(t, before)
	var changed []string
	for name, data := range after.files {
		if !bytes.Equal(before.files[name], data) {
			changed = append(changed, name)
		}
	}
	slices.Sort(changed)
	want := []string{
		"index.html", "sitemap.xml", "sitemap-news.xml", "spor/en-yeni-59999999.html", "spor/en-yeni-59999999.md",
		"spor/haber-109-50000109.html", "spor/index.html", "tur/haber/index.html", "tur/index.html", "karma/index.html", "karma/kiyi-ve-spor/index.html",
		// the month's own page, its older neighbour and the names of all months
		"404.html", "arsiv/sayilar/index.html", "bolumler/index.html", "arsiv/2026-02.html", "arsiv/2026-01.html", "arsiv/index.html",
		"spor/arsiv/2026-02.html", "spor/arsiv/2026-01.html", "spor/arsiv/index.html",
	}
	slices.Sort(want)
	if !slices.Equal(changed, want) {
		t.Errorf("changed %v, want %v", changed, want)
	}

	// Ten change the same files, and have their own: nothing else shows what is newest, or a total.
	for i := range 9 {
		id := fmt.Sprint(60000000 + i)
		w.records = append(w.records, fakepaper.Item(record.Article, id, "Title", "Daha yeni", "Path", "/spor/", "Tags", nil, "CreatedDate", fmt.Sprintf("2026-02-%02dT00:00:00Z", i+2)))
		want = append(want, "spor/daha-yeni-"+id+".html", "spor/daha-yeni-"+id+".md")
	}
	changed = nil
	after = w.render(t)
	for name, data := range after.files {
		if !bytes.Equal(before.files[name], data) {
			changed = append(changed, name)
		}
	}
	slices.Sort(changed)
	slices.Sort(want)
	if !slices.Equal(changed, want) {
		t.Errorf("ten items change %v, want %v", changed, want)
	}

	i := slices.IndexFunc(w.records, func(r *archive.Record) bool { return r.ID == "50000003" }) // on no first page
	w.records[i] = fakepaper.Item(record.Gallery, "50000003", "Title", "Haber 3", "Path", "/spor/", "Tags", nil, "CreatedDate", "2026-01-01T00:03:00Z")
	w.render(t).checkKeys(t, after)
}
