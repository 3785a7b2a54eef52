package generator_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"ayna/archive"
	"ayna/generator"
	"ayna/templates"
	"ayna/testrun"
)

// An item whose template fails has a plain page until there is a better one: no
// record is without.
func TestPlainPage(t *testing.T) {
	testrun.NotShort(t)
	t.Parallel()
	p := newPress(t)
	p.config.Compress = []string{"gzip"}
	p.mustBuild(t, func(o *generator.Options) { o.Config.Output = filepath.Join(p.dir, "elsewhere") })
	record, _ := twoArticles(t, p.config.Archive)
	amend(t, p.config.Archive, record, map[string]any{
		"Description": "Spot & <script>alert(1)</script>&lt;script&gt;",
		"Text":        "<p>Bir <b>iki</b></p><script>alert(2)</script><p>&lt;img src=x onerror=alert(3)&gt;</p>",
	}, time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC))
	whole, failing := failsOn(t, record)
	p.config.Templates = t.TempDir()
	theme := func(text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(p.config.Templates, "article.html"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	build := func(failed int) (page, address string) {
		t.Helper()
		report := p.mustBuild(t, func(o *generator.Options) { o.Offline, o.Check = true, true })
		if len(report.Files.Failed) != failed || report.Incomplete() != (failed > 0) {
			t.Fatalf("failed: %v", report.Files.Failed)
		}
		if failed == 1 && (!strings.Contains(report.Files.Failed[0].Err.Error(), "article "+record.ID) || !strings.Contains(report.Files.Failed[0].Err.Error(), "article.html:")) {
			t.Errorf("the report says %+v", report.Files.Failed)
		}
		for name, data := range treeOf(t, p.config.Output) {
			if strings.HasSuffix(name, "-"+record.ID+".html") {
				return string(data), name
			}
		}
		t.Fatal("the article has no page")
		return "", ""
	}

	theme(failing)
	plain, address := build(1)
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
	if _, err := os.Stat(filepath.Join(p.config.Output, address+".gz")); err != nil {
		t.Error(err)
	}
	if again, _ := build(1); again != plain {
		t.Error("the next build makes another plain page")
	}
	theme(whole)
	good, _ := build(0)
	if !strings.Contains(good, `<nav class="trail"`) {
		t.Errorf("the page is not rendered when it can be:\n%s", good)
	}
	theme(failing)
	if stayed, _ := build(1); stayed != good {
		t.Error("the page does not stay when it cannot be rendered any more")
	}
}

// failsOn returns the template of articles, and one that fails on one of them.
func failsOn(t *testing.T, record *archive.Record) (whole, failing string) {
	t.Helper()
	text, err := templates.FS.ReadFile("article.html")
	if err != nil {
		t.Fatal(err)
	}
	return string(text), strings.Replace(string(text), "<article", `{{if eq .Original "`+record.URL+`"}}{{index .Notices 7}}{{end}}<article`, 1)
}
