package search_test

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"ayna/generator/output"
	"ayna/generator/search"
	"ayna/testrun"
)

// changed returns the paths of files that differ.
func changed(t *testing.T, before, after tree) []string {
	t.Helper()
	var paths []string
	for _, path := range slices.Sorted(maps.Keys(after.files)) {
		if before.files[path] != after.files[path] {
			paths = append(paths, path)
		}
	}
	return paths
}

func TestSameInputSameIndex(t *testing.T) {
	w := world{items: readItems(t), cut: []int{20, 5}}
	a := w.render(t)
	slices.Reverse(w.items) // they arrive in another order
	b := w.render(t)
	if got := changed(t, a, b); len(got) > 0 || len(a.files) != len(b.files) {
		t.Errorf("changed: %v", got)
	}
}

// TestChanges: a file changes with what it shows, and with nothing else.
func TestChanges(t *testing.T) {
	const n = 230 // 11 segments of 20, and one of 10
	old := world{items: many(n), cut: []int{20, 5}}
	before := old.render(t)
	tests := map[string]struct {
		change func(*world)
		want   []string // beginnings of paths; every other file stays
	}{
		"nothing":       {func(*world) {}, nil},
		"a new item":    {func(w *world) { w.items = many(n + 1) }, []string{"arama/index.12", "arama/index.items/46.", "arama/index.js"}},
		"items at step": {func(w *world) { w.items = many(n + 5) }, []string{"arama/index.11", "arama/index.items/46.", "arama/index.js"}},
		"an old title":  {func(w *world) { w.items[21].title = "Başka" }, []string{"arama/index.1.", "arama/index.1/", "arama/index.items/4.", "arama/index.js"}},
		"an old spot":   {func(w *world) { w.items[21].spot = "Başka" }, []string{"arama/index.1.", "arama/index.1/", "arama/index.items/4.", "arama/index.js"}},
		// Its year and its place among the others stay.
		"an old date":    {func(w *world) { w.items[21].date = "2010-01-19T07:00:00Z" }, []string{"arama/index.1.", "arama/index.1/", "arama/index.items/4.", "arama/index.js"}},
		"a new tag":      {func(w *world) { w.items[229].tags = []string{"yeni"} }, []string{"arama/index.11", "arama/index.items/45.", "arama/index.js"}},
		"an old text":    {func(w *world) { w.items[21].text = "<p>Başka</p>" }, []string{"arama/index.1.", "arama/index.1/", "arama/index.items/4.", "arama/index.js"}},
		"a writer's own": {func(w *world) { w.items[229].writer = "Işıl" }, []string{"arama/index.11", "arama/index.items/45.", "arama/index.js"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			w := old
			w.items = slices.Clone(old.items)
			test.change(&w)
			got := changed(t, before, w.render(t))
			for _, path := range got {
				if !slices.ContainsFunc(test.want, func(start string) bool { return strings.HasPrefix(path, start) }) {
					t.Errorf("%s changed", path)
				}
			}
			for _, start := range test.want {
				if !slices.ContainsFunc(got, func(path string) bool { return strings.HasPrefix(path, start) }) {
					t.Errorf("nothing that begins with %s changed", start)
				}
			}
		})
	}
}

// TestWrittenTogether: each file is the same whichever is written first.
// An edit makes one segment again: that is never more than half of an index of any size.
func TestSegments(t *testing.T) {
	t.Parallel()
	for items, want := range map[int][]int{
		0: nil, 7: {7}, 1_234: {1_000, 200, 34}, 5_000: {1_000, 1_000, 1_000, 1_000, 1_000},
		11_000: {1_000, 1_000, 1_000, 1_000, 1_000, 5_000, 1_000},
	} {
		if got := search.Segments(items); !slices.Equal(got, want) {
			t.Errorf("%d items: %v, want %v", items, got, want)
		}
	}
	for items := 1; items < 1_000_000; items += 1 + items/9 {
		before := 0
		for _, size := range search.Segments(items) {
			if size > max(before, 1_000) {
				t.Errorf("%d items: a segment of %d after %d", items, size, before)
			}
			before += size
		}
		if before != items {
			t.Errorf("%d items: segments of %d", items, before)
		}
	}
	if got := search.Segments(1_000_000); len(got) != 5+3+49 || slices.Max(got) != 20_000 {
		t.Errorf("a million items: %v", got)
	}
}

func TestWrittenTogether(t *testing.T) {
	w := world{items: many(60), cut: []int{20, 5}}
	want := w.render(t)
	var files []output.File
	for file, err := range w.renderer(t).Files(ctx) {
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	slices.Reverse(files)
	var all sync.WaitGroup
	for _, file := range files {
		all.Go(func() {
			var b strings.Builder
			if err := file.Write(ctx, &b); err != nil {
				t.Error(err)
			}
			if b.String() != want.files[file.Path] {
				t.Errorf("%s differs", file.Path)
			}
		})
	}
	all.Wait()
}

// TestItemsAreFound by words of their own, in segments of the usual size.
func TestItemsAreFound(t *testing.T) {
	testrun.NotShort(t)
	const n = 5150
	made := world{items: many(n)}.render(t)
	x := made.open(t, "arama")
	for i := 0; i < n; i += 173 {
		result, err := x.All(search.Query{Text: fmt.Sprintf("a%db", i)}, 10)
		if err != nil {
			t.Fatal(err)
		}
		// The index knows five letters: "a123b" and "a1234b" differ in them.
		if !slices.ContainsFunc(result.Hits, func(h search.Hit) bool { return h.Title == fmt.Sprintf("Sayı a%db", i) }) {
			t.Errorf("item %d is not found: %v", i, result)
		}
	}
	if result, err := x.All(search.Query{Text: "sayı"}, 1); err != nil || result.Count != n || len(result.Hits) != 1 || result.Hits[0].Title != "Sayı a5149b" {
		t.Errorf("all items: %v, %v", result, err)
	}
	for path, text := range made.files {
		if len(text) > limitOf(path) {
			t.Errorf("%s has %d bytes", path, len(text))
		}
	}
}

// TestHostileItems: what the API may send makes neither files too large nor
// such that they are no scripts.
func TestHostileItems(t *testing.T) {
	var flood strings.Builder
	for i := range 50_000 {
		fmt.Fprintf(&flood, "k%dz ", i)
	}
	items := []item{
		{id: "41000001", kind: "article", folder: "/gundem/", date: "2024-01-01", title: "Taşkın", spot: flood.String()},
		{id: "41000002", kind: "article", folder: "/gundem/", date: "2024-01-01", title: "satır\u2028sonu \u2029 &lt;/script&gt; \x00\ufffd"},
		{id: "41000003", kind: "article", folder: "/../../etc/", date: "0001-01-01", title: ""},
		{id: "41000004", kind: "article", folder: "/=f/|/", date: "", title: strings.Repeat("İ", 3000)},
		{id: "41000005", kind: "article", folder: "/gundem/", date: "9999-12-31", title: "=kgallery =y2024"},
		{id: "41000006", kind: "article", folder: "/gundem/", date: "2024-02-02", title: "Uzun", text: "<p>" + strings.Repeat("uzun", 2500) + " tükenmez</p>"},
		{id: "41000007", kind: "article", folder: "/gundem/", date: "2024-02-03", title: "İşaretler", text: "<p>z" + strings.Repeat("\u0301", 5000) + "algo \u202eters\u202c עברית العربية</p>"},
		{id: "41000008", kind: "article", folder: "/gundem/", date: "2024-02-04", title: "Boş", text: "<p>" + strings.Repeat("|!=* ", 1000) + "</p>"},
	}
	made := world{items: items}.render(t)
	for path, text := range made.files {
		if strings.ContainsAny(text, "<>\u2028\u2029\x00") || strings.Count(text, "\n") != 1 {
			t.Errorf("%s is not one line of plain text", path)
		}
		if len(text) > limitOf(path) {
			t.Errorf("%s has %d bytes", path, len(text))
		}
	}
	x := made.open(t, "arama")
	for query, want := range map[search.Query]int{
		{Text: "taşkın"}: 1, {Text: "k49z"}: 1, {Text: "script"}: 1, {Text: "iiiii"}: 1, {Kind: "gallery"}: 0, {Text: "kgallery"}: 1, {Kind: "article"}: 8,
		{Text: strings.Repeat("uzun", 2500)}: 1, {Text: "tükenmez"}: 1, {Text: "zalgo"}: 1, {Text: "ters"}: 1, {Text: "עברית"}: 1, {Text: "العربية"}: 1,
	} {
		if result, err := x.All(query, 10); err != nil || result.Count != want {
			t.Errorf("%+v: %d hits, %v; want %d", query, result.Count, err, want)
		}
	}
}

func TestEmptySite(t *testing.T) {
	x := world{language: "en"}.render(t).open(t, "search")
	if result, err := x.All(search.Query{Text: "bir"}, 10); err != nil || result.Count != 0 {
		t.Errorf("%v, %v", result, err)
	}
}

// TestFormat: a segment's files change only with the version of their format, since
// browsers keep files of a version.
func TestFormat(t *testing.T) {
	made := world{items: readItems(t), cut: []int{20, 5}}.render(t)
	h := sha256.New()
	for _, path := range slices.Sorted(maps.Keys(made.files)) {
		fmt.Fprintf(h, "%s %s", path, made.files[path])
	}
	got := fmt.Sprintf("%d %x", search.Format, h.Sum(nil)[:8])
	if want := encodeTerms(t, "format.txt")[0]; got != want {
		t.Errorf("format %s, want %s: the bytes of the index have changed; raise format in segment.go, then write the new line into testdata/format.txt", got, want)
	}
}

// TestWithoutTexts: an owner may leave the texts out.
func TestWithoutTexts(t *testing.T) {
	items := readItems(t)
	items[0].text = "<p>yalnızmetinde</p>"
	reader := world{items: items}.reader(t)
	for _, texts := range []bool{true, false} {
		x := render(t, search.New(reader, search.Options{Texts: texts})).open(t, "arama")
		for query, want := range map[string]bool{"yalnızmetinde": texts, "ılık": true, `"ılık bir bahar"`: true, "kayısı": true} {
			if result, err := x.All(search.Query{Text: query}, 10); err != nil || (result.Count > 0) != want {
				t.Errorf("texts %t, %s: %d, %v", texts, query, result.Count, err)
			}
		}
	}
}
