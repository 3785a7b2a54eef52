package prose

import (
	"bytes"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"
)

// The Markdown of hostile text stays harmless even where a careless program
// renders it with all of its filters off.
func TestMarkdownHostileD43(t *testing.T) {
	careless := goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough), goldmark.WithRendererOptions(html.WithUnsafe()))
	for _, payload := range payloads {
		markdown, err := Clean("<p>a</p>"+payload, testOptions).Markdown(identity{})
		if err != nil {
			t.Errorf("%q: %v", payload, err)
		}
		var out bytes.Buffer
		if err := careless.Convert([]byte(markdown), &out); err != nil {
			t.Errorf("%q: %v", payload, err)
		}
		checkSafe(t, out.String())
		if t.Failed() {
			t.Fatalf("payload %q, Markdown %q", payload, markdown)
		}
	}
}
