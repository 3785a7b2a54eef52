package page_test

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"ayna/archive"
	"ayna/generator/arrange"
	"ayna/generator/page"
	"ayna/generator/site"
	"ayna/generator/story"
	"ayna/record"
	"ayna/testrun/fakepaper"
)

// edited is an archive of the fixture whose articles change.
type edited struct {
	world
	*archive.Archive
	hours int
}

// newEdited gives every item its address.
func newEdited(t *testing.T) *edited {
	t.Helper()
	w := newWorld(t, "tr")
	e := &edited{world: w, Archive: w.store(t)}
	e.arrange(t)
	return e
}

func (e *edited) arrange(t *testing.T) *site.Site {
	t.Helper()
	s, err := arrange.Arrange(ctx, e.Archive, arrange.Options{Settings: e.settings, Mirror: true})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// edit changes fields of a record's single version, an hour after the last one.
func (e *edited) edit(t *testing.T, kind record.Kind, id string, fields map[string]any) {
	t.Helper()
	e.hours++
	at := noon.Add(time.Duration(e.hours) * time.Hour)
	r, err := e.Records.Get(ctx, kind, id)
	if err != nil {
		t.Fatal(err)
	}
	edited := *r
	for name, value := range fields {
		edited = *fakepaper.With(&edited, name, value)
	}
	edited.List, edited.Listed = r.List, at
	fakepaper.Put(t, e.Archive, &edited)
}

// render renders the site as it stands.
func (e *edited) render(t *testing.T) (tree, *site.Site) {
	t.Helper()
	s := e.arrange(t)
	r, err := page.New(story.New(e.Archive, s, true), page.Options{Templates: e.templates, Parsed: e.parsed(t)})
	if err != nil {
		t.Fatal(err)
	}
	return renderAll(t, r), s
}

const (
	bridgeID     = "41000011"
	bridgePage   = "ekonomi/liman/kopru-onarimi-bitti-41000011.html"
	columnID     = "41000100"
	columnPage   = "yazarlar/nehir-taskin/ruzgarin-yonu-41000100.html"
	historyBegin = `<details class="notice history">`
)

// historyOf returns the part of a page that shows how its item changed, without the
// words for screen readers; "" if the page has no such part.
func historyOf(t *testing.T, rendered tree, name string) string {
	t.Helper()
	_, rest, found := strings.Cut(string(rendered.files[name]), historyBegin)
	if !found {
		return ""
	}
	history, _, found := strings.Cut(rest, "</details>")
	if !found {
		t.Fatalf("%s: the history does not end", name)
	}
	return hiddenWords.ReplaceAllString(history, "")
}

var hiddenWords = regexp.MustCompile(`<span class="hidden">[^<]*</span>`)

func TestHistory(t *testing.T) {
	e := newEdited(t)
	for _, title := range []string{"Köprü onarımı sürüyor", "Köprü onarımı yeniden başladı", "Köprü açıldı"} {
		e.edit(t, record.Article, bridgeID, map[string]any{"Title": title})
	}
	e.edit(t, record.Column, columnID, map[string]any{"Text": "<p>Başka <b>bir</b> yazı</p>", "Description": "Başka spot"})
	rendered, s := e.render(t)
	history := historyOf(t, rendered, bridgePage)
	var words []string
	for _, change := range strings.SplitAfter(history, "<li>")[1:] {
		_, change, _ = strings.Cut(change, `<dd dir="auto">`)
		change, _, _ = strings.Cut(change, "</dd>")
		words = append(words, strings.TrimSpace(change))
	}
	want := []string{
		"Köprü <del>onarımı yeniden başladı</del> <ins>açıldı</ins>",
		"Köprü onarımı <del>sürüyor</del> <ins>yeniden başladı</ins>",
		"Köprü onarımı <del>bitti</del> <ins>sürüyor</ins>",
	}
	if !slices.Equal(words, want) {
		t.Errorf("the changes are\n%q\nwant\n%q", words, want)
	}
	for _, mark := range []string{
		`değişti (<time datetime="2026-09-14T15:00:00Z">14 Eylül 2026 18.00</time>)</summary>`,
		`<p class="meta"><time datetime="2026-09-14T13:00:00Z">`, "<dt>Başlık</dt>",
	} {
		if !strings.Contains(history, mark) {
			t.Errorf("the history lacks %s:\n%s", mark, history)
		}
	}
	if strings.Contains(history, "gösteriliyor") {
		t.Errorf("it says that something is left out:\n%s", history)
	}
	if data := string(rendered.files[bridgePage]); !strings.Contains(data, `<del><span class="hidden">[çıkarılan: </span>bitti<span class="hidden">]</span></del>`) {
		t.Error("who cannot see the marks does not hear which words went")
	}
	if column := historyOf(t, rendered, columnPage); !strings.Contains(column, "<dt>Metin</dt>") || !strings.Contains(column, "<dt>Özet</dt>") {
		t.Errorf("the column's history is\n%s", column)
	}
	checkLinks(t, rendered, s)
	checkPages(t, rendered)
}

// TestLongHistory: what is left out is said.
func TestLongHistory(t *testing.T) {
	e := newEdited(t)
	for i := range 15 {
		e.edit(t, record.Article, bridgeID, map[string]any{"Title": fmt.Sprintf("Köprü, %d. gün", i)})
	}
	e.edit(t, record.Article, bridgeID, map[string]any{"Text": "<p>" + strings.Repeat("eski ", 2000) + "</p>"})
	e.edit(t, record.Article, bridgeID, map[string]any{"Text": "<p>" + strings.Repeat("yeni ", 2000) + "</p>"})
	rendered, _ := e.render(t)
	history := historyOf(t, rendered, bridgePage)
	if n := strings.Count(history, "<li>"); n != 10 {
		t.Errorf("%d changes are shown", n)
	}
	if n := strings.Count(history, "eski "); n > 200 || n < 100 {
		t.Errorf("%d words of a long text are shown", n)
	}
	for _, mark := range []string{"Yalnızca son 10 değişiklik gösteriliyor.", "Değişiklik uzun; en çok 300 sözcüğü gösteriliyor.", "<ins>14.</ins>", "<del>6.</del>"} {
		if !strings.Contains(history, mark) {
			t.Errorf("the history lacks %s:\n%s", mark, history)
		}
	}
	if strings.Contains(history, "<del>5.</del>") {
		t.Error("it shows an older change")
	}
}

func TestNoHistory(t *testing.T) {
	e := newEdited(t)
	e.edit(t, record.Article, bridgeID, map[string]any{"Tags": []string{"köprü", "yol"}, "ViewCount": 3})
	e.edit(t, record.Article, bridgeID, map[string]any{"Files": []any{}})
	rendered, _ := e.render(t)
	if history := historyOf(t, rendered, bridgePage); history != "" {
		t.Errorf("it tells of a change that nobody sees:\n%s", history)
	}
}

// TestHostileHistory: words that are long gone are no less hostile.
func TestHostileHistory(t *testing.T) {
	e := newEdited(t)
	e.edit(t, record.Article, bridgeID, map[string]any{
		"Title": "</details><script>alert(1)</script>&lt;script&gt;alert(2)&lt;/script&gt; \u202eters",
		"Text":  "<p onclick=alert(3)>x</p><img src=x onerror=alert(4)></dd></dl><iframe src=//evil.example></iframe>&lt;img src=y onerror=alert(5)&gt;",
	})
	e.edit(t, record.Article, bridgeID, map[string]any{"Title": "Köprü", "Text": "<p>yeni</p>"})
	rendered, s := e.render(t)
	history := historyOf(t, rendered, bridgePage)
	if !strings.Contains(history, "&lt;script&gt;alert(2)&lt;/script&gt;") || !strings.Contains(history, "&lt;img src=y onerror=alert(5)&gt;") {
		t.Errorf("the old words are not shown:\n%s", history)
	}
	for _, mark := range []string{"<script", "<img", "<iframe", "\u202e", "evil.example"} {
		if strings.Contains(history, mark) {
			t.Errorf("the history has %s:\n%s", mark, history)
		}
	}
	checkLinks(t, rendered, s)
	checkPages(t, rendered)
}

// TestHistoryChanges: an earlier version, after which the record itself is the
// same, changes its page and the list of corrections.
func TestHistoryChanges(t *testing.T) {
	e := newEdited(t)
	before, _ := e.render(t)
	e.edit(t, record.Article, bridgeID, map[string]any{"Spot": "x", "Title": "Köprü çöktü"})
	e.edit(t, record.Article, bridgeID, map[string]any{"Title": "Köprü onarımı bitti"})
	middle, _ := e.render(t)
	e.edit(t, record.Article, bridgeID, map[string]any{"Title": "Köprü yandı"})
	e.edit(t, record.Article, bridgeID, map[string]any{"Title": "Köprü onarımı bitti"})
	after, _ := e.render(t)
	var changed []string
	for name, data := range after.files {
		if !bytes.Equal(data, middle.files[name]) {
			changed = append(changed, name)
		}
	}
	slices.Sort(changed)
	if want := []string{"duzeltmeler/index.html", bridgePage}; !slices.Equal(changed, want) {
		t.Errorf("changed %q, want %q", changed, want)
	}
	if bytes.Equal(before.files[bridgePage], middle.files[bridgePage]) {
		t.Error("the first change left the page as it was")
	}
}
