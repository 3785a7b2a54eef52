package browser

import (
	"archive/zip"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ayna/export/epub"
	"ayna/generator"
	"ayna/generator/config"
	"ayna/testrun"
	"ayna/testrun/fakepaper"
)

// TestAttacksInBook makes a book whose every item consists of attacks: it is
// well-formed XML in which nothing can run, and EPUBCheck finds nothing, where the run is
// slow.
func TestAttacksInBook(t *testing.T) {
	testrun.NotShort(t)
	dir := t.TempDir()
	settings, name := filepath.Join(dir, "site.yaml"), filepath.Join(dir, "book.epub")
	text := "title: Deneme & \"<b>\"\nbase_url: https://ayna.example/haber/\narchive: " + filepath.Join(dir, "archive.db") + "\n"
	if err := os.WriteFile(settings, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	c, err := config.Load(settings, os.LookupEnv)
	if err != nil {
		t.Fatal(err)
	}
	items := arm(t, c.Archive, numbered)
	stories, err := generator.Stories(t.Context(), c, fakepaper.Read(t, c.Archive))
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	book := epub.Book{Stories: stories, Items: stories.Site.Home.Items, Titles: []string{numbered[0].Text}, Widths: c.Widths}
	result, err := book.Write(t.Context(), f)
	if err := errors.Join(err, f.Close()); err != nil || len(result.Damaged) > 0 || book.Items.Len() != items {
		t.Fatalf("%d of %d items, %+v: %v", book.Items.Len(), items, result, err)
	}
	checkXML(t, name)
	if !testrun.Slow() {
		return
	}
	checker, err := exec.LookPath("epubcheck")
	if err != nil {
		t.Skip("EPUBCheck is not installed: .ci/run epub installs it")
	}
	if out, err := exec.Command("java", "-XX:TieredStopAtLevel=1", "-jar", checker, "--failonwarnings", name).CombinedOutput(); err != nil {
		t.Errorf("EPUBCheck: %v\n%.4000s", err, out)
	}
}

// checkXML reads every document of a book as XML, and looks for what could run.
func checkXML(t *testing.T, name string) {
	t.Helper()
	z, err := zip.OpenReader(name)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	for _, f := range z.File {
		if !slices.Contains([]string{".xhtml", ".opf", ".ncx", ".xml"}, path.Ext(f.Name)) {
			continue
		}
		content, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		decoder := xml.NewDecoder(content)
		for {
			token, err := decoder.Token()
			if err != nil {
				if err != io.EOF {
					t.Errorf("%s: %v", f.Name, err)
				}
				break
			}
			start, _ := token.(xml.StartElement)
			if slices.Contains([]string{"script", "style", "iframe", "object", "svg", "math", "base", "form"}, start.Name.Local) {
				t.Errorf("%s has the element %s", f.Name, start.Name.Local)
			}
			for _, a := range start.Attr {
				if strings.HasPrefix(a.Name.Local, "on") || a.Name.Local == "style" || a.Name.Local == "src" && path.Ext(f.Name) == ".xhtml" && strings.Contains(a.Value, ":") {
					t.Errorf("%s has %s=%q", f.Name, a.Name.Local, a.Value)
				}
			}
		}
		content.Close()
	}
}
