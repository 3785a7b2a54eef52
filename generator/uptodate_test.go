package generator_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ayna/archive"
	"ayna/generator"
	"ayna/generator/config"
	"ayna/record"
	"ayna/testrun/fakepaper"
)

// A build that would make the site that stands arranges and renders nothing; one
// of another configuration, of other files that it names, or of another program
// does.
func TestStandingSiteIsNotBuiltAgain(t *testing.T) {
	t.Parallel()
	p, err := openPress(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	dir := p.dir
	write := func(name, text string) {
		t.Helper()
		file := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	write("whole/lock", "") // makes the archive's folder
	update(t, p.config.Archive, func(tx *archive.Tx) error {
		return fakepaper.Store(tx, fakepaper.Item(record.Article, "1", "Path", "/yasam/"))
	})
	yaml := "base_url: https://ayna.example/\nmedia: link\nmarkdown: false\nfeeds: {of: [home]}\ncontent: {include: [/yasam/]}\n"
	o := p.options(func(o *generator.Options) { o.Offline = true })
	notFound := `{{define "main"}}<h1>{{.Words.NotFoundTitle}}</h1>{{end}}`
	for _, step := range []struct {
		name   string
		change func()
		built  bool
	}{
		{"first", func() {}, true},
		{"the same", func() {}, false},
		{"title", func() { yaml += "title: Deneme\n" }, true},
		{"the same title", func() {}, false},
		{"requests a second, which no page shows", func() { yaml += "source: {per_second: 3}\n" }, false},
		{"other settings of requests", func() {
			yaml = strings.Replace(yaml, "per_second: 3", "per_second: 3, user_agent: deneme, max_records: 9999, api_key_file: key, sweep: 2h", 1)
		}, false},
		{"notify", func() { yaml += "notify: {url: 'http://127.0.0.1:9/'}\n" }, false},
		{"serve", func() { yaml += "serve: {per_second: 7}\n" }, false},
		{"the source's name", func() { yaml = strings.Replace(yaml, "per_second: 3", "per_second: 3, name: Gazete", 1) }, true},
		{"the order of dates", func() { yaml = strings.Replace(yaml, "per_second: 3", "per_second: 3, dates: dmy", 1) }, true},
		{"compress", func() { yaml += "compress: [gzip]\n" }, true},
		{"templates", func() { yaml += "templates: t\n"; write("t/notfound.html", notFound) }, true},
		{"a template", func() { write("t/notfound.html", notFound+" ") }, true},
		{"own pages", func() { yaml += "own_pages: own\n"; write("own/kunye.md", "# Künye\n") }, true},
		{"an own page", func() { write("own/kunye.md", "# Künye\n\nAdres\n") }, true},
		{"the same own page", func() {}, false},
		{"an asset", func() { yaml += "assets: a\n"; write("a/site.css", "body{}") }, true},
		{"words", func() { write("w.yaml", "Latest: Yeni"); yaml += "words: " + filepath.Join(dir, "w.yaml") + "\n" }, true},
		{"a word", func() { write("w.yaml", "Latest: Taze") }, true},
		{"the same words", func() {}, false},
		{"a snippet", func() { write("s.html", "<p>a"); yaml += "snippets: {foot: " + filepath.Join(dir, "s.html") + "}\n" }, true},
		{"another snippet", func() { write("s.html", "<p>b") }, true},
		{"a logo", func() { write("l.svg", "<svg/>"); yaml += "logo: " + filepath.Join(dir, "l.svg") + "\n" }, true},
		{"another logo", func() { write("l.svg", "<svg />") }, true},
		{"the same logo", func() {}, false},
		{"an icon", func() { write("i.png", "png"); yaml += "icon: " + filepath.Join(dir, "i.png") + "\n" }, true},
		{"another icon", func() { write("i.png", "gnp") }, true},
		{"an archive in another place", func() {
			if err := os.Rename(filepath.Join(dir, "whole"), filepath.Join(dir, "moved")); err != nil {
				t.Fatal(err)
			}
			p.config.Archive = filepath.Join(dir, "moved", "archive.db")
		}, false},
		{"program", func() { o.Version = "2" }, true},
		{"a check, which renders all", func() { o.Check = true }, true},
		{"the same program", func() { o.Check = false }, false},
		{"from the beginning", func() { o.Full = true }, true},
	} {
		step.change()
		write("site.yaml", yaml)
		c, err := config.Load(filepath.Join(dir, "site.yaml"), func(string) (string, bool) { return "", false })
		if err != nil {
			t.Fatal(err)
		}
		c.Archive, c.Output = p.config.Archive, p.config.Output
		for _, path := range []*string{&c.Templates, &c.Assets, &c.OwnPages} {
			if *path != "" {
				*path = filepath.Join(dir, filepath.Base(*path))
			}
		}
		o.Config = c
		report, err := generator.Build(t.Context(), o)
		if err != nil {
			t.Fatalf("%s: %v", step.name, err)
		}
		if _, built := report.Seconds["arrange"]; built != step.built {
			t.Errorf("%s: built: %t, want %t", step.name, built, step.built)
		}
		if report.Files.Files() == 0 {
			t.Errorf("%s: the report names no files", step.name)
		}
	}
}
