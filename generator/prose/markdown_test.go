package prose

import (
	"bytes"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"
)

var careless = goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough), goldmark.WithRendererOptions(html.WithUnsafe()))

// checkMarkdown fails unless the Markdown of a text is harmless even where a
// careless program renders it with all of its filters off.
func checkMarkdown(t *testing.T, text string) {
	t.Helper()
	markdown, err := Clean(text, testOptions).Markdown(identity{})
	if err != nil {
		t.Errorf("%q: %v", text, err)
	}
	var out bytes.Buffer
	if err := careless.Convert([]byte(markdown), &out); err != nil {
		t.Errorf("%q: %v", text, err)
	}
	checkSafe(t, out.String())
	if t.Failed() {
		t.Fatalf("text %q, Markdown %q", text, markdown)
	}
}

func TestMarkdownHostile(t *testing.T) {
	for _, payload := range payloads {
		checkMarkdown(t, "<p>a</p>"+payload)
		checkMarkdown(t, "<p>"+strings.Repeat("[", 6000)+"</p>"+payload) // as plain words
	}
}

func FuzzMarkdown(f *testing.F) {
	for _, p := range payloads {
		f.Add(p)
	}
	f.Add(sample)
	f.Fuzz(checkMarkdown)
}

// A caption that stands between the rows does not make two tables of one.
func TestMarkdownCaption(t *testing.T) {
	const want = "Liman\n\n|  |\n|---|\n| a |\n| b |"
	got, err := Clean("<table><tr><td>a</td></tr><caption>Liman</caption><tr><td>b</td></tr></table>", testOptions).Markdown(identity{})
	if got != want || err != nil {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
}
