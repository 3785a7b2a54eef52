package browser

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"ayna/archive"
	"ayna/assets"
	"ayna/generator"
	"ayna/generator/config"
	"ayna/record"
	"ayna/templates"
	"ayna/testrun"
)

// longWords have no place where a line may end.
var longWords = []string{
	"#AtatürkünKızlarıSizinleGururDuyuyor",
	"https://haber.example/gundem/2026/09/uzun-bir-adresin-icinde-bosluk-yoktur?kaynak=baslik&sira=1",
	strings.Repeat("u", 500),
}

// tall counts the titles in lists and of related items that have more than eight lines, or than
// four in the first part of home.
const tall = `[...document.querySelectorAll(".teaser :is(h2, h3), .related li > a, .neighbours bdi, .headlines li > a, .latest li > a, .more li > a")].
	filter((e) => e.offsetHeight > (e.closest(".front") ? 5 : 9) * parseFloat(getComputedStyle(e).lineHeight)).length`

// cut counts the parts of lines with small facts that begin outside of the line, which hides them.
const cut = `[...document.querySelectorAll(".meta > *")].filter((e) => {
  const text = document.createRange(), line = e.parentElement.getBoundingClientRect();
  text.selectNodeContents(e);
  return [...text.getClientRects()].some((box) => box.left < line.left - 1);
}).length`

// TestNarrow: neither a long word nor a wide table in any field makes a page
// wider than its window, and a long title leaves room for others in a list. Each page is
// looked at as on a phone and in one of two wider windows, or in a long run in all.
func TestNarrow(t *testing.T) {
	c := openTab(t)
	dir := t.TempDir()
	publishWide(t, dir)
	var pages []string
	err := fs.WalkDir(os.DirFS(dir), "public", func(name string, _ fs.DirEntry, err error) error {
		if path.Ext(name) == ".html" && path.Base(name) != "404.html" { // servers show it
			pages = append(pages, name)
		}
		return err
	})
	if err != nil || len(pages) < 40 {
		t.Fatalf("%d pages: %v", len(pages), err)
	}
	looks := []look{phone, {width: 800, script: true}, desktop}
	for i, name := range pages {
		c.do(t, chromedp.Navigate("file://"+filepath.Join(dir, name)))
		for k, l := range looks {
			if !testrun.Long() && k == 1+i%2 {
				continue
			}
			c.wear(t, l)
			want(t, c, name, `document.documentElement.clientWidth`, l.width)
			for _, faults := range []string{tall, cut} {
				if n := eval[int](t, c, faults); n > 0 {
					t.Errorf("%s: %s: %d of %s", l, name, n, faults)
				}
			}
			if width := call(t, c, page.GetLayoutMetrics, cdp.Empty{}).CSSContentSize.Width; width > float64(l.width) {
				t.Errorf("%s: %s is %v pixels wide", l, name, width)
			}
		}
	}
}

// torn returns the words of the site's name and of the masthead's links that a line's end
// tears apart, and those that stand outside of the window.
const torn = `[...document.querySelectorAll(".name, .tools a, .sections > a")].flatMap((e) => {
  const text = document.createTreeWalker(e, NodeFilter.SHOW_TEXT).nextNode(), range = document.createRange();
  return [...text.data.matchAll(/\S+/g)].filter((word) => {
    range.setStart(text, word.index);
    range.setEnd(text, word.index + word[0].length);
    const boxes = range.getClientRects();
    return boxes.length !== 1 || boxes[0].left < 0 || boxes[0].right > innerWidth;
  }).map(String);
})`

// TestLargeText: with letters of twice the size no word of the masthead is torn apart, and
// no page is wider than the window. The narrowest shows a page of each template.
func TestLargeText(t *testing.T) {
	p := build(t)
	c := openTab(t)
	for _, size := range []int64{16, 32} {
		call(t, c, page.SetFontSizes, page.SetFontSizesParams{FontSizes: &page.FontSizes{Standard: size}})
		for _, width := range []int64{320, 390, 768, 1280} {
			c.wear(t, look{width: width, script: true})
			names := templated
			if width > 320 {
				names = names[:1]
			}
			for _, name := range p.find(t, names...) {
				c.do(t, chromedp.Navigate(p.url+name))
				if found := eval[[]string](t, c, torn); len(found) > 0 {
					t.Errorf("%s, %d pixels, letters of %d: torn: %q", name, width, size, found)
				}
				if wide := call(t, c, page.GetLayoutMetrics, cdp.Empty{}).CSSContentSize.Width; wide > float64(width) {
					t.Errorf("%s, %d pixels, letters of %d: it is %v wide", name, width, size, wide)
				}
			}
		}
	}
}

// publishWide publishes a site of long words and wide tables into dir.
func publishWide(t *testing.T, dir string) {
	t.Helper()
	publishRecords(t, dir, wide(), func(tx *archive.Tx) error {
		for i := range 12 {
			word := longWords[i%len(longWords)]
			c := archive.Comment{ID: fmt.Sprint(i + 1), Record: "42000000", Parent: fmt.Sprint(i), Author: word, HTML: "<p>" + word + "</p><pre>" + word + "</pre><table><tr>" + strings.Repeat("<td>sütun</td>", 14) + "</table>"}
			if _, err := tx.Comments.Put(c); err != nil {
				return err
			}
		}
		changed := wide()[0]
		changed.fields["Title"] = "Önce " + longWords[0]
		return changed.put(tx, time.Date(2026, 9, 21, 0, 0, 0, 0, time.UTC))
	})
}

// publishRecords publishes a site of records into dir, and of what more puts.
func publishRecords(t *testing.T, dir string, records []weapon, more func(*archive.Tx) error) {
	t.Helper()
	cells := strings.Repeat(" sütun |", 14)
	files := map[string]string{
		"site.yaml": "title: Deneme\nbase_url: https://ayna.example/\nmedia: link\narchive: archive.db\noutput: public\nown_pages: own\n",
		"own/hakkinda.md": "# Hakkında\n\n|" + cells + "\n|" + strings.Repeat("---|", 14) + "\n|" + cells + "\n\n" +
			strings.Join(longWords, " ") + "\n",
	}
	for name, text := range files {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	c, err := config.Load(filepath.Join(dir, "site.yaml"), os.LookupEnv)
	if err != nil {
		t.Fatal(err)
	}
	c.Archive, c.Output, c.OwnPages, c.Comments = filepath.Join(dir, "archive.db"), filepath.Join(dir, "public"), filepath.Join(dir, "own"), config.MirrorComments
	a, err := archive.Open(t.Context(), c.Archive)
	if err != nil {
		t.Fatal(err)
	}
	err = a.Update(t.Context(), func(tx *archive.Tx) error {
		for _, w := range records {
			if err := w.put(tx, time.Date(2026, 9, 20, 0, 0, 0, 0, time.UTC)); err != nil {
				return err
			}
		}
		return more(tx)
	})
	if err := errors.Join(err, a.Close()); err != nil {
		t.Fatal(err)
	}
	_, err = generator.Build(t.Context(), generator.Options{Config: c, Offline: true, Version: "test", Templates: templates.FS, Assets: assets.FS})
	if err != nil {
		t.Fatal(err)
	}
}

// wide returns records with a long word in each field.
func wide() []weapon {
	var all []weapon
	kinds := []record.Kind{record.Article, record.Article, record.Article, record.Column, record.Gallery, record.Video}
	for i := range len(longWords) * len(kinds) {
		word := longWords[i/len(kinds)]
		said := "Bir " + word + " daha"
		folder := fmt.Sprintf("/bolum%d/", i%3)
		text := "<p>" + said + "</p><ul><li>" + said + "</ul><blockquote>" + word + "</blockquote><h2>" + word + "</h2><pre>" + word + "</pre><code>" + word + "</code>" +
			"<table><tr>" + strings.Repeat("<td>sütun</td>", 14) + "</table><table><tr><td>" + word + "<td>b</table><dl><dt>" + word + "<dd>" + word + "</dl>" +
			`<figure><img src="https://haber.example/yok.jpg" alt="` + word + `"><figcaption>` + word + `</figcaption></figure><details><summary>` + word + `</summary>` + word + `</details>` +
			`<iframe src="https://haber.example/o" title="` + word + `"></iframe>`
		all = append(all, weapon{kinds[i%len(kinds)], map[string]any{
			"Id": 42_000_000 + i, "Title": word, "Description": said, "Editor": word, "Path": folder, "Url": fmt.Sprintf("https://haber.example%shaber-%d", folder, i),
			"Tags": []string{word, "kısa", "iki söz"}, "Text": text, "Fullname": word, "Writers": []any{map[string]any{"Id": longID(i % 3), "Fullname": word}},
			"RelatedNews": []any{map[string]any{"Id": "x", "Title": word, "Url": "https://haber.example/x"}, map[string]any{"Id": 42_000_000, "Title": word}},
			"StartDate":   time.Date(2026, 9, 1, 0, 30*i, 0, 0, time.UTC),
		}})
	}
	for i, word := range longWords {
		all = append(all,
			weapon{record.Writer, map[string]any{"Id": longID(i), "Fullname": word, "Description": word}},
			weapon{record.Folder, map[string]any{"Id": longID(i), "Path": fmt.Sprintf("/bolum%d/", i), "Title": word}},
			weapon{record.Page, map[string]any{"Id": longID(i), "Title": word, "Description": word, "PageNews": []any{map[string]any{"Id": 42_000_001}, map[string]any{"Id": "yok", "Title": word}}}})
	}
	return all
}
