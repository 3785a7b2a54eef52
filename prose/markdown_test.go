package prose

import (
	"bytes"
	"html"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	ghtml "github.com/yuin/goldmark/renderer/html"
)

var careless = goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough), goldmark.WithRendererOptions(ghtml.WithUnsafe()))

// ofMarkdown are the elements that Markdown has signs for, and those that the Markdown of a
// text has as HTML, with their attributes.
var ofMarkdown = map[string]string{
	"a": "href", "img": "src alt", "ol": "start", "sub": "", "sup": "", "code": "", "pre": "", "p": "", "br": "", "hr": "", "h1": "", "h2": "", "h3": "", "h4": "",
	"h5": "", "h6": "", "strong": "", "em": "", "del": "", "blockquote": "", "ul": "", "li": "", "table": "", "thead": "", "tbody": "", "tr": "", "th": "style", "td": "style",
}

// checkMarkdown fails unless the Markdown of a text is harmless even where a
// careless program renders it with all of its filters off.
func checkMarkdown(t *testing.T, text string) {
	t.Helper()
	for _, resolver := range []Resolver{identity{}, asIs{}} {
		markdown, err := Clean(text, testOptions).Markdown(resolver)
		if err != nil {
			t.Errorf("%q: %v", text, err)
		}
		var out bytes.Buffer
		if err := careless.Convert([]byte(markdown), &out); err != nil {
			t.Errorf("%q: %v", text, err)
		}
		checkElements(t, out.String(), ofMarkdown)
		if t.Failed() {
			t.Fatalf("text %q, Markdown %q", text, markdown)
		}
	}
}

// costly makes the Markdown of a text plain words.
const costly = "<table><tr><td rowspan=99 colspan=99>a</table>"

// smuggled are texts whose Markdown could have markup, or a link, that the text lacks.
var smuggled = map[string]string{
	"alternative text with an open end":    `<p><img src=/a alt="x &lt;img src=x onerror=f()&gt;&#92;">`,
	"alternative text, a link after it":    `<p><img src=/a alt="x&#92;">](javascript:f())`,
	"alternative text in a cell":           `<table><tr><td><img src=/a alt="&lt;img src=x onerror=f()&gt;|&#92;"><td>](javascript:f())</table>`,
	"words of a link in two lines":         `<p>[x<br>y](javascript:f())`,
	"words of a picture in two lines":      `<p>![x<br>y](javascript:f())`,
	"words of a link, in a subscript":      `<p>x<sub>[x](javascript:f())</sub>`,
	"code in a quote":                      `<blockquote><pre>x<br>&lt;img src=x onerror=f()&gt;</pre></blockquote>`,
	"code in a quote in a list":            `<ul><li><blockquote><pre>x<br>&lt;img src=x onerror=f()&gt;</pre></blockquote></ul>`,
	"code in a list in a quote":            `<blockquote><ul><li><pre>x<br>&lt;img src=x onerror=f()&gt;</pre></ul></blockquote>`,
	"code beside code":                     "<p><u><code>&lt;img src=x onerror=f()></code></u><code>`</code><u><code>&lt;img src=x onerror=f()></code></u>",
	"code in two cells":                    `<table><tr><th>a<th>b<tr><td><code>a|&lt;img src=x onerror=f()&gt;</code><td>x</table>`,
	"the converter's sign of a line's end": "<p><code>a\uf002\uf002&lt;img src=x onerror=f()&gt;</code>",
}

func TestMarkdownHostile(t *testing.T) {
	for _, payload := range payloads {
		checkMarkdown(t, "<p>a</p>"+payload)
		checkMarkdown(t, costly+payload)
	}
	for name, text := range smuggled {
		t.Run(name, func(t *testing.T) { checkMarkdown(t, text) })
	}
}

// FuzzMarkdown has each text as markup, as words and as an alternative text, too.
func FuzzMarkdown(f *testing.F) {
	for _, p := range payloads {
		f.Add(p)
	}
	for _, text := range smuggled {
		f.Add(text)
	}
	f.Add(sample)
	f.Fuzz(func(t *testing.T, text string) {
		words := html.EscapeString(text)
		checkMarkdown(t, text)
		checkMarkdown(t, "<p>"+words+`<a href=/a>`+words+`<img src=/a alt="`+words+`"></a><code>`+words+"</code><blockquote><pre>"+words+"</pre></blockquote>")
	})
}

// A caption that stands between the rows does not make two tables of one.
func TestMarkdownCaption(t *testing.T) {
	const want = "Liman\n\n|  |\n|---|\n| a |\n| b |"
	got, err := Clean("<table><tr><td>a</td></tr><caption>Liman</caption><tr><td>b</td></tr></table>", testOptions).Markdown(identity{})
	if got != want || err != nil {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
}
