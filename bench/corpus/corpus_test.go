package main

import (
	"bytes"
	"context"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"ayna/archive"
	"ayna/generator/config"
	"ayna/record"
	"ayna/testrun"
	"ayna/testrun/fakepaper"
)

func TestMain(m *testing.M) {
	testrun.InMemory()
	code := m.Run()
	if made != "" {
		os.RemoveAll(made)
	}
	os.Exit(code)
}

// items is more than a batch.
const items = "520"

// corpus runs the command.
func corpus(t *testing.T, args ...string) {
	t.Helper()
	var stderr bytes.Buffer
	if code := run(args, &stderr); code != 0 {
		t.Fatalf("corpus %s: exit code %d: %s", strings.Join(args, " "), code, &stderr)
	}
}

// generate makes a newspaper in a new directory, and returns the directory.
func generate(t *testing.T, args ...string) string {
	t.Helper()
	testrun.NotShort(t)
	dir := t.TempDir()
	corpus(t, append([]string{"-items", items, "-archive", filepath.Join(dir, "archive.db"), "-hugo", filepath.Join(dir, "hugo")}, args...)...)
	return dir
}

// made is the directory of a newspaper that newspaper copies.
var made string

// newspaper returns the directory of a newspaper that a test may change.
func newspaper(t *testing.T) string {
	t.Helper()
	if made == "" {
		from, err := os.MkdirTemp("", "corpus")
		if err == nil {
			err = os.CopyFS(from, os.DirFS(generate(t)))
		}
		if err != nil {
			t.Fatal(err)
		}
		made = from
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(made)); err != nil {
		t.Fatal(err)
	}
	return dir
}

// change edits a newspaper.
func change(t *testing.T, dir, percent, seed2 string) {
	t.Helper()
	corpus(t, "-items", items, "-archive", filepath.Join(dir, "archive.db"), "-hugo", filepath.Join(dir, "hugo"), "-change", percent, "-seed2", seed2)
}

// records reads the archive, by kind and id.
func records(t *testing.T, dir string) map[string]*archive.Record {
	t.Helper()
	ctx := context.Background()
	a := fakepaper.Read(t, filepath.Join(dir, "archive.db"))
	defer a.Close()
	all := make(map[string]*archive.Record)
	for light, err := range a.Catalog.Scan(ctx) {
		if err != nil {
			t.Fatal(err)
		}
		r, err := a.Records.Get(ctx, light.Kind, light.ID)
		if err != nil {
			t.Fatal(err)
		}
		all[string(r.Kind)+"/"+r.ID] = r
	}
	return all
}

// hugoSite reads the Hugo site, by file name.
func hugoSite(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := make(map[string]string)
	root := os.DirFS(filepath.Join(dir, "hugo"))
	err := fs.WalkDir(root, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := fs.ReadFile(root, name)
		files[name] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestSameSeedSameBytes(t *testing.T) {
	one, two := newspaper(t), generate(t)
	if !maps.Equal(hugoSite(t, one), hugoSite(t, two)) {
		t.Error("two Hugo sites of one seed differ")
	}
	if !reflect.DeepEqual(records(t, one), records(t, two)) {
		t.Error("two archives of one seed differ")
	}
	other := filepath.Join(t.TempDir(), "hugo")
	corpus(t, "-items", items, "-hugo", other, "-seed", "2")
	if maps.Equal(hugoSite(t, one), hugoSite(t, filepath.Dir(other))) {
		t.Error("another seed makes the same newspaper")
	}
}

// TestSameContent holds the archive against the Hugo site: the same items, with
// the same front matter.
func TestSameContent(t *testing.T) {
	dir := newspaper(t)
	change(t, dir, "20", "1")
	files, byURL := hugoSite(t, dir), make(map[string]*archive.Record)
	pages := 0
	for _, r := range records(t, dir) {
		byURL[r.URL] = r
	}
	for name, text := range files {
		name, ok := strings.CutPrefix(name, "content")
		if !ok || strings.HasSuffix(name, "_index.md") {
			continue
		}
		pages++
		f, body := parse(t, name, text)
		r := byURL[f.Source]
		if r == nil {
			t.Fatalf("%s: the archive has no item at %s", name, f.Source)
		}
		if want := home + strings.TrimSuffix(name, ".md") + ".html"; f.Source != want {
			t.Errorf("%s: the source is %s, want %s", name, f.Source, want)
		}
		var writers, pictures []string
		for _, w := range r.Writers {
			writers = append(writers, w.Name)
		}
		for _, p := range f.Pictures {
			pictures = append(pictures, p.Src)
		}
		const dates = "2006-01-02T15:04:05Z"
		lastmod := ""
		if r.Modified.After(r.Published) {
			lastmod = r.Modified.Format(dates)
		}
		if r.Kind == record.Column {
			lastmod = f.Lastmod // the service does not tell
			if !slices.Equal(writers, f.Writers) {
				t.Errorf("%s: writers %q, in the archive %q", name, f.Writers, writers)
			}
		}
		got := []any{f.Title, f.Date, f.Lastmod, f.Summary, f.Editor, pictures[0], len(f.Related)}
		want := []any{r.Title, r.Published.Format(dates), lastmod, r.Spot, r.Editor, r.Lead, len(r.Related)}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %q\nin the archive %q", name, got, want)
		}
		if len(r.Tags) > 0 && !slices.Equal(r.Tags, f.Tags) {
			t.Errorf("%s: tags %q, in the archive %q", name, f.Tags, r.Tags)
		}
		for _, other := range f.Related {
			if files["content"+other+".md"] == "" {
				t.Errorf("%s: there is no related item %s", name, other)
			}
		}
		if n := len(strings.Fields(body)); n < 300 || n > 950 {
			t.Errorf("%s: %d words", name, n)
		}
		if len(pictures) < 1 || len(pictures) > 4 {
			t.Errorf("%s: %d pictures", name, len(pictures))
		}
	}
	if pages != 520 {
		t.Errorf("%d pages, want %s", pages, items)
	}
}

// parse reads a content file.
func parse(t *testing.T, name, text string) (front, string) {
	t.Helper()
	parts := strings.SplitN(text, "---\n", 3)
	if len(parts) != 3 || parts[0] != "" {
		t.Fatalf("%s has no front matter", name)
	}
	var f front
	if err := yaml.UnmarshalWithOptions([]byte(parts[1]), &f, yaml.Strict()); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return f, parts[2]
}

func TestShape(t *testing.T) {
	kinds, paths, people, subjects := make(map[record.Kind]int), make(map[string]int), make(map[string]int), make(map[string]int)
	for _, r := range records(t, newspaper(t)) {
		kinds[r.Kind]++
		if r.Kind == record.Folder || r.Kind == record.Writer {
			continue
		}
		paths[r.Path]++
		for _, w := range r.Writers {
			people[w.ID]++
		}
		for _, tag := range r.Tags {
			subjects[tag]++
		}
		if age := newest.Sub(r.Published); age < 0 || age > years {
			t.Errorf("%s %s was published at %s", r.Kind, r.ID, r.Published)
		}
	}
	if kinds[record.Folder] != 40 || kinds[record.Writer] != 60 || len(paths) != 40 || len(people) != 60 {
		t.Errorf("%v; %d folders and %d writers have items", kinds, len(paths), len(people))
	}
	if len(subjects) < 200 || len(subjects) > 300 || len(tags) != 300 {
		t.Errorf("%d of %d tags are in use", len(subjects), len(tags))
	}
	for _, kind := range []record.Kind{record.Article, record.Column, record.Gallery, record.Video} {
		if kinds[kind] == 0 {
			t.Errorf("there is no %s", kind)
		}
	}
	for name, sizes := range map[string]map[string]int{"folder": paths, "tag": subjects} {
		ordered := slices.Sorted(maps.Values(sizes))
		if n := len(ordered); ordered[n-1] < 5*ordered[n/2] {
			t.Errorf("the largest %s has %d items, the one in the middle %d", name, ordered[n-1], ordered[n/2])
		}
	}
}

// TestChange: an edit touches the same items in the archive and in the Hugo
// site, moves none, and makes the same of them each time.
func TestChange(t *testing.T) {
	dir := newspaper(t)
	recordsBefore, filesBefore := records(t, dir), hugoSite(t, dir)
	change(t, dir, "10", "7")
	recordsAfter, filesAfter := records(t, dir), hugoSite(t, dir)
	var edited, rewritten []string
	titles := 0
	for key, r := range recordsAfter {
		before := recordsBefore[key]
		if before.Hash != r.Hash {
			edited = append(edited, r.ID)
			if before.Title != r.Title {
				titles++
			}
		}
		if before.URL != r.URL {
			t.Errorf("%s moved to %s", before.URL, r.URL)
		}
	}
	for name, text := range filesAfter {
		if filesBefore[name] != text {
			rewritten = append(rewritten, name[len(name)-len("48999999.md"):len(name)-len(".md")])
		}
	}
	slices.Sort(edited)
	slices.Sort(rewritten)
	if !slices.Equal(edited, rewritten) {
		t.Errorf("edited in the archive %v\nin the Hugo site %v", edited, rewritten)
	}
	if len(filesAfter) != len(filesBefore) || len(recordsAfter) != len(recordsBefore) {
		t.Error("an edit adds or removes items")
	}
	if n := len(edited); n < 35 || n > 90 || titles < n/8 || titles > n/2 {
		t.Errorf("%d items were edited, %d of them with a new headline; want about 60, and a quarter of them", n, titles)
	}
	change(t, dir, "10", "7")
	if !maps.Equal(filesAfter, hugoSite(t, dir)) || !reflect.DeepEqual(recordsAfter, records(t, dir)) {
		t.Error("the same edit makes something else")
	}
	change(t, dir, "10", "8")
	if maps.Equal(filesAfter, hugoSite(t, dir)) || reflect.DeepEqual(recordsAfter, records(t, dir)) {
		t.Error("another edit changes nothing")
	}
}

func TestConfigurationLoads(t *testing.T) {
	c, err := config.Load(filepath.Join(newspaper(t), "site.yaml"), func(string) (string, bool) { return "", false })
	if err != nil {
		t.Fatal(err)
	}
	if c.Archive != "archive.db" || c.Media != "link" || c.Markdown || len(c.Feeds.Formats) != 2 {
		t.Errorf("%+v", c)
	}
}

func TestRefusals(t *testing.T) {
	dir := newspaper(t)
	tests := map[string]struct {
		args []string
		want string
	}{
		"nothing to do":         {nil, "-archive"},
		"no items":              {[]string{"-items", "0", "-hugo", "x"}, "-items 0"},
		"more than all":         {[]string{"-change", "101", "-hugo", "x"}, "-change 101"},
		"an argument":           {[]string{"-hugo", "x", "more"}, "more"},
		"over an archive":       {[]string{"-archive", filepath.Join(dir, "archive.db")}, "archive.db"},
		"over a Hugo site":      {[]string{"-hugo", filepath.Join(dir, "hugo")}, "hugo"},
		"nothing left":          {[]string{"-hold", "1000", "-hugo", "x"}, "-hold"},
		"an edit of no archive": {[]string{"-change", "1", "-archive", filepath.Join(dir, "none.db")}, "none.db"},
		"an edit of no site":    {[]string{"-change", "99", "-hugo", filepath.Join(dir, "none")}, "none"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var stderr bytes.Buffer
			if code := run(test.args, &stderr); code != 1 || !strings.Contains(stderr.String(), test.want) {
				t.Errorf("exit code %d, %s; want 1 and %q", code, &stderr, test.want)
			}
		})
	}
}
