package wordpress_test

import (
	"cmp"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ayna/testrun/fakepaper"
)

// page answers with a web page.
func page(status int) func(*http.Request, *httptest.ResponseRecorder) {
	return func(_ *http.Request, a *httptest.ResponseRecorder) {
		a.Code = status
		a.Header().Set("Content-Type", "text/html")
		a.Body.Reset()
		a.Body.WriteString("<!DOCTYPE html><title>Giriş</title>")
	}
}

// Feeds that are not as WordPress writes them.
func TestFeedFaults(t *testing.T) {
	for name, test := range map[string]struct {
		alter func(*http.Request, *httptest.ResponseRecorder)
		want  string // part of the error, or of the warnings
		items int    // that are mirrored
		paper int    // items of the paper; 0 is 12
	}{
		"summaries only": {func(_ *http.Request, a *httptest.ResponseRecorder) {
			text := a.Body.String()
			a.Body.Reset()
			for rest := text; ; {
				before, after, found := strings.Cut(rest, "<content ")
				if a.Body.WriteString(before); !found {
					return
				}
				_, rest, _ = strings.Cut(after, "</content>")
			}
		}, "its feed has summaries only", 0, 0},
		"without dates":        {inBody("updated>", "x>", "published>", "x>"), "its feed has no dates", 0, 0},
		"HTML":                 {page(http.StatusOK), "no REST API of WordPress is found", 0, 0},
		"a password before it": {page(http.StatusUnauthorized), "something before the API asks for a password", 0, 0},
		"a protection":         {page(http.StatusForbidden), "a protection answers with a web page", 0, 0},
		"no XML":               {inBody("</entry>", "</entry"), "no REST API of WordPress is found", 0, 0},
		"unknown entity":       {inBody("Kıyı Postası", "Kıyı &postası;"), "no REST API of WordPress is found", 0, 0},
		"control characters, and a notice before it": {func(r *http.Request, a *httptest.ResponseRecorder) {
			inBody("<p>", "<p>\x0b\xff\x00", "<?xml", "<br />Notice: x\n<?xml")(r, a)
		}, "", 12, 0},
		"guids of another host": {inBody("<id>https://kiyi.example/?p=", "<id>https://eski.example/?p=1"), "", 12, 0},
		"guids that are no posts": {func(r *http.Request, a *httptest.ResponseRecorder) {
			inBody("<id>https://kiyi.example/?p=", "<id>urn:x:")(r, a)
		}, "", 12, 0},
		"guids that are no posts, without headers": {func(r *http.Request, a *httptest.ResponseRecorder) {
			a.Header().Del("Link")
			inBody("<id>https://kiyi.example/?p=48999998", "<id>urn:x:")(r, a)
		}, "name no post", 11, 0},
		"one guid for two posts": {inBody("<id>https://kiyi.example/?p=48999998", "<id>https://kiyi.example/?p=48999999"), "", 12, 0},
		"endless, the last page again": {func(r *http.Request, a *httptest.ResponseRecorder) {
			if a.Code == http.StatusNotFound {
				again := r.Clone(r.Context())
				again.URL.RawQuery = strings.Replace(r.URL.RawQuery, "paged=3", "paged=2", 1)
				a.Code = http.StatusOK
				a.Body.Reset()
				p := fakepaper.NewWordPress(fakepaper.Options{Base: "https://kiyi.example", Items: 12, RESTClosed: true, Feed: true})
				p.ServeHTTP(a, again)
			}
		}, "does not show where it ends", 12, 0},
		"endless, empty pages": {func(_ *http.Request, a *httptest.ResponseRecorder) { a.Code = http.StatusOK }, "does not show where it ends", 12, 0},
		"hostile texts":        {inBody("<p>", "<p><script>alert(1)</script><img src=x onerror=alert(2)>", `term="`, `term="../&lt;b&gt;`, "<name>", "<name>&lt;script&gt;", "</author>", `<email>gizli@baska.example</email></author><link rel="enclosure" href="https://gravatar.example/gizli"/><x:content xmlns:x="urn:x" url="gizli"/>`), "", 12, 0},
		"addresses of others":  {inBody(`href="https://kiyi.example/`, `href="https://baska.example/`), "", 12, 0},
		"deep":                 {inBody("<author>", strings.Repeat("<x>", 11_000)+strings.Repeat("</x>", 11_000)+"<author>"), "", 12, 0},
		"one answer that a page is not found": {once(func(r *http.Request, a *httptest.ResponseRecorder) bool {
			if strings.Contains(r.URL.RawQuery, "paged=2") {
				a.Code = http.StatusNotFound
			}
			return a.Code == http.StatusNotFound
		}), "", 12, 0},
		"a page of guids that are no posts": {func(r *http.Request, a *httptest.ResponseRecorder) {
			a.Header().Del("Link")
			if strings.Contains(r.URL.RawQuery, "paged=2") {
				inBody("<id>https://kiyi.example/?p=", "<id>urn:x:")(r, a)
			}
		}, "name no post", 15, 25},
		"addresses that lead elsewhere": {func(_ *http.Request, a *httptest.ResponseRecorder) {
			text := oneLink.ReplaceAllStringFunc(a.Body.String(), func(link string) string {
				return `href="` + map[byte]string{'9': "javascript:alert(1)", '8': "data:text/html,x", '7': "file:///etc/x", '6': "http://127.0.0.1/x", '5': "https://kiyi.example/" + strings.Repeat("x", 100_000)}[link[len(link)-3]] + `"`
			})
			a.Body.Reset()
			a.Body.WriteString(text)
		}, "", 12, 0},
		"guids that lead elsewhere": {inBody(guid+"9<", "<id>javascript:alert(1)?p=48999999<", guid+"8<", "<id>data:,?p=48999998<", guid+"7<", "<id>file:///x?p=48999997<", guid+"6<", "<id>http://127.0.0.1/?p=48999996<",
			guid+"5<", "<id>https://kiyi.example/?page_id=1000<", guid+"4<", "<id>https://kiyi.example/?p=48999994&amp;x="+strings.Repeat("x", 100_000)+"<"), "", 12, 0},
		"XHTML":                               {asXHTML, "", 12, 0},
		"entities of its own":                 {inBody("<feed", `<!DOCTYPE feed [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><feed`, "Kıyı Postası", "&b;"), "no REST API of WordPress is found", 0, 0},
		"characters by their numbers":         {inBody(`term="`, `term="&#11;&#x0B;&#xFFFE;&#0;&#x110000;&#99999999999;&#X41;`), "", 12, 0},
		"another base and language":           {inBody("<entry>", `<entry xml:base="https://baska.example/" xml:lang="ar">`), "", 12, 0},
		"dates that cannot be":                {inBody("<published>2026-", "<published>0000-", "<updated>2026-", "<updated>9999-"), "", 12, 0},
		"10,000 categories":                   {inBody(guid+"9<", strings.Repeat(`<category term="x&#1;"/>`, 5000)+manyTerms(5000)+guid+"9<"), "", 12, 0},
		"words like those of a password form": {inBody("<p>", "<p>wp-login.php?action=postpass "), "", 12, 0},
		"a password form of another file":     {inBody(`haber-49000000/"><![CDATA[`, `haber-49000000/"><![CDATA[<form method="post" action="/giris?action=postpass">`), "", 11, 0},
		"a password form by its class":        {inBody(`haber-49000000/"><![CDATA[`, `haber-49000000/"><![CDATA[<form action="/giris" class="x post-password-form">`), "", 11, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := openFeedMirror(t, cmp.Or(test.paper, 12))
				m.alter = test.alter
				err := m.run()
				if message := fmt.Sprint(err, m.report.Warnings); !strings.Contains(message, test.want) || test.items > 0 && err != nil {
					t.Errorf("%s", message)
				}
				for o, err := range m.archive.Originals.All(t.Context(), "posts", "single") {
					if err != nil || strings.Contains(string(o.Data), "gizli") {
						t.Errorf("an original has addresses of an author: %s, %v", o.Data, err)
					}
				}
				now := m.items()
				if len(now) != test.items {
					t.Errorf("%d items, want %d", len(now), test.items)
				}
				for _, p := range m.paper.Posts("posts") {
					r := now[fmt.Sprint(p.ID)]
					if r != nil && name == "XHTML" && !strings.Contains(string(r.Single), `<p>Sözler<br/>ve <b>sesler</b> &lt;burada&gt; &amp; orada</p>`) {
						t.Errorf("%d has %s", p.ID, r.Single)
					}
					if r != nil && name == "XHTML" && !(strings.Contains(string(r.Single), `deniz`) && strings.Contains(string(r.Single), `&lt;em&gt;x</a>`)) {
						t.Errorf("%d has lost quotes or text: %s", p.ID, r.Single)
					}
					if r != nil && test.paper == 0 && r.Title != strings.ReplaceAll(p.Title, "'", "’") {
						t.Errorf("%d has the title %q, want %q", p.ID, r.Title, p.Title)
					}
				}
				if test.items == 0 {
					return
				}
				// A healthy feed is believed afterwards, and nothing is lost.
				m.alter = nil
				time.Sleep(25 * time.Hour)
				if err := m.run(); err != nil || len(m.items()) != cmp.Or(test.paper, 12) {
					t.Errorf("afterwards: %v, %d items", err, len(m.items()))
				}
			})
		})
	}
}

var oneLink = regexp.MustCompile(`href="[^"]*/haber-4899999[5-9]/"`)

// asXHTML writes titles and texts as elements.
func asXHTML(_ *http.Request, answer *httptest.ResponseRecorder) {
	text := oneTitle.ReplaceAllString(answer.Body.String(), `<title type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">$1</div></title>`)
	text = oneText.ReplaceAllLiteralString(text, `<content type="xhtml"><h:div xmlns:h="http://www.w3.org/1999/xhtml"><!-- x --><h:p class="a">Sözler<h:br/>ve <h:b>sesler</h:b><h:script/> &lt;burada> &amp; orada</h:p><h:p><h:a href="https://kiyi.example/?q=&quot;deniz&quot;">&lt;<![CDATA[em>x]]></h:a></h:p></h:div></content>`)
	answer.Body.Reset()
	answer.Body.WriteString(text)
}

var (
	oneTitle = regexp.MustCompile(`<title type="html"><!\[CDATA\[(.*?)\]\]></title>`)
	oneText  = regexp.MustCompile(`(?s)<content type="html".*?</content>`)
)

// guid is what the guids of posts begin with.
const guid = "<id>https://kiyi.example/?p=4899999"

// manyTerms returns categories.
func manyTerms(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `<category term="x%d"/>`, i)
	}
	return b.String()
}
