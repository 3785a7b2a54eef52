package prose

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"ayna/testrun"
)

func TestFallback(t *testing.T) {
	testrun.NotShort(t)
	cases := []struct {
		name, text, fallback, contains string
	}{
		{"ordinary", "<p>kısa</p>", "", "<p>kısa</p>"},
		{"as long as allowed", strings.Repeat("a ", maxText/2), "", "<p>a a a"},
		{"too long", "<h2>Başlık</h2><script>x()</script>" + strings.Repeat("<p>ağaç &amp; su</p>", maxText/18), "too long", "<p>Başlık</p>\n<p>ağaç &amp; su</p>\n"},
		{"all words kept", strings.Repeat("<p>ağaç &amp; su</p>", maxText/18) + "son", "too long", "<p>son</p>"},
		{"one word too long", strings.Repeat("ş", 2*maxText), "too long, cut", "ş…</p>"},
		{"a million tags", strings.Repeat("<i>", maxText/3-5) + "son", "too many elements", "<p>son</p>"},
		{"ten times too long", strings.Repeat("<td>x</td><b>", 10*maxText/13), "too long, cut", "x"},
		{"nothing but the end is words", "baş" + strings.Repeat("<!-- -->", 3*maxText) + "son", "too long, cut", "<p>baş</p>\n<p>…</p>\n"},
		{"a long tag", "baş<i title=\"" + strings.Repeat("a", 2*maxText) + "\">a</i><p>son", "too long", "<p>başa</p>\n<p>son</p>"},
		{"a tag without an end", "baş<p title=\"" + strings.Repeat("a", 2*maxText), "too long", "<p>baş</p>\n"},
		{"a long comment", "baş<!-- " + strings.Repeat("<p>a", maxText) + " -->son", "too long", "<p>başson</p>\n"},
		{"a long script", "baş<script>" + strings.Repeat("'<p>a", maxText) + "</SCRIPT>son", "too long", "<p>başson</p>\n"},
		{"a script without an end", "baş<style>" + strings.Repeat("'<p>a", maxText), "too long", "<p>baş</p>\n"},
		{"long words, an entity at the limit", "<p>sekizer" + strings.Repeat(" ağaç &amp; su", 70_000) + "<p>son", "too long", "<p>sekizer" + strings.Repeat(" ağaç &amp; su", 70_000) + "</p>\n<p>son</p>"},
		{"a million letters", "<p>dokuz harf" + strings.Repeat("<p>x", maxText), "too long, cut", "<p>x</p>\n<p>…</p>\n"},
		{"10,001 deep", strings.Repeat("<div>", 10_001) + "dip" + strings.Repeat("</div>", 10_001), "too deep", "<p>dip</p>"},
		{"257 deep", strings.Repeat("<blockquote>", 257) + "dip", "too deep", "<p>dip</p>"},
		{"not deep, since unknown tags are no elements", strings.Repeat("<span>", 10_001) + "dip", "", "<p>dip</p>"},
		{"not deep, since paragraphs end each other", strings.Repeat("<p>a", 10_001), "", "<p>a</p>"},
		{"references forged", strings.Repeat("<div>", 300) + "&#1;Ljavascript:alert(1)&#2;x", "too deep", "<p>Ljavascript:alert(1)x</p>"},
		{"comments alone", strings.Repeat("<!-- -->", maxText/8+1), "too long", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			body := Clean(c.text, testOptions)
			html := string(body.HTML(asIs{}))
			if body.Reduced() != c.fallback || !strings.Contains(html, c.contains) {
				t.Errorf("reduced %q, want %q, in %.100q", body.Reduced(), c.fallback, html)
			}
			if len(html) > 2*maxText {
				t.Errorf("%d bytes", len(html))
			}
		})
	}
}

// Repetitions that take some parsers quadratic time take as long as ordinary text. No
// other test runs meanwhile, so the processor's time is that of the text.
func TestQuadratic(t *testing.T) {
	testrun.NotShort(t)
	length, limit := maxText/8, 2500*time.Millisecond
	if testrun.Long() {
		length, limit = maxText/2, 20*time.Second
	}
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
		"brackets left open":        `[`,
		"names with a hyphen":       `<a-b>x</c-d>`,
		"brackets in cells":         `<td>[`,
		"brackets in a block":       `<pre>[`,
		"quotes in quotes":          `<blockquote>a<p>a<br>a`,
		"cells that span":           `<table><tr><td rowspan=99 colspan=99>a<td rowspan=99 colspan=99>a`,
	}
	for name, word := range cases {
		t.Run(name, func(t *testing.T) {
			text := strings.Repeat(word, length/len(word))
			start := testrun.CPU()
			body := Clean(text, testOptions)
			html := body.HTML(asIs{})
			body.Text()
			// Each takes a fraction of a second; quadratic time is far more.
			if spent := testrun.CPU() - start; spent > limit {
				t.Errorf("%v for %d bytes", spent, len(text))
			}
			if len(html) > 2*maxAttributes {
				t.Errorf("%d bytes became %d", len(text), len(html))
			}
			if markdown, err := body.Markdown(asIs{}); err != nil || len(markdown) > 2*len(html)+maxText {
				t.Errorf("%d bytes became %d of Markdown, %v", len(html), len(markdown), err)
			}
		})
	}
}

// What would make Markdown long, or take long, becomes plain paragraphs.
func TestMarkdown(t *testing.T) {
	const words = "1. a[ *b* <b>c</b> &lt;d&gt;<p>- e<p>2026"
	const plain = "1\\. a\\[ \\*b\\* c \\<d\\>\n\n\\- e\n\n2026"
	const converted = "1\\. a\\[ \\*b* **c** &lt;d&gt;\n\n\\- e\n\n2026"
	cases := []struct {
		name, text string
		plain      bool
	}{
		{"ordinary", "", false},
		{"notes", strings.Repeat("<p>Kaynak [1], [2] [", 5000), false},
		{"brackets, each line a few", strings.Repeat("<p>"+strings.Repeat("[", 200), 200), false},
		{"brackets left open", strings.Repeat("[", 10_000), false},
		{"quotes", strings.Repeat("<blockquote>", 4) + strings.Repeat("<p>a", 10_000) + strings.Repeat("</blockquote>", 4), false},
		{"deep quotes", strings.Repeat("<blockquote>", 100) + strings.Repeat("<p>a", 4000) + strings.Repeat("</blockquote>", 100), true},
		{"deep lists", strings.Repeat("<ul><li>", 100) + strings.Repeat("<li>a", 4000) + strings.Repeat("</ul>", 100), true},
		{"lines in deep lists", strings.Repeat("<ul><li>", 100) + strings.Repeat("a<br>", 4000) + strings.Repeat("</ul>", 100), true},
		{"a block in deep lists", strings.Repeat("<ul><li>", 100) + "<pre>" + strings.Repeat("a\n", 4000) + "</pre>" + strings.Repeat("</ul>", 100), true},
		{"a large table", "<table>" + strings.Repeat("<tr>"+strings.Repeat("<td>a", 10), 1000) + "</table>", false},
		{"a table with a long cell", "<table><tr><td>" + strings.Repeat("a", 20_000) + strings.Repeat("<tr><td>a<td>b", 1000) + "</table>", false},
		{"a table with a long row", "<table><tr>" + strings.Repeat("<td>a", 2000) + strings.Repeat("<tr><td>a", 2000) + "</table>", true},
		{"cells that span", "<table><tr><td rowspan=60>a<td>a<td colspan=3>a" + strings.Repeat("<tr><td>a<td>b", 60) + "</table>", false},
		{"cells that span cells", "<table>" + strings.Repeat("<tr><td rowspan=20 colspan=99>a<td rowspan=20 colspan=99>a", 50) + "</table>", true},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			text := "<p>" + words + c.text
			got, err := Clean(text, testOptions).Markdown(identity{})
			want := converted
			if c.plain {
				want = plain
			}
			if !strings.HasPrefix(got, want) || err != nil {
				t.Errorf("%.80q, want %q first; %v", got, want, err)
			}
			if len(got) > 5*len(text) {
				t.Errorf("%d bytes became %d", len(text), len(got))
			}
		})
	}
}

// The attributes of a text that is read for its words alone are not made, and of a long tag most
// are not read. (The tokenizer remembers their names, with two allocations for each.)
func TestAttributesOfWords(t *testing.T) {
	var b strings.Builder
	const n = 400_000
	for i := range n {
		fmt.Fprintf(&b, "a%d=1 ", i)
	}
	var body Body
	if allocations := testing.AllocsPerRun(1, func() { body = Clean("<p "+b.String()+">son</p>", Options{}) }); allocations > n {
		t.Errorf("%.0f allocations", allocations)
	}
	if html := string(body.HTML(asIs{})); html != "<p>son</p>\n" {
		t.Errorf("%q", html)
	}
}
