package generator_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"ayna/generator"
	"ayna/templates"
	"ayna/testrun"
)

// An item whose template fails has a plain page, and the report names both.
func TestPlainPage(t *testing.T) {
	testrun.NotShort(t)
	t.Parallel()
	p := newPress(t)
	p.offline(t)
	record, _ := twoArticles(t, p.config.Archive)
	amend(t, p.config.Archive, record, map[string]any{
		"Description": "Spot & <script>alert(1)</script>&lt;script&gt;",
		"Text":        "<p>Bir <b>iki</b></p><script>alert(2)</script><p>&lt;img src=x onerror=alert(3)&gt;</p>",
	}, time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC))
	text, err := templates.FS.ReadFile("article.html")
	if err != nil {
		t.Fatal(err)
	}
	failing := strings.Replace(string(text), "<article", `{{if eq .Original "`+record.URL+`"}}{{index .Notices 7}}{{end}}<article`, 1)
	p.config.Templates, p.config.Compress, p.config.Output = t.TempDir(), []string{"gzip"}, filepath.Join(p.dir, "plain")
	if err := os.WriteFile(filepath.Join(p.config.Templates, "article.html"), []byte(failing), 0o644); err != nil {
		t.Fatal(err)
	}
	for range 2 { // it is rendered again though nothing changed
		report := p.mustBuild(t, func(o *generator.Options) { o.Offline, o.Check = true, true })
		if failed := report.Files.Failed; len(failed) != 1 || !report.Incomplete() || !strings.Contains(failed[0].Err.Error(), "article "+record.ID) || !strings.Contains(failed[0].Err.Error(), "article.html:") {
			t.Errorf("the report says %+v", failed)
		}
	}
	tree := treeOf(t, p.config.Output)
	plain := string(tree[record.Address])
	for _, mark := range []string{
		"<h1 dir=\"auto\">" + html.EscapeString(record.Title) + "</h1>", "Content-Security-Policy", "yalnızca metni var", "<p>Bir iki</p>", "&lt;img src=x onerror=alert(3)&gt;",
		"Spot &amp; &lt;script&gt;", `<a href="` + record.URL + `">Kaynağında oku</a>`, `<meta name="ayna-record" content="article/` + record.ID + ` sha256:`,
	} {
		if !strings.Contains(plain, mark) {
			t.Errorf("the plain page lacks %s:\n%s", mark, plain)
		}
	}
	if strings.Contains(plain, "<script") || strings.Contains(plain, "<img") {
		t.Errorf("the plain page is not safe:\n%s", plain)
	}
	if tree[record.Address+".gz"] == nil {
		t.Error("the plain page is not compressed")
	}
}
