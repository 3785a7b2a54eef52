package generator_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ayna/generator"
	"ayna/generator/config"
	"ayna/generator/output"
	"ayna/generator/site"
	"ayna/testrun"
)

// loadTheme returns the configuration of an example, for a folder of its own.
func loadTheme(t *testing.T, name string) *config.Config {
	t.Helper()
	c, err := config.Load(filepath.Join("../examples", name, "site.yaml"), os.LookupEnv)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	c.Media, c.Markdown, c.Feeds.Of = "link", false, []site.ListKind{site.OfHome}
	c.Archive, c.Output = filepath.Join(dir, "archive.db"), filepath.Join(dir, "public")
	c.Templates, c.Assets = filepath.Join("..", c.Templates), filepath.Join("..", c.Assets)
	return c
}

// TestTheme builds the sample with the themes of examples, and then with mistakes in one.
func TestTheme(t *testing.T) {
	testrun.NotShort(t)
	t.Parallel()
	c := loadTheme(t, "theme")
	if err := buildSample(t, c, false); err != nil {
		t.Fatal(err)
	}
	video := read(t, c.Output, "video/*-[0-9]*.html")
	if text, poster := strings.Index(video, `<div class="text"`), strings.Index(video, `<figure class="lead"`); text < 0 || poster < text {
		t.Errorf("the theme's template is not used: text at %d, poster at %d", text, poster)
	}
	if built, own := strings.Index(video, "/assets/site."), strings.Index(video, "/assets/theme."); built < 0 || own < built {
		t.Errorf("the theme's style sheet is linked at %d, the built-in one at %d", own, built)
	}

	t.Run("theme-typewriter", func(t *testing.T) { // replaces much
		other := loadTheme(t, "theme-typewriter")
		other.Archive = c.Archive
		if err := buildSample(t, other, true); err != nil {
			t.Fatal(err)
		}
		for _, want := range []struct{ page, has string }{
			{"index.html", `<div class="wire">`},
			{"index.html", `assets/typewriter.`},
			{"gundem/saat-kulesi-*.html", `<article class="item typed">`},
		} {
			if page := read(t, other.Output, want.page); !strings.Contains(page, want.has) {
				t.Errorf("%s has no %s", want.page, want.has)
			}
		}
		if fonts, _ := filepath.Glob(filepath.Join(other.Output, "assets", "*.woff2")); len(fonts) > 0 {
			t.Errorf("the theme has typefaces that it removes: %v", fonts)
		}
	})
	t.Run("folder among the templates", func(t *testing.T) { // as that of a version control system
		c := *c
		c.Templates = t.TempDir()
		if err := os.MkdirAll(filepath.Join(c.Templates, ".git", "hooks"), 0o755); err != nil {
			t.Fatal(err)
		}
		c.Output = filepath.Join(t.TempDir(), "public")
		if err := buildSample(t, &c, true); err != nil {
			t.Error(err)
		}
	})
	for _, mistake := range []struct {
		name, file, text string
		want             error
		says             string
	}{
		{"does not parse", "video.html", "{{define \"main\"}}\n{{if}}{{end}}", generator.ErrConfig, "video.html:2"},
		{"no such field", "video.html", "{{define \"main\"}}\n\n{{.Poster}}{{end}}", generator.ErrConfig, "video.html:3"},
		{"fails on every video", "video.html", "{{define \"main\"}}\n<h1>{{with .Headline}}{{index $.Notices 7}}{{end}}</h1>{{end}}", output.ErrIncomplete, "video.html:2"},
	} {
		t.Run(mistake.name, func(t *testing.T) {
			c := *c
			c.Templates = t.TempDir()
			if err := os.WriteFile(filepath.Join(c.Templates, mistake.file), []byte(mistake.text), 0o644); err != nil {
				t.Fatal(err)
			}
			if err := buildSample(t, &c, true); !errors.Is(err, mistake.want) || !strings.Contains(err.Error(), mistake.says) {
				t.Errorf("%v; want %v with %s", err, mistake.want, mistake.says)
			}
			if read(t, c.Output, "video/*-[0-9]*.html") != video {
				t.Error("the published page changed")
			}
		})
	}
}

func buildSample(t *testing.T, c *config.Config, offline bool) error {
	p, err := openPress(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p.config = c
	_, err = p.build(t.Context(), func(o *generator.Options) { o.Offline = offline })
	return err
}

// read returns the first file that matches a pattern.
func read(t *testing.T, dir, pattern string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, pattern))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: %v", pattern, err)
	}
	data, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
