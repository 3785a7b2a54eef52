package generator

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ayna/generator/page"
	"ayna/generator/prose"
	"ayna/generator/site"
)

// readTheme reads the templates, assets and own pages that the configuration
// names. It is called before any request, so that a mistake in them costs none.
func readTheme(o Options) (page.Options, error) {
	templates, err := overlay(o.Templates, o.Config.Templates, "templates")
	if err != nil {
		return page.Options{}, err
	}
	words, _ := site.WordsFor(o.Config.Language) // checked by package config
	parsed, err := page.Parse(templates, words)
	if err != nil {
		return page.Options{}, err
	}
	assetFiles, err := overlay(o.Assets, o.Config.Assets, "assets")
	if err != nil {
		return page.Options{}, err
	}
	assets, err := page.Assets(assetFiles)
	if err != nil {
		return page.Options{}, err
	}
	own, err := ownPages(o.Config.OwnPages, words.Table)
	return page.Options{Templates: templates, Parsed: parsed, Assets: assets, Own: own}, err
}

// ownPages reads the site owner's pages, the Markdown files of a folder. table is
// the caption of tables without one.
func ownPages(dir, table string) ([]page.OwnPage, error) {
	if dir == "" {
		return nil, nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("own_pages: %w", err)
	}
	var pages []page.OwnPage
	for _, entry := range entries {
		name, ok := strings.CutSuffix(entry.Name(), ".md")
		if !ok || !entry.Type().IsRegular() || strings.HasPrefix(name, ".") {
			continue
		}
		source, err := os.ReadFile(filepath.Join(dir, entry.Name()))
		if err != nil {
			return nil, fmt.Errorf("own_pages: %w", err)
		}
		markdown, err := prose.RenderMarkdown(source, table)
		if err != nil {
			return nil, fmt.Errorf("own_pages: %s: %w", entry.Name(), err)
		}
		pages = append(pages, page.OwnPage{
			Name: name, Title: cmp.Or(markdown.Title, name), Description: markdown.Description, HTML: markdown.HTML,
		})
	}
	return pages, nil
}

// overlay returns the built-in files, with those in the folder dir in place of
// files of the same name. key is the setting that names the folder.
func overlay(builtIn fs.FS, dir, key string) (fs.FS, error) {
	if dir == "" {
		return builtIn, nil
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return nil, fmt.Errorf("%s: %s is not a readable folder; name one, or leave %s empty", key, dir, key)
	}
	return layers{os.DirFS(dir), builtIn}, nil
}

// layers is a flat file system in which a file of the first layer hides the one
// of the second with the same name.
type layers [2]fs.FS

// Open implements [fs.FS].
func (l layers) Open(name string) (fs.File, error) {
	f, err := l[0].Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return l[1].Open(name)
	}
	return f, err
}

// ReadDir implements [fs.ReadDirFS].
func (l layers) ReadDir(name string) ([]fs.DirEntry, error) {
	byName := make(map[string]fs.DirEntry)
	for _, layer := range slices.Backward(l[:]) {
		entries, err := fs.ReadDir(layer, name)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			byName[e.Name()] = e
		}
	}
	byNames := func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) }
	return slices.SortedFunc(maps.Values(byName), byNames), nil
}
