package prose

import (
	"strings"
	"testing"
	"time"
)

func TestFallbackD31D32(t *testing.T) {
	cases := []struct {
		name, text, fallback, contains string
	}{
		{"ordinary", "<p>kısa</p>", "", "<p>kısa</p>"},
		{"D31 as long as allowed", strings.Repeat("a ", maxText/2), "", "<p>a a a"},
		{"D31 too long", "<h2>Başlık</h2><script>x()</script>" + strings.Repeat("<p>ağaç &amp; su</p>", maxText/18), "too long", "<p>Başlık</p>\n<p>ağaç &amp; su</p>\n"},
		{"D31 all words kept", strings.Repeat("<p>ağaç &amp; su</p>", maxText/18) + "son", "too long", "<p>son</p>"},
		{"D31 one word too long", strings.Repeat("ş", 2*maxText), "too long, cut", "ş…</p>"},
		{"D31 a million tags", strings.Repeat("<i>", maxText/3-5) + "son", "too many elements", "<p>son</p>"},
		{"D31 ten times too long", strings.Repeat("<td>x</td><b>", 10*maxText/13), "too long, cut", "x"},
		{"D31 nothing but the end is words", "baş" + strings.Repeat("<!-- -->", 3*maxText) + "son", "too long, cut", "<p>baş</p>\n<p>…</p>\n"},
		{"D32 10,001 deep", strings.Repeat("<div>", 10_001) + "dip" + strings.Repeat("</div>", 10_001), "too deep", "<p>dip</p>"},
		{"D32 257 deep", strings.Repeat("<blockquote>", 257) + "dip", "too deep", "<p>dip</p>"},
		{"D32 not deep, since unknown tags are no elements", strings.Repeat("<span>", 10_001) + "dip", "", "<p>dip</p>"},
		{"D32 not deep, since paragraphs end each other", strings.Repeat("<p>a", 10_001), "", "<p>a</p>"},
		{"references forged", strings.Repeat("<div>", 300) + "&#1;Ljavascript:alert(1)&#2;x", "too deep", "<p>Ljavascript:alert(1)x</p>"},
		{"comments alone", strings.Repeat("<!-- -->", maxText/8+1), "too long", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			body := Clean(c.text, testOptions)
			html := string(body.HTML(asIs{}))
			if body.Fallback() != c.fallback || !strings.Contains(html, c.contains) {
				t.Errorf("fallback %q, want %q, in %.100q", body.Fallback(), c.fallback, html)
			}
			if len(html) > 10*maxText {
				t.Errorf("%d bytes", len(html))
			}
		})
	}
}

// What parsers have nightmares of, repeated up to half of the limit, must not
// take more than the ordinary.
func TestQuadraticD33(t *testing.T) {
	cases := map[string]string{
		"links left open":           `<a href="https://a.example/">x<p>`,
		"long links left open":      `<a href="https://a.example/` + strings.Repeat("b", 1900) + `"><p>x<p>x<p>x<p>x<p>x<p>x<p>x<p>x`,
		"formatting left open":      `<b><i><u><s><em><strong><small><code><p>x`,
		"formatting, one left open": `<b id=a></b><b><p>x`,
		"ignored ends":              `a</b>`,
		"ignored cells":             `a<td>`,
		"rows with stray words":     `<table><tr>a<tr>a<tr>a<tr>a`,
		"stray words in a table":    `<table><table>aaaa<tr>aaaa</table>`,
		"tables left open":          `<table>a<tr>`,
		"tables in tables":          `<table><tr><td>`,
		"items":                     `<li>a`,
		"definitions":               `<dt>a<dd>`,
		"players without an end":    `<video><object><iframe>`,
		"drawings without an end":   `<svg><math>`,
		"entities":                  `&amp;&#1;`,
		"opening brackets":          `<<<`,
		"comments left open":        `<!--`,
		"quotes left open":          `<p title="`,
		"declarations":              `<!doctype html>`,
		"breaks":                    `<br>a<br><br>`,
		"marks of direction":        "\u202e",
		"figures":                   `<figure><figcaption>a`,
		"other inline elements":     `<sub><sup><mark><q><cite><del><ins><p>x`,
		"adoption":                  `<a href=/x><b><div></a></b>`,
		"nested in turns":           `<ul><li><p><b>`,
		"srcset":                    `<img srcset="a 1x, b 2x">`,
		"captions of many elements": `<table><caption>a<b>a</b></caption>`,
	}
	for name, word := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text := strings.Repeat(word, maxText/2/len(word))
			start := time.Now()
			body := Clean(text, testOptions)
			html := body.HTML(asIs{})
			body.Text()
			// Each takes well under a second; quadratic time is minutes.
			if spent := time.Since(start); spent > 20*time.Second {
				t.Errorf("%v for %d bytes", spent, len(text))
			}
			if len(html) > 2*maxAttributes {
				t.Errorf("%d bytes became %d", len(text), len(html))
			}
		})
	}
}
