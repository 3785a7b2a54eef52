package generator

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ayna/generator/page"
	"ayna/generator/prose"
	"ayna/generator/site"
)

// readTheme reads what the configuration names, before anything is fetched:
// templates, assets and own pages.
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

// ownPages reads the owner's own pages, the Markdown files of a folder. table is
// the word for a table.
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
		title := markdown.Title
		if title == "" {
			title = name
		}
		pages = append(pages, page.OwnPage{Name: name, Title: title, Description: markdown.Description, HTML: markdown.HTML})
	}
	return pages, nil
}

// overlay returns built-in files, of which those in the owner's folder dir take
// the place, one by one. key is the configuration's name for the folder.
func overlay(builtIn fs.FS, dir, key string) (fs.FS, error) {
	if dir == "" {
		return builtIn, nil
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return nil, fmt.Errorf("%s: %s is no folder that can be read", key, dir)
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
	upper, err := fs.ReadDir(l[0], name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	lower, err := fs.ReadDir(l[1], name)
	if err != nil {
		return nil, err
	}
	entries := upper
	for _, e := range lower {
		if !slices.ContainsFunc(upper, func(u fs.DirEntry) bool { return u.Name() == e.Name() }) {
			entries = append(entries, e)
		}
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, nil
}
