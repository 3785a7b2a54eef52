package main

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/goccy/go-yaml"

	"ayna/assets"
	"ayna/generator/site"
)

// theme is a Hugo site without content.
//
//go:embed all:theme
var theme embed.FS

// front is the front matter of an item.
type front struct {
	Title    string         `yaml:"title"`
	Date     string         `yaml:"date"`
	Lastmod  string         `yaml:"lastmod,omitempty"`
	Summary  string         `yaml:"description"`
	Kind     string         `yaml:"kind_word"`
	Editor   string         `yaml:"editor,omitempty"`
	Source   string         `yaml:"source"`
	Writers  []string       `yaml:"yazar,omitempty"`
	Tags     []string       `yaml:"etiket"`
	Pictures []frontPicture `yaml:"pictures"`
	Related  []string       `yaml:"related,omitempty"` // paths of pages, as Hugo's GetPage takes them
}

type frontPicture struct {
	Src     string `yaml:"src"`
	Alt     string `yaml:"alt"`
	Caption string `yaml:"caption"`
}

var kindWords = map[site.Kind]string{
	site.Article: "Haber", site.Column: "Köşe yazısı", site.Gallery: "Foto galeri", site.Video: "Video",
}

// contentFile is a file of the folder content/.
type contentFile struct {
	name string
	text []byte
}

// writeHugo writes the items as content of a Hugo site, and the rest of a new
// site.
func writeHugo(s settings, p *paper, orders iter.Seq[order]) error {
	if s.isNew() {
		if err := writeTheme(s.hugo); err != nil {
			return fmt.Errorf("make the Hugo site: %w", err)
		}
	}
	write := func(it item) (struct{}, error) {
		f, err := it.content()
		if err == nil {
			err = os.WriteFile(filepath.Join(s.hugo, "content", filepath.FromSlash(f.name)), f.text, 0o644)
		}
		if err != nil {
			return struct{}{}, fmt.Errorf("write item %s for Hugo: %w", it.id, err)
		}
		return struct{}{}, nil
	}
	return inBatches(p, orders, write, func([]struct{}) error { return nil })
}

// writeTheme writes the theme, with ayna's style sheet, and the folders with
// their titles.
func writeTheme(dir string) error {
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s exists; remove it, or name another directory", dir)
	}
	files, err := fs.Sub(theme, "theme")
	if err != nil {
		return err
	}
	if err := errors.Join(os.CopyFS(dir, files), os.CopyFS(filepath.Join(dir, "assets"), assets.FS)); err != nil {
		return err
	}
	for _, f := range folders {
		text, err := yaml.Marshal(map[string]string{"title": f.title})
		if err != nil {
			return err
		}
		name := filepath.Join(dir, "content", filepath.FromSlash(f.path), "_index.md")
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(name, document(text, ""), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// content returns the item as a content file.
func (it *item) content() (contentFile, error) {
	const dates = "2006-01-02T15:04:05Z"
	f := front{
		Title: it.title, Date: it.published.Format(dates), Summary: it.spot, Kind: kindWords[it.kind],
		Editor: it.editor, Source: it.url(), Tags: it.tags,
	}
	if !it.modified.IsZero() {
		f.Lastmod = it.modified.Format(dates)
	}
	if it.writer != nil {
		f.Writers = []string{it.writer.name}
	}
	for _, p := range it.pictures {
		f.Pictures = append(f.Pictures, frontPicture{p.url, p.title, p.caption})
	}
	for _, h := range it.related {
		f.Related = append(f.Related, strings.TrimSuffix(h.page(), ".html"))
	}
	text, err := yaml.Marshal(f)
	return contentFile{path.Join(it.folder.path, it.slug) + ".md", document(text, asMarkdown(it.text))}, err
}

func document(front []byte, text string) []byte {
	return bytes.Join([][]byte{[]byte("---\n"), front, []byte("---\n"), []byte(text)}, nil)
}
