package search_test

import (
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"ayna/testrun/chromium"
)

// TestBrowserAddress: what the page's address asks for is asked for, also where
// nothing is of that folder or kind, or no word is in it.
func TestBrowserAddress(t *testing.T) {
	browser := chromium.Browser(t)
	dir := world{items: readItems(t)}.publish(t, "")
	for query, want := range map[string]string{
		"q=kitap":            "2 sonuç",
		"q=kitap&folder=yok": "Sonuç bulunamadı.",
		"folder=%3Cb%3Eyok":  "Sonuç bulunamadı.",
		"q=kitap&kind=yok":   "Sonuç bulunamadı.",
		"q=%F0%9F%8C%8A":     "Sonuç bulunamadı.",
		"q=%20":              "",
		"q=z":                "Sonuç yok. En az 3 harf yazın.",
		"year=2019":          "2 sonuç", // as addresses had it before there were days
		"from=2019-01-01":    "30 sonuç",
		"from=9":             "",
		"q=" + strings.Repeat("kelime+", 5000) + "kitap": "Sonuç bulunamadı.",
		"q=" + strings.Repeat("uzun", 2500):              "Sonuç bulunamadı.",
	} {
		document := dump(t, browser, "file://"+filepath.ToSlash(dir)+"/arama/index.html?"+query, searched)
		if found := foundElement.FindStringSubmatch(document); found == nil || found[1] != want {
			t.Errorf("%s: %q, want %q", query, found, want)
		}
	}
}

var foundElement = regexp.MustCompile(`<p[^>]* id="found"[^>]*>([^<]*)</p>`)

// TestBrowserMarks: of texts without blanks, what is marked is what was asked for.
func TestBrowserMarks(t *testing.T) {
	browser := chromium.Browser(t)
	p := print(t, 3, func(_ *rand.Rand, i int) (title, spot, text string) {
		return []string{"日曜日と市", "東京の日", "市長と日光"}[i], "", "港は日の出から。日のことと出口"
	})
	want := []string{"日", "東京", "日の出"}
	_, answers := p.asked(t, browser, []query{{Q: want[0]}, {Q: want[1]}, {Q: want[2]}}, 0)
	for i, a := range answers {
		marks := slices.Compact(slices.Sorted(slices.Values(a.Marks)))
		if !slices.Equal(marks, want[i:i+1]) {
			t.Errorf("%s: %d results, of which %q are marked", want[i], a.Shown, marks)
		}
	}
}

// TestBrowserArticle: in Arabic a word is found with the article where it is without it, and the
// other way round.
func TestBrowserArticle(t *testing.T) {
	browser := chromium.Browser(t)
	p := print(t, 3, func(_ *rand.Rand, i int) (title, spot, text string) {
		return []string{"مشروع جديد", "وفي المدينة", "سوق"}[i], "", ""
	})
	p.site.Language = "ar"
	_, answers := p.asked(t, browser, []query{{Q: "المشروع"}, {Q: "للمشروع"}, {Q: "مدينة"}, {Q: "والسوق"}, {Q: "البحر"}}, 0)
	for i, want := range []string{"مشروع جديد", "مشروع جديد", "وفي المدينة", "سوق", ""} {
		if got := strings.Join(answers[i].Titles, ", "); got != want {
			t.Errorf("query %d: %q, want %q", i, got, want)
		}
	}
}

// TestBrowserCounts: beside the hits stands how many of them each section and each year has, with
// links to these.
func TestBrowserCounts(t *testing.T) {
	browser := chromium.Browser(t)
	const listed = `[...document.querySelectorAll("#beside > b, #beside li")].map((e) => e.textContent).join()`
	for name, root := range roots(t, world{items: readItems(t), cut: []int{20, 5}}.publish(t, "")) {
		document := dump(t, browser, root+"/arama/index.html?q=tarım", `!document.getElementById("beside").hidden && (document.title = `+listed+`)`)
		if want := "<title>Bölüm,Ekonomi 2,Gundem 1,Yıllar,2020 2,2014 1</title>"; !strings.Contains(document, want) {
			t.Errorf("%s: want %s: %s", name, want, document[:min(len(document), 300)])
		}
		if want := `href="/arama/?q=tar%C4%B1m&amp;from=2020-01-01&amp;to=2020-12-31"`; name == "http" && !strings.Contains(document, want) {
			t.Errorf("no link %s", want)
		}
	}
}

// TestBrowserHostileTitle: a title is shown as it is.
func TestBrowserHostileTitle(t *testing.T) {
	browser := chromium.Browser(t)
	dir := world{items: readItems(t)}.publish(t, "")
	document := dump(t, browser, "file://"+filepath.ToSlash(dir)+"/arama/index.html?q=kal%C4%B1n&year=2024", searched)
	if !strings.Contains(document, "&lt;script&gt;alert(\"1\")&lt;/script&gt; &amp; &lt;b&gt;<mark>kalın</mark>&lt;/b&gt;</a>") {
		t.Errorf("the title is not shown as it is:\n%s", document)
	}
}

// TestBrowserManySegments: older segments are loaded when a reader asks for
// more, in the order of the reader.
func TestBrowserManySegments(t *testing.T) {
	browser := chromium.Browser(t)
	w := world{items: many(950), cut: []int{5}}
	all := []query{{Q: "onluk"}, {Q: "sayı"}, {Q: "a7b"}, {Q: "a949b"}, {Q: "yok"}}
	counts := []int{95, 950, 1, 1, 0}
	dir := w.publish(t, drivenBy(t, all, nil, false, 1000))
	a := ask(t, browser, "file://"+filepath.ToSlash(dir)+"/arama/driven.html")
	for i, first := range []string{"En yeni 915 içerikte 91 sonuç", "En yeni 915 içerikte 915 sonuç", "1 sonuç", "1 sonuç", "Sonuç bulunamadı."} {
		if a.Answers[i].First != first {
			t.Errorf("%s: first %q, want %q", all[i].Q, a.Answers[i].First, first)
		}
		hits := a.Answers[i].Hits
		if len(hits) != counts[i] || !slices.IsSortedFunc(hits, func(a, b string) int { return strings.Compare(ids([]string{b}), ids([]string{a})) }) {
			t.Errorf("%s: %d hits, want %d, the newest first: %v", all[i].Q, len(hits), counts[i], hits)
		}
	}
}

// TestBrowserTroubles: a site that is published while the page is open is read
// again; a file that cannot be had is told.
func TestBrowserTroubles(t *testing.T) {
	browser := chromium.Browser(t)
	dir := world{items: readItems(t)}.publish(t, "")
	for _, c := range []struct {
		name, want string
		answer     func(w http.ResponseWriter, r *http.Request, time int) bool
	}{
		{"another site was published", "2 sonuç", func(w http.ResponseWriter, r *http.Request, time int) bool {
			if r.URL.Path != "/arama/index.js" || time > 1 {
				return false
			}
			io.WriteString(w, `ayna("",{"segments":[{"items":3,"version":"old","first":0,"last":0}],"words":"old","items":5});`)
			return true
		}},
		{"the network fails once", "2 sonuç", func(w http.ResponseWriter, r *http.Request, time int) bool {
			return strings.HasPrefix(r.URL.Path, "/arama/index.0/") && time == 1 && notFound(w)
		}},
		{"a file is lost", "Arama dizini okunamadı", func(w http.ResponseWriter, r *http.Request, time int) bool {
			return strings.HasPrefix(r.URL.Path, "/arama/index.0/") && notFound(w)
		}},
		{"a file is damaged", "Arama dizini okunamadı", func(w http.ResponseWriter, r *http.Request, time int) bool {
			return r.URL.Path == "/arama/index.0.js" // an empty answer
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var mu sync.Mutex
			times := make(map[string]int)
			files := http.FileServer(http.Dir(dir))
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				mu.Lock()
				times[r.URL.Path]++
				time := times[r.URL.Path]
				mu.Unlock()
				if !c.answer(w, r, time) {
					files.ServeHTTP(w, r)
				}
			}))
			defer server.Close()
			document := dump(t, browser, server.URL+"/arama/index.html?q=kitap", searched)
			if !regexp.MustCompile(`<p[^>]* id="found"[^>]*>` + c.want).MatchString(document) {
				t.Errorf("the page does not say %s:\n%s", c.want, document)
			}
		})
	}
}

func notFound(w http.ResponseWriter) bool {
	w.WriteHeader(http.StatusNotFound)
	return true
}

// TestBrowserShift: results that arrive when the page was painted move nothing that is
// seen.
func TestBrowserShift(t *testing.T) {
	browser := chromium.Browser(t)
	for name, root := range roots(t, world{items: many(40)}.publish(t, "")) {
		document := dump(t, browser, root+"/arama/index.html", searched+` && (async () => {
			const frames = async () => { for (let i = 0; i < 5; i++) await new Promise(requestAnimationFrame); };
			let sum = 0;
			new PerformanceObserver((list) => { for (const shift of list.getEntries()) sum += shift.value; }).observe({ type: "layout-shift", buffered: true });
			await frames();
			document.getElementById("q").value = "sayı";
			document.getElementById("search").requestSubmit();
			while (document.getElementById("results").children.length < 10) await frames();
			await frames();
			document.title = "shift " + sum;
			return true;
		})()`)
		if !strings.Contains(document, "<title>shift 0</title>") {
			t.Errorf("%s: the page shifts: %s", name, document[:min(len(document), 300)])
		}
	}
}
