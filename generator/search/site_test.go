package search_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ayna/archive"
	"ayna/generator/arrange"
	"ayna/generator/search"
	"ayna/generator/site"
	"ayna/generator/story"
	"ayna/record"
	"ayna/testrun/fakepaper"
)

var ctx = context.Background()

// item is a record of the fixture.
type item struct {
	id           string
	kind         record.Kind
	folder, date string
	title, spot  string
	text         string // HTML
	tags         []string
	writer       string
}

// linesOf returns the lines of a file of testdata that are no comments.
func linesOf(t testing.TB, name string) []string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for line := range strings.Lines(string(data)) {
		if line = strings.Trim(line, " \n"); line != "" && line[0] != '#' {
			found = append(found, line)
		}
	}
	return found
}

func readItems(t testing.TB) []item {
	t.Helper()
	var items []item
	for _, line := range linesOf(t, "items.txt") {
		parts := strings.Split(line+"|||", "|")
		for i := range parts {
			parts[i] = strings.Trim(parts[i], " ")
		}
		head := strings.Fields(parts[0])
		it := item{id: "4100" + head[0], kind: record.Kind(head[1]), folder: head[2], date: head[3], title: parts[1], spot: parts[2], writer: parts[4]}
		if parts[3] != "" {
			it.tags = strings.Split(parts[3], ", ")
		}
		items = append(items, it)
	}
	return items
}

// many returns n items, the first one the oldest: item i has the words "sayi"
// and its own number, every tenth one "onluk" in its spot.
func many(n int) []item {
	items := make([]item, n)
	for i := range items {
		at := time.Date(2010, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(i) * 20 * time.Hour)
		items[i] = item{
			id: fmt.Sprintf("4%07d", i), kind: record.Article, folder: "/gundem/", date: at.Format("2006-01-02T15:04:05Z"),
			title: fmt.Sprintf("Sayı a%db", i),
		}
		if i%10 == 0 {
			items[i].spot = "Onluk."
		}
	}
	return items
}

// world is a site to be searched.
type world struct {
	items    []item
	language string
	cut      []int // the layout, if not the usual one
}

// store puts the items into a new archive.
func (w world) store(t testing.TB) *archive.Archive {
	t.Helper()
	a := fakepaper.Open(t, filepath.Join(t.TempDir(), "archive.db"))
	for _, it := range w.items {
		r := fakepaper.Item(it.kind, it.id, "Title", it.title, "Description", it.spot, "Path", it.folder, "Text", cmp.Or(it.text, "<p>x</p>"), "CreatedDate", it.date, "Tags", it.tags)
		if it.writer != "" {
			r = fakepaper.With(r, "Writers", []any{map[string]any{"Id": "65aa09f8f018fbaf44942506", "Fullname": it.writer}})
		}
		fakepaper.Put(t, a, r)
	}
	return a
}

// reader arranges the world.
func (w world) reader(t testing.TB) *story.Reader {
	t.Helper()
	if w.language == "" {
		w.language = "tr"
	}
	words, err := site.WordsFor(w.language)
	if err != nil {
		t.Fatal(err)
	}
	a := w.store(t)
	s, err := arrange.Arrange(ctx, a, arrange.Options{Settings: site.Settings{
		Title: "Kıyı", BaseURL: "https://ayna.example/", Language: w.language, Words: words, Location: time.UTC, SourceName: "Kıyı Haber",
	}})
	if err != nil {
		t.Fatal(err)
	}
	return story.New(a, s, true)
}

func (w world) renderer(t testing.TB) *search.Renderer {
	t.Helper()
	r := search.New(w.reader(t), search.Options{Texts: true})
	if w.cut != nil {
		r.Cut(w.cut[0], w.cut[1:]...)
	}
	return r
}

// tree is an index: its files, by address.
type tree struct {
	files map[string]string
}

func (w world) render(t testing.TB) tree {
	t.Helper()
	return render(t, w.renderer(t))
}

func render(t testing.TB, r *search.Renderer) tree {
	t.Helper()
	made := tree{make(map[string]string)}
	for file, err := range r.Files(ctx) {
		if err != nil {
			t.Fatal(err)
		}
		if _, twice := made.files[file.Path]; twice {
			t.Fatalf("two files want %s", file.Path)
		}
		var b bytes.Buffer
		if err := file.Write(ctx, &b); err != nil {
			t.Fatal(err)
		}
		made.files[file.Path] = b.String()
	}
	return made
}

// write puts files into a directory.
func write(t testing.TB, dir string, path string, from func(io.Writer) error) {
	t.Helper()
	name := filepath.Join(dir, filepath.FromSlash(path))
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := from(f); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// write puts the index into a directory.
func (made tree) write(t testing.TB, dir string) {
	t.Helper()
	for path, text := range made.files {
		write(t, dir, path, func(w io.Writer) error {
			_, err := io.WriteString(w, text)
			return err
		})
	}
}

// termCases are texts and their folded words, divided by blanks.
func termCases(t testing.TB) (cases [][2]string) {
	t.Helper()
	data, err := os.ReadFile("../../archive/analysis/testdata/words.json")
	if err == nil {
		err = json.Unmarshal(data, &cases)
	}
	if err != nil {
		t.Fatal(err)
	}
	return cases
}
