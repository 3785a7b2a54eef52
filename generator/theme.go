package generator

import (
	"cmp"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ayna/generator/config"
	"ayna/generator/page"
	"ayna/generator/prose"
)

// theme is what the site owner has designed and written.
type theme struct {
	page.Options
	texts []string // names and contents of all its files
}

// readTheme reads the templates, assets and own pages that the configuration
// names. It is called before any request, so that a mistake in them costs none. Without
// requests, templates are parsed when they are needed: that takes a sixth of a build with
// nothing to do.
func readTheme(o Options) (read theme, err error) {
	if read.Templates, err = overlay(o.Templates, o.Config.Templates, "templates"); err != nil {
		return read, err
	}
	words := o.Config.Words
	if !o.Offline {
		if read.Parsed, err = page.Parse(read.Templates, words); err != nil {
			return read, err
		}
	}
	assets, err := overlay(o.Assets, o.Config.Assets, "assets")
	if err != nil {
		return read, err
	}
	if read.Frame, err = readFrame(&o.Config.Shown, words.Table); err != nil {
		return read, err
	}
	if read.Assets, err = page.Assets(assets, read.Frame); err != nil {
		return read, err
	}
	if read.Own, err = ownPages(o.Config.OwnPages, words.Table, o.Config.Language); err != nil {
		return read, err
	}
	read.texts, err = themeTexts(read.Options)
	return read, err
}

// themeTexts returns names and contents of templates, assets and own pages.
func themeTexts(read page.Options) (texts []string, err error) {
	names, err := fs.Glob(read.Templates, "*.html")
	if err != nil {
		return nil, fmt.Errorf("read the templates: %w", err)
	}
	for _, name := range names {
		text, err := fs.ReadFile(read.Templates, name)
		if err != nil {
			return nil, fmt.Errorf("read the templates: %w", err)
		}
		texts = append(texts, name, string(text))
	}
	for _, asset := range read.Assets {
		texts = append(texts, asset.Address) // it has a digest of the content
	}
	for _, part := range []template.HTML{read.Frame.Head, read.Frame.Article, read.Frame.Foot} {
		texts = append(texts, string(part))
	}
	for _, own := range read.Own {
		texts = append(texts, own.Name, own.Title, own.Description, string(own.HTML))
	}
	return texts, nil
}

// maxLogo limits logo and icon, which every page loads, in bytes.
const maxLogo = 512 << 10

// readPicture reads the picture that a key names, if it does.
func readPicture(key, name string) (a page.Asset, err error) {
	if name == "" {
		return a, nil
	}
	a.Name = key + strings.ToLower(filepath.Ext(name))
	if a.Data, err = os.ReadFile(name); err != nil {
		return a, fmt.Errorf("%s: %w", key, err)
	}
	if n := len(a.Data); n == 0 || n > maxLogo {
		return a, fmt.Errorf("%s: %s has %d bytes; use a picture of at most %d", key, name, n, maxLogo)
	}
	return a, nil
}

// readFrame reads what the owner puts around pages.
func readFrame(c *config.Shown, table string) (f page.Frame, err error) {
	f.Accent, f.Sources, f.Note = c.Accent, c.CSP, c.Words.FeedNote
	for _, link := range c.Menu {
		f.Menu = append(f.Menu, page.MenuLink(link))
	}
	if f.Logo, err = readPicture("logo", c.Logo); err != nil {
		return f, err
	}
	if f.Icon, err = readPicture("icon", c.Icon); err != nil {
		return f, err
	}
	footer, err := prose.RenderMarkdown([]byte(c.Footer), table, c.Language)
	if err != nil {
		return f, fmt.Errorf("footer: %w", err)
	}
	f.Footer = footer.HTML
	html := make(map[string]template.HTML)
	for key, name := range c.Snippets.Files() {
		if name == "" {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return f, fmt.Errorf("%s: %w", key, err)
		}
		html[key] = prose.OwnHTML(string(text))
	}
	f.Head, f.Article, f.Foot = html["snippets.head"], html["snippets.article"], html["snippets.foot"]
	return f, nil
}

// ownPages reads the site owner's pages, the Markdown files of a folder. table is
// the caption of tables without one.
func ownPages(dir, table, language string) ([]page.OwnPage, error) {
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
		markdown, err := prose.RenderMarkdown(source, table, language)
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
