package page_test

import (
	"fmt"
	"html"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/yuin/goldmark"
	ghtml "github.com/yuin/goldmark/renderer/html"
)

type front struct {
	Title, Kind, ID, Date, Modified, Folder, Editor, Source, Picture string
	Writers, Tags                                                    []string
}

// split returns the front matter and the text of a Markdown file.
func split(t *testing.T, data []byte) (front, string) {
	t.Helper()
	parts := strings.SplitN(string(data), "---\n", 3)
	if len(parts) != 3 || parts[0] != "" {
		t.Fatalf("no front matter:\n%s", data)
	}
	var f front
	if err := yaml.UnmarshalWithOptions([]byte(parts[1]), &f, yaml.Strict()); err != nil {
		t.Fatalf("%v\n%s", err, parts[1])
	}
	return f, parts[2]
}

func TestMarkdown(t *testing.T) {
	rendered := newWorld(t, "tr").render(t)
	f, text := split(t, rendered.files["ekonomi/liman/kopru-onarimi-bitti-41000011.md"])
	want := front{
		Title: "Köprü onarımı bitti", Kind: "article", ID: "41000011", Folder: "/ekonomi/liman/", Editor: "Körfez Ajansı",
		Date: "2026-09-12T10:00:00+03:00", Modified: "2026-09-12T12:30:00+03:00", Picture: "../../media/aa01.jpg",
		Source: "http://www.haber.example/ekonomi/liman/kopru-onarimi-bitti-41000011",
	}
	tags := []string{"köprü", "liman", "A&B"}
	if !slices.Equal(f.Tags, tags) {
		t.Errorf("tags %v, want %v", f.Tags, tags)
	}
	f.Tags = nil
	if got := f; got.Title != want.Title || got.Kind != want.Kind || got.ID != want.ID || got.Folder != want.Folder ||
		got.Editor != want.Editor || got.Date != want.Date || got.Modified != want.Modified ||
		got.Picture != want.Picture || got.Source != want.Source {
		t.Errorf("front matter\n%+v, want\n%+v", got, want)
	}
	for _, line := range []string{
		"# Köprü onarımı bitti", "## Ne değişti", "[önceki haberde](balikcilar-bekliyor-41000010.html)",
		"![Köprü](<../../media/aa01.jpg>)", "*Köprü, sabahın ilk ışıklarında. Fotoğraf: A \\& B*", "*Bu fotoğraf aynaya ulaşmadı*",
	} {
		if !strings.Contains(text, line) {
			t.Errorf("lacks %s:\n%s", line, text)
		}
	}
	if strings.Contains(text, "Metnin içindeki") {
		t.Error("a picture of the text is repeated")
	}
}

// TestFrontMatter writes titles that YAML would read as something else, or Markdown where the
// front matter is read as such.
func TestFrontMatter(t *testing.T) {
	titles := []string{
		"yes", "null", "~", "1e3", "0x1F", "12:30", "- a", "# a", "a: b", "a #b", "'", `"`, "\\", "%a", "@a", "`a`", "&a b", "*a", "!a",
		"[a", "{a}", "a:", "? a", "| a", "> a", "---", "...", "2026-01-01", "a,b", "=", "<<", `"a" b`, `a\n`, "Köprü’nün “açılışı”", "true",
		"a <b kalan", "&lt;img src=x onerror=f()&gt;", "![a](javascript:f())", "[a](javascript:f())", `\&lt;b&gt; \[a\](javascript:f())`,
	}
	w := newWorld(t, "tr")
	w.records = articles(len(titles))
	want := make(map[string]string)
	for i, title := range titles {
		id := fmt.Sprintf("5%07d", i)
		w.set(id, "Title", title)
		want[id] = html.UnescapeString(title)
	}
	for name, data := range w.render(t).files {
		if !strings.HasSuffix(name, ".md") {
			continue
		}
		f, _ := split(t, data)
		if f.Title != want[f.ID] {
			t.Errorf("%q read back as %q\n%s", want[f.ID], f.Title, data)
		}
		delete(want, f.ID)
		var shown strings.Builder
		if err := goldmark.New(goldmark.WithRendererOptions(ghtml.WithUnsafe())).Convert(data, &shown); err != nil || regexp.MustCompile(`<(a|b|img)\b`).MatchString(shown.String()) {
			t.Errorf("%v, %s\nis %s", err, data, shown.String())
		}
	}
	if len(want) > 0 {
		t.Errorf("no Markdown of %v", want)
	}
}
