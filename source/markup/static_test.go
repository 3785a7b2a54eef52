package markup_test

import (
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"ayna/source/markup"
)

func static(t *testing.T, text string) string {
	t.Helper()
	body, err := markup.Parse(text)
	if err != nil {
		t.Skip(err)
	}
	markup.MakeStatic(body, "https://kiyi.example/a/")
	rendered, err := markup.Render(body)
	if err != nil {
		t.Skip(err)
	}
	return rendered
}

// A nested text does not grow.
func TestStaticSize(t *testing.T) {
	for _, part := range []string{
		"<svg><text>", "<math><msup><mi>x</mi>", `<div data-url="https://a.example/">`, `<p role="img" style="background-image:url(/a.jpg)">`, `<b aria-expanded role="button">a`,
		`<noscript><img src="/a.jpg"></noscript>`, `<i data-id='[{"url":"https://youtu.be/ornekvid_01"}]'>`, "<form><label>",
	} {
		text := strings.Repeat(part, 400) + strings.Repeat("su ", 10_000)
		if got := static(t, text); len(got) > 2*len(text) || !strings.Contains(got, "su su") && !strings.HasPrefix(part, "<form") {
			t.Errorf("%s: %d bytes become %d", part, len(text), len(got))
		}
	}
}

// Many links do not repeat a long address without end.
func TestStaticLongAddress(t *testing.T) {
	body, err := markup.Parse(strings.Repeat("<a href=b>c</a>", 50_000))
	if err != nil {
		t.Fatal(err)
	}
	markup.MakeStatic(body, "https://kiyi.example/"+strings.Repeat("uzun/", 400))
	if rendered, err := markup.Render(body); err != nil || len(rendered) > 4*markup.MaxText {
		t.Errorf("%d bytes, %v", len(rendered), err)
	}
}

// FuzzStatic changes any text: what it adds leads to the web alone.
func FuzzStatic(f *testing.F) {
	for _, text := range []string{
		`<svg><title>a</title><text>b<tspan>c</text></svg><math><mfrac><mi>a</mi><mn>2</mn></mfrac></math>`,
		`<iframe data-src="/a?b c"></iframe><iframe data-src="javascript:a()"></iframe><noscript><iframe src="//b.example/"></iframe></noscript>`,
		`<div class="fb-post" data-href="javascript:a()" data-settings='{"a":[{"video_type":"x","x_url":"data:,"}]}'></div><lite-youtube videoid="ornekvid_01">`,
		`<button aria-expanded>a</button><p>b</p><form><label>c</label></form><a href="#" data-u="vbscript:a"><img src="data:," data-echo="/a"></a>`,
		`<script type="text/template">PGlmcmFtZSBzcmM9Imh0dHBzOi8vYSI+</script><amp-img src=a><noscript><img></noscript></amp-img>`,
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		before, err := markup.Parse(text)
		if err != nil || strings.Contains(text, "<math") || strings.Contains(text, "<svg") {
			static(t, text)
			return // what is parsed as foreign elements may be parsed otherwise again
		}
		var own strings.Builder // addresses of its own stay as they are
		for n := range before.Descendants() {
			for _, a := range n.Attr {
				own.WriteString(a.Val + "\n" + strings.TrimSpace(a.Val) + "\n")
			}
			if n.DataAtom == atom.Noscript || n.DataAtom == atom.Script {
				own.WriteString(text)
			}
		}
		markup.MakeStatic(before, "https://kiyi.example/a/")
		for n := range before.Descendants() {
			if n.Type != html.ElementNode {
				continue
			}
			if n.DataAtom == atom.Form || n.DataAtom == atom.Noscript {
				t.Errorf("<%s> is left of %q", n.Data, text)
			}
			if src := markup.Attribute(n, "src"); n.DataAtom == atom.Iframe && !markup.IsAbsolute(src) && !strings.Contains(own.String(), src) {
				t.Errorf("player at %q in %q", src, text)
			}
			if src := strings.ToLower(markup.Attribute(n, "src")); n.DataAtom == atom.Iframe && strings.HasPrefix(strings.TrimSpace(src), "javascript:") {
				t.Errorf("player at %q in %q", src, text)
			}
		}
	})
}
