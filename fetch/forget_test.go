package fetch_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"ayna/record"
	"ayna/testrun/fakepaper"
)

// After a record is forgotten, the archive has only its id and address in the list of
// forgotten records, and later runs do not store it again.
func TestForgottenForGood(t *testing.T) {
	withClock(t, func(t *testing.T) {
		const id, own, shared = "50000001", "gizlenen.png", "ortak.png"
		words := []string{"Kaybolanbaşlık", "Kaybolanspot", "Kaybolanmetin", "Kaybolanönceki", "Kaybolanetiket", "Kaybolandeğişen"}
		n := open(t, fakepaper.Options{Items: 12})
		time.Sleep(time.Until(afterAll))
		path := n.onDisk(t)
		n.options.Pictures, n.options.Searches = true, []string{"aranan"}
		url := n.Base + "/haber-" + id
		forgotten := fakepaper.Record{
			Group: "articles", ID: id, Title: words[3], Spot: words[1], Text: "<p>aranan " + words[2] + "</p>", Tags: []string{words[4]},
			Path: "/spor/", URL: url, Created: time.Now(), Modified: time.Now(), Pictures: []string{n.Base + "/resim/" + own, n.Base + "/resim/" + shared},
		}
		mention := `{"Id":"` + id + `","Title":"` + words[0] + `","Url":"` + url + `","Files":[],"RelatedNews":[{"Id":"` + id + `"}]}`
		n.Add(
			forgotten,
			fakepaper.Record{
				Group: "articles", ID: "50000002", RawList: `{"Id":"50000002","Title":"Komşu","Path":"/spor/"}`,
				RawSingle: `{"Id":"50000002","Title":"Komşu","Path":"/spor/","Files":[{"FileUrl":"` + n.Base + "/resim/" + shared + `"}],` +
					`"RelatedNews":[` + mention + `,{"Id":"48999999","Title":"Kalan"}],"Text":"<p><a href=\"` + url + `\">bağ</a> kalan</p>"}`,
			},
			fakepaper.Record{
				Group: "pages", ID: "65aa01d0b0000000000000ff", RawList: `{"Id":"65aa01d0b0000000000000ff","Title":"Ön"}`,
				RawSingle: `{"Id":"65aa01d0b0000000000000ff","Title":"Ön","PageNews":[` + mention + `,{"Id":"50000002","Title":"Komşu"}]}`,
			},
		)
		n.mustRun(t)
		n.Edit("articles", id, func(r *fakepaper.Record) {
			r.Title, r.Text, r.Modified = words[0], "<p>aranan "+words[2]+" "+words[5]+"</p>", time.Now()
		})
		n.mustRun(t)
		n.checkComplete(t)
		if pictures := n.pictureNames(t); len(pictures) != 2+3 || countBytes(t, path, words[2]) < 2 {
			t.Fatalf("%d pictures, %d copies of the text", len(pictures), countBytes(t, path, words[2]))
		}
		if hits, err := n.archive.Index.Saved(t.Context(), "aranan", nil); err != nil || len(hits) != 1 {
			t.Fatalf("%d hits, %v", len(hits), err)
		}
		pictures := len(n.pictureNames(t))

		n.forget(t, record.Article, id)
		check := func(when string) {
			t.Helper()
			for _, word := range words {
				if copies := countBytes(t, path, word) + countBytes(t, path, strings.ToLower(word)); copies > 0 {
					t.Errorf("%s: %d copies of %s in the archive", when, copies, word)
				}
			}
			// In the table forgotten, with the address and alone, and at the end of the
			// address, there and in the index that guards it.
			if copies, addresses := countBytes(t, path, id), countBytes(t, path, url); copies != 6 || addresses != 2 {
				t.Errorf("%s: the id is there %d times, the address %d times", when, copies, addresses)
			}
			if now := len(n.pictureNames(t)); now != pictures-1 {
				t.Errorf("%s: %d pictures of %d", when, now, pictures)
			}
			if hits, err := n.archive.Index.Saved(t.Context(), "aranan", nil); err != nil || len(hits) > 0 {
				t.Errorf("%s: %d hits, %v", when, len(hits), err)
			}
			page, err := n.archive.Records.Get(t.Context(), record.Page, "65aa01d0b0000000000000ff")
			if err != nil || len(page.Related) != 1 || page.Related[0].ID != "50000002" {
				t.Errorf("%s: the page names %v, %v", when, page.Related, err)
			}
			neighbour, err := n.archive.Records.Get(t.Context(), record.Article, "50000002")
			if err != nil || len(neighbour.Related) != 1 || !strings.Contains(string(neighbour.Single), "kalan") || slices.Contains(neighbour.Links, url) {
				t.Errorf("%s: the neighbour names %v, links %v, %v", when, neighbour.Related, neighbour.Links, err)
			}
		}
		check("at once")
		for i, full := range []bool{false, false, true} {
			n.options.Full = full
			n.mustRun(t)
			if asked := n.Count(func(r fakepaper.Request) bool { return r.ID == id }); asked > 0 {
				t.Errorf("run %d asked for it", i)
			}
			if fetched := n.pictureRequests(); len(fetched) > 0 {
				t.Errorf("run %d asked for pictures: %v", i, fetched)
			}
			check("after a run")
			time.Sleep(25 * time.Hour)
		}
		if err := n.archive.Close(); err != nil {
			t.Fatal(err)
		}
		n.archive = fakepaper.Open(t, path)
		n.mustRun(t)
		check("after another process")
	})
}

// countBytes counts a text in the files of the archive.
func countBytes(t *testing.T, path, text string) (count int) {
	t.Helper()
	err := filepath.WalkDir(filepath.Dir(path), func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(name)
		count += bytes.Count(content, []byte(text))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return count
}

// A record that was never stored can be forgotten.
func TestUnknownRecord(t *testing.T) {
	withClock(t, func(t *testing.T) {
		n := open(t, fakepaper.Options{Items: 20})
		for range 2 { // twice is once
			n.forget(t, record.Article, "48999996")
		}
		report := n.mustRun(t)
		if _, err := n.archive.Records.Get(t.Context(), record.Article, "48999996"); err == nil || len(report.Failed) > 0 {
			t.Errorf("error %v, failed %+v", err, report.Failed)
		}
		if asked := n.Count(func(r fakepaper.Request) bool { return r.ID == "48999996" }); asked > 0 {
			t.Error("it was asked for")
		}
	})
}

// The same id is another record in another kind.
func TestOneKindOnly(t *testing.T) {
	withClock(t, func(t *testing.T) {
		n := open(t, fakepaper.Options{Items: 20})
		n.Add(fakepaper.Record{Group: "columns", ID: "48999996", Title: "Köşe", Text: "<p>Köşe</p>", Path: "/yazarlar/"})
		n.mustRun(t)
		n.forget(t, record.Article, "48999996")
		n.mustRun(t)
		if r, err := n.archive.Records.Get(t.Context(), record.Column, "48999996"); err != nil || r.Title != "Köşe" {
			t.Errorf("%+v, %v", r, err)
		}
	})
}

// Redaction keeps what only looks like a mention: a folder with the address of an
// editorial page, columns below a writer's address. An address without the id is a mention.
func TestOthersStay(t *testing.T) {
	withClock(t, func(t *testing.T) {
		const page, writer, article, column, linking = "65aa01d0b0000000000000ff", "5326ae7ca7c41e0f00000001", "50000001", "50000002", "50000003"
		n := open(t, fakepaper.Options{Items: 20})
		time.Sleep(time.Until(afterAll))
		hidden := n.Base + "/spor/gizlenen"
		n.Add(
			fakepaper.Record{Group: "pages", ID: page, RawList: `{"Id":"` + page + `","Title":"Spor","Url":"/spor/"}`},
			fakepaper.Record{Group: "writers", ID: writer, RawList: `{"Id":"` + writer + `","Fullname":"Ada Kaya","Url":"` + n.Base + `/ada-kaya/"}`},
			fakepaper.Record{Group: "articles", ID: article, Title: "Gizlenen", Path: "/spor/", URL: hidden, Created: time.Now(), Modified: time.Now()},
			fakepaper.Record{
				Group: "columns", ID: column,
				RawList: `{"Id":"` + column + `","Title":"Köşe","Path":"/spor/","Url":"` + n.Base + `/ada-kaya/kose","WriterId":"` + writer + `"}`,
			},
			fakepaper.Record{
				Group: "articles", ID: linking, RawList: `{"Id":"` + linking + `","Title":"Bağlayan","Path":"/spor/"}`,
				RawSingle: `{"Id":"` + linking + `","Title":"Bağlayan","Path":"/spor/","Text":"<a href=\"` + hidden + `\">o</a> <a href=\"` + hidden + `-devami\">bu</a>"}`,
			},
		)
		n.mustRun(t)
		n.checkComplete(t)
		for _, f := range []struct {
			kind record.Kind
			id   string
		}{{record.Page, page}, {record.Writer, writer}, {record.Article, article}} {
			n.forget(t, f.kind, f.id)
		}
		n.mustRun(t)
		time.Sleep(time.Hour)
		n.Add(fakepaper.Record{
			Group: "columns", ID: "50000004", RawList: `{"Id":"50000004","Title":"Yeni köşe","Path":"/spor/","WriterId":"` + writer + `"}`,
		})
		for i := range 3 {
			time.Sleep(time.Hour)
			report := n.mustRun(t)
			for kind, count := range report.Kinds {
				if count.Changed > 0 {
					t.Errorf("run %d: %d %ss are changed", i, count.Changed, kind)
				}
			}
			kose, err := n.archive.Records.Get(t.Context(), record.Column, column)
			if err != nil || kose.Path != "/spor/" || kose.URL != n.Base+"/ada-kaya/kose" {
				t.Fatalf("run %d: the column is at %q in %q, %v", i, kose.URL, kose.Path, err)
			}
			other, err := n.archive.Records.Get(t.Context(), record.Article, linking)
			if err != nil || !slices.Equal(other.Links, []string{hidden + "-devami"}) || strings.Contains(string(other.Single), hidden+`\"`) {
				t.Fatalf("run %d: the article links %v, %v", i, other.Links, err)
			}
			if lists := n.Count(func(r fakepaper.Request) bool { return r.Operation == "writers" && r.List() }); lists > 1 {
				t.Errorf("run %d read the writers' list %d times", i, lists)
			}
		}
	})
}

// forget removes a record from the archive for good.
func (n *mirror) forget(t *testing.T, kind record.Kind, id string) {
	t.Helper()
	fakepaper.Forget(t, n.archive, kind, id)
}
