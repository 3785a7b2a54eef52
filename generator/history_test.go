package generator_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ayna/archive"
	"ayna/generator"
	"ayna/record"
	"ayna/testrun/fakepaper"
)

// A site that is brought up to date is the one that another program with other workers
// makes from nothing, and what is taken out for good is not found in what articles said
// before. Texts that have just arrived are not cleaned again.
func TestHistoryOfAnArticle(t *testing.T) {
	t.Parallel()
	p := newPress(t)
	p.mustBuild(t, func(o *generator.Options) {
		o.Progress = func(progress generator.Progress) {
			if progress.Stage == generator.Clean {
				t.Errorf("%d texts are cleaned again", progress.Total)
			}
		}
	})
	changed, mentioned := twoArticles(t, p.config.Archive)
	for i, fields := range []map[string]any{
		{"Description": "Bakınız " + mentioned.URL + " diye", "Text": "<p>Bakınız " + mentioned.URL + " adresindeki haber.</p>", "RelatedNews": []any{map[string]string{"Id": mentioned.ID, "Title": "anılan", "Url": mentioned.URL}}},
		{"Text": "<p>Bakınız arşivdeki haber.</p>", "RelatedNews": []any{}},
		{"Text": "<p>Bakınız arşivdeki haber.</p>", "Tags": []string{"yeni"}},
	} {
		at := time.Date(2026, 11, 1, i, 0, 0, 0, time.UTC)
		amend(t, p.config.Archive, changed, fields, at)
		amend(t, p.config.Archive, mentioned, map[string]any{"Tags": [][]string{{"Ali Veli"}, {}, {}}[i]}, at)
		p.offline(t)
	}
	text := string(treeOf(t, p.config.Output)[changed.Address])
	if n := strings.Count(text, "<li>\n<p class=\"meta\"><time"); n != 2 {
		t.Errorf("%s tells of %d changes", changed.Address, n)
	}
	if treeOf(t, p.config.Output)["etiket/ali-veli/index.html"] == nil {
		t.Error("the tag that an article had leaves nothing")
	}
	if !strings.Contains(text, mentioned.URL) {
		t.Errorf("it does not show what it said before: %s\n%s", mentioned.URL, text)
	}
	p.mustForget(t, mentioned)
	here := treeOf(t, p.config.Output)
	for name, data := range here {
		if strings.Contains(name, "ali-veli") || bytes.Contains(data, []byte("ali-veli")) || bytes.Contains(data, []byte(mentioned.ID)) || bytes.Contains(data, []byte(mentioned.URL)) {
			t.Errorf("%s still mentions what was taken out", name)
		}
	}
	other := func(o *generator.Options) { o.Offline, o.Version, o.Jobs = true, "2", 6 }
	elsewhere := filepath.Join(p.dir, "elsewhere", "public")
	p.mustBuild(t, func(o *generator.Options) { other(o); o.Config.Output = elsewhere })
	sameFiles(t, "made from nothing", here, treeOf(t, elsewhere))
	if again := p.mustBuild(t, other); again.Files.Written != 0 {
		t.Errorf("%d files written again", again.Files.Written)
	}
}

// twoArticles returns two articles of an archive that have texts, the second
// one with an address at the source.
func twoArticles(t *testing.T, name string) (first, second *archive.Record) {
	t.Helper()
	a := fakepaper.Read(t, name)
	defer a.Close()
	var found []*archive.Record
	for r, err := range a.Catalog.Scan(t.Context(), record.Article) {
		if err != nil {
			t.Fatal(err)
		}
		if r.URL != "" && r.Address != "" && !r.Fetched.IsZero() {
			found = append(found, r)
		}
	}
	if len(found) < 2 {
		t.Fatalf("%d articles", len(found))
	}
	return found[0], found[1]
}

// amend changes fields of a record's single version.
func amend(t *testing.T, name string, stored *archive.Record, fields map[string]any, at time.Time) {
	t.Helper()
	update(t, name, func(tx *archive.Tx) error {
		r, err := tx.Get(stored.Kind, stored.ID)
		if err != nil {
			return err
		}
		all := make(map[string]any)
		if err := json.Unmarshal(r.Single, &all); err != nil {
			return err
		}
		maps.Copy(all, fields)
		if r.Single, err = json.Marshal(all); err != nil {
			return err
		}
		if err := record.Fill(&r.Record, record.Dates{}); err != nil {
			return err
		}
		_, err = tx.Put(r, at)
		return err
	})
}

// update changes an archive in one transaction.
func update(t *testing.T, name string, change func(*archive.Tx) error) {
	t.Helper()
	a := fakepaper.Open(t, name)
	defer a.Close()
	fakepaper.Update(t, a, change)
}
