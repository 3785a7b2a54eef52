package search_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ayna/generator/search"
	"ayna/generator/site"
)

// version matches what differs between an index of a part of a site and one of a site
// that has no more than this part.
var version = regexp.MustCompile(`"version":"[^"]*"|^ayna\("[^"]+","[0-9a-f]{12}"`)

// TestSelect: the index of a part is that of a site of these items alone.
func TestSelect(t *testing.T) {
	numbered := many(230)
	for i := range numbered {
		numbered[i].spot = strings.Repeat("kar", i%7) + "taneleri " + numbered[i].spot
		if i%3 == 0 {
			numbered[i].folder = "/spor/su/"
		}
	}
	for name, items := range map[string][]item{"fixture": readItems(t), "numbered": numbered} {
		for part, in := range map[string]func(item) bool{
			"all":    func(item) bool { return true },
			"folder": func(i item) bool { return strings.HasPrefix(i.folder, "/spor/") },
			"month":  func(i item) bool { return strings.HasPrefix(i.date, "2010-03") || strings.HasPrefix(i.date, "2024") },
		} {
			t.Run(name+" "+part, func(t *testing.T) {
				whole := world{items: items, cut: []int{20, 5}}
				published := whole.render(t)
				alone := world{items: slices.DeleteFunc(slices.Clone(items), func(i item) bool { return !in(i) })}
				if len(alone.items) == 0 {
					t.Fatal("no items")
				}
				reader := alone.reader(t)
				kept := make(map[string]bool)
				for item := range reader.Site.Home.Items.All() {
					kept[item.Address()] = true
				}
				r, err := search.Select(published.fs(), reader.Site.Words, func(address string) bool { return kept[address] })
				if err != nil {
					t.Fatal(err)
				}
				got, want := render(t, r), alone.render(t)
				if len(got.files) != len(want.files) {
					t.Errorf("%d files, want %d", len(got.files), len(want.files))
				}
				for path, text := range want.files {
					if a, b := version.ReplaceAllString(got.files[path], ""), version.ReplaceAllString(text, ""); a != b {
						t.Errorf("%s is\n%.300s\nwant\n%.300s", path, a, b)
					}
				}
				for name, text := range render(t, r).files {
					if text != got.files[name] {
						t.Errorf("%s differs the second time", name)
					}
				}
			})
		}
	}
}

// TestSelectNothing: no index of texts and no item is no failure, but damage is.
func TestSelectNothing(t *testing.T) {
	words, err := site.WordsFor("tr")
	if err != nil {
		t.Fatal(err)
	}
	w := world{items: many(30)}
	for name, test := range map[string]struct {
		change func(tree) // of an index with texts
		keep   bool
		want   string // in the error
	}{
		"no index":      {func(made tree) { clear(made.files) }, true, ""},
		"no item":       {func(tree) {}, false, ""},
		"without texts": {func(made tree) { made.files["arama/index.js"] = `ayna("",{"items":20});` + "\n" }, true, ""},
		"no catalog":    {func(made tree) { made.files["arama/index.js"] = "" }, true, "arama/index.js is damaged"},
		"no segment": {func(made tree) {
			made.files["arama/index.js"] = `ayna("",{"items":5,"segments":[{"items":0}]});` + "\n"
		}, true, "arama/index.js is damaged"},
		"missing items": {func(made tree) { delete(made.files, "arama/index.items/3.js") }, true, "arama/index.items/3.js"},
		"damaged items": {func(made tree) { made.files["arama/index.items/3.js"] = `ayna("items/3","",0,"AAAA");` + "\n" }, true, "arama/index.items/3.js is damaged"},
		"few items":     {func(made tree) { made.files["arama/index.items/3.js"] = made.files["arama/index.items/2.js"] }, true, "arama/index.items/3.js is damaged"},
		"missing terms": {func(made tree) { delete(made.files, "arama/index.0/3.js") }, true, "arama/index.0/3.js"},
		"other terms":   {func(made tree) { made.files["arama/index.0/3.js"] = `ayna("0/3","x","");` + "\n" }, true, "arama/index.0/3.js is damaged"},
		"distant places": {func(made tree) {
			made.files["arama/index.0/0.js"] = strings.Replace(made.files["arama/index.0/0.js"], ` `, ` -----A`, 1)
		}, true, "arama/index.0/0.js is damaged"},
	} {
		t.Run(name, func(t *testing.T) {
			made := w.render(t)
			test.change(made)
			r, err := search.Select(made.fs(), words, func(string) bool { return test.keep })
			if err == nil && r != nil {
				for file, e := range r.Files(ctx) {
					if err == nil && e == nil {
						err = file.Write(ctx, new(strings.Builder))
					}
				}
			}
			if test.want == "" && (r != nil || err != nil) || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
				t.Errorf("%v, %v; want %q", r, err, test.want)
			}
		})
	}
}

// TestSelectFlood: where the words of a hostile item have no room among few others, its
// title and filters do.
func TestSelectFlood(t *testing.T) {
	var flood strings.Builder
	for i := range 40_000 {
		fmt.Fprintf(&flood, "k%dz ", i)
	}
	items := many(400)
	items[7].text, items[7].title = "<p>"+flood.String()+"</p>", "Taşkın"
	published := world{items: items}.render(t)
	if result, err := published.open(t, "arama").All(search.Query{Text: "k39999z"}, 10); err != nil || result.Count != 1 {
		t.Fatalf("the whole index finds %d, %v", result.Count, err)
	}
	words, err := site.WordsFor("tr")
	if err != nil {
		t.Fatal(err)
	}
	r, err := search.Select(published.fs(), words, func(address string) bool { return strings.Contains(address, "taskin") })
	if err != nil {
		t.Fatal(err)
	}
	made := render(t, r)
	for path, text := range made.files {
		if len(text) > limitOf(path) {
			t.Errorf("%s has %d bytes", path, len(text))
		}
	}
	for _, query := range []search.Query{{Text: "taşkın"}, {Text: "taşkın", Kind: "article", Folder: "gundem", Year: 2010}} {
		if result, err := made.open(t, "arama").All(query, 10); err != nil || result.Count != 1 {
			t.Errorf("%+v: %d hits, %v", query, result.Count, err)
		}
	}
}
