package sample

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"ayna/testrun"
)

const base = "http://127.0.0.1:8080"

func mustRecords(t *testing.T) []Record {
	t.Helper()
	records, err := Records(base)
	if err != nil {
		t.Fatal(err)
	}
	return records
}

// wide decodes what any of the records may hold.
type wide struct {
	ID, Fullname, CreatedDate, ModifiedDate, StartDate  string
	Description, Editor, Path, Text, Title, URL, Writer string
	Tags                                                []string
	Files                                               []struct {
		FileURL  string
		Metadata struct{ Title, Description *string }
	}
	PageNews, RelatedNews, Writers []wide
	WriterID                       string
}

func decode(t *testing.T, b []byte) (w wide) {
	t.Helper()
	if err := json.Unmarshal(b, &w); err != nil {
		t.Fatalf("%s: %v", b, err)
	}
	return w
}

func TestCounts(t *testing.T) {
	least := map[string]int{
		"articles": 120, "columns": 30, "newsphotogalleries": 15, "newsvideos": 10,
		"pages": 5, "writers": 12, "paths": 25,
	}
	got, deepest, writers := map[string]int{}, 0, map[string]bool{}
	for _, r := range mustRecords(t) {
		got[r.Group]++
		single := decode(t, r.Single)
		switch r.Group {
		case "newsphotogalleries":
			if n := len(single.Files); n < 5 || n > 12 {
				t.Errorf("gallery %s has %d pictures, not 5 to 12", r.ID, n)
			}
		case "pages":
			if n := len(single.PageNews); n < 6 || n > 14 {
				t.Errorf("page %s has %d items, not 6 to 14", r.ID, n)
			}
		case "paths":
			deepest = max(deepest, strings.Count(single.Path, "/")-1)
		case "columns":
			writers[decode(t, r.List).WriterID] = true
		}
	}
	for group, n := range least {
		if got[group] < n {
			t.Errorf("%d %s, want at least %d", got[group], group, n)
		}
	}
	if len(got) != len(least) {
		t.Errorf("groups %v, want %v", slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(least)))
	}
	if deepest < 3 {
		t.Errorf("the deepest folder has %d levels, want 3", deepest)
	}
	if len(writers) < 12 {
		t.Errorf("%d writers have columns, want 12", len(writers))
	}
}

// The order of the fields in answers recorded from the service, and beside
// them the fields that only the document or its users know of.
func TestFields(t *testing.T) {
	tests := map[string]struct{ list, single string }{
		"articles": {
			"Id ContentType CreatedDate Description Files ModifiedDate Path StartDate Tags Title Url",
			"Id ContentType CreatedDate Description Editor Files ModifiedDate Path RelatedNews StartDate Tags Text Title Url Writers",
		},
		"columns": {
			"Id Fullname ContentType CreatedDate Description Files Path StartDate Title Url WriterId",
			"Id Fullname ContentType CreatedDate Description Files Path StartDate Text Title Url",
		},
		"newsphotogalleries": {
			"Id ContentType CreatedDate Description Files ModifiedDate Path StartDate Tags Title Url",
			"Id ContentType CreatedDate Description Editor Files Path StartDate Tags Text Title Url",
		},
		"newsvideos": {
			"Id ContentType CreatedDate Description Files ModifiedDate Path StartDate Title Url",
			"Id ContentType CreatedDate Description Editor Files Path StartDate Tags Text Title Url",
		},
		"pages": {
			"Id CreatedDate Title Url",
			"Id CreatedDate PageNews RelatedNews Title Url",
		},
		"writers": {
			"Id Fullname ContentType CreatedDate Files Path Url",
			"Id Fullname ContentType CreatedDate Files Path RelatedNews Tags Url",
		},
		"paths": {"Id Path Title", "Id Path Title"},
	}
	for _, r := range mustRecords(t) {
		want := tests[r.Group]
		if got := keys(t, r.List); got != want.list {
			t.Errorf("%s %s in the list has %s, want %s", r.Group, r.ID, got, want.list)
		}
		if got := keys(t, r.Single); got != want.single {
			t.Errorf("%s %s alone has %s, want %s", r.Group, r.ID, got, want.single)
		}
	}
}

// keys are the fields of a JSON object in their order.
func keys(t *testing.T, object []byte) string {
	t.Helper()
	var compact bytes.Buffer
	if err := json.Compact(&compact, object); err != nil || !bytes.Equal(compact.Bytes(), object) {
		t.Fatalf("not compact JSON (%v): %s", err, object)
	}
	var out []string
	d := json.NewDecoder(bytes.NewReader(object))
	if tok, err := d.Token(); err != nil || tok != json.Delim('{') {
		t.Fatalf("not an object: %s", object)
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, key.(string))
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			t.Fatal(err)
		}
		if string(value) == "null" {
			t.Errorf("%s is null: %s", key, object)
		}
	}
	return strings.Join(out, " ")
}

func TestOrder(t *testing.T) {
	newest := func(a, b wide) int { return dateOf(t, b.StartDate).Compare(dateOf(t, a.StartDate)) }
	created := func(a, b wide) int { return dateOf(t, b.CreatedDate).Compare(dateOf(t, a.CreatedDate)) }
	compare := map[string]func(a, b wide) int{
		"articles": newest, "columns": newest, "newsphotogalleries": newest, "newsvideos": newest,
		"pages": created, "writers": created,
		"paths": func(a, b wide) int { return strings.Compare(a.Title, b.Title) },
	}
	last := map[string]wide{}
	for _, r := range mustRecords(t) {
		w := decode(t, r.List)
		if before, ok := last[r.Group]; ok && compare[r.Group](before, w) > 0 {
			t.Errorf("%s: %s stands before %s", r.Group, before.ID, w.ID)
		}
		last[r.Group] = w
	}
}

func dateOf(t *testing.T, s string) time.Time {
	t.Helper()
	d, err := time.Parse(time.RFC3339Nano, s)
	if err != nil || !strings.HasSuffix(s, "Z") {
		t.Errorf("date %q is not UTC: %v", s, err)
	}
	return d
}

func TestUnique(t *testing.T) {
	ids, starts, urls, fractions := map[string]bool{}, map[time.Time]string{}, map[string]string{}, map[int]bool{}
	for _, r := range mustRecords(t) {
		w := decode(t, r.List)
		if ids[r.ID] || w.ID != r.ID {
			t.Errorf("%s %s: id %q is taken or not the record's", r.Group, r.ID, w.ID)
		}
		ids[r.ID] = true
		_, fraction, _ := strings.Cut(w.CreatedDate, ".")
		fractions[len(strings.TrimSuffix(fraction, "Z"))] = true
		if w.StartDate == "" {
			continue
		}
		start := dateOf(t, w.StartDate)
		if other, ok := starts[start]; ok {
			t.Errorf("%s and %s start at the same time", r.ID, other)
		}
		starts[start] = r.ID
		if other, ok := urls[w.URL]; ok {
			t.Errorf("%s and %s have the same Url", r.ID, other)
		}
		urls[w.URL] = r.ID
	}
	if len(fractions) < 4 {
		t.Errorf("dates have %d different counts of fraction digits, want 0 to 3", len(fractions))
	}
}

func TestAddresses(t *testing.T) {
	items, bare, links, shown := map[string]string{}, 0, 0, 0
	records := mustRecords(t)
	for _, r := range records {
		w := decode(t, r.Single)
		items[w.URL] = r.ID
		if _, err := url.Parse(w.URL); err != nil {
			t.Errorf("%s: %v", r.ID, err)
		}
		if r.Group == "writers" && w.URL == base {
			bare++
		}
		if ok := strings.HasPrefix(w.URL, base); ok == (r.Group == "pages") && r.Group != "paths" {
			t.Errorf("%s %s has the Url %s", r.Group, r.ID, w.URL)
		}
		prefix := base + "/"
		if r.Group == "columns" {
			prefix += "yazarlar/"
		}
		if w.StartDate != "" && !(strings.HasPrefix(w.URL, prefix) && strings.HasSuffix(w.URL, "-"+r.ID)) {
			t.Errorf("%s %s has the Url %s", r.Group, r.ID, w.URL)
		}
	}
	for _, r := range records {
		w := decode(t, r.Single)
		for _, part := range strings.Split(w.Text, `href="`+base)[1:] {
			address, _, _ := strings.Cut(part, `"`)
			if items[base+address] == "" {
				t.Errorf("%s links %s, which is no item's Url", r.ID, address)
			}
			links++
		}
		shown += strings.Count(w.Text, `src="`+base+"/resim/")
		if strings.Contains(w.Text, "haber:") || strings.Contains(w.Text, "resim:") {
			t.Errorf("%s has a reference left in its text", r.ID)
		}
		for _, f := range w.Files {
			if !strings.HasPrefix(f.FileURL, base+"/resim/") || !strings.HasSuffix(f.FileURL, ".jpg") {
				t.Errorf("%s has the picture %s", r.ID, f.FileURL)
			}
			described := r.Group != "columns" && r.Group != "writers"
			if f.Metadata.Title == nil || (f.Metadata.Description != nil) != described {
				t.Errorf("%s has a picture with the wrong metadata", r.ID)
			}
		}
	}
	if bare != 1 || links < 40 || shown < 10 {
		t.Errorf("%d writers without a page, %d links and %d pictures in texts; want 1, at least 40 and 10", bare, links, shown)
	}
}

func TestRawText(t *testing.T) {
	for _, r := range mustRecords(t) {
		for _, escaped := range []string{`\u003c`, `\u003e`, `\u0026`} {
			if bytes.Contains(r.Single, []byte(escaped)) {
				t.Errorf("%s %s is escaped with %s", r.Group, r.ID, escaped)
			}
		}
	}
}

func TestSameEveryTime(t *testing.T) {
	testrun.NotShort(t)
	first, second := mustRecords(t), mustRecords(t)
	if !slices.EqualFunc(first, second, func(a, b Record) bool {
		return a.ID == b.ID && bytes.Equal(a.List, b.List) && bytes.Equal(a.Single, b.Single)
	}) {
		t.Error("two readings differ")
	}
}

func TestBase(t *testing.T) {
	here := mustRecords(t)
	there, err := Records("https://ornek.test/x")
	if err != nil {
		t.Fatal(err)
	}
	for i := range here {
		moved := strings.ReplaceAll(string(here[i].Single), base, "https://ornek.test/x")
		if moved != string(there[i].Single) {
			t.Fatalf("%s %s differs in more than its base", here[i].Group, here[i].ID)
		}
	}
}

// Every file of the content is one that read looks for.
func TestNoStrayFiles(t *testing.T) {
	n := 3 // the YAML files
	for _, r := range mustRecords(t) {
		if r.Group != "pages" && r.Group != "writers" && r.Group != "paths" {
			n++
		}
	}
	err := fs.WalkDir(contentFiles, ".", func(path string, d fs.DirEntry, err error) error {
		if !d.IsDir() {
			n--
		}
		return err
	})
	if err != nil || n != 0 {
		t.Errorf("%d files of the content are not read: %v", -n, err)
	}
}
