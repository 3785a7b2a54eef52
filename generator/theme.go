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
	"ayna/prose"
)

// theme is what the site owner has designed and written.
type theme struct {
	page.Options
	texts []string // names and contents of all its files
}

// CheckTheme reads the files that the configuration names, as a command does before its
// first request. The error joins all faults.
func CheckTheme(o Options) error {
	o.Offline = false
	_, err := readTheme(o)
	return err
}

// readTheme reads the templates, assets, own pages, pictures and snippets that the configuration
// names. It is called before any request, so that a mistake in them costs none; the error joins
// all of them. Without requests, templates are parsed when they are needed: that takes a sixth
// of a build with nothing to do.
func readTheme(o Options) (read theme, err error) {
	c, errs := o.Config, []error(nil)
	check := func(key string, err error) bool {
		if err != nil {
			errs = append(errs, c.Errorf(key, "%w", err))
		}
		return err == nil
	}
	if read.Templates, err = overlay(o.Templates, c.Templates); check("templates", err) && !o.Offline {
		read.Parsed, err = page.Parse(read.Templates, c.Words)
		check("templates", err)
	}
	readBranding(&read.Branding, &c.Shown, check)
	if assets, err := overlay(o.Assets, c.Assets); check("assets", err) {
		read.Assets, err = page.Assets(assets, read.Branding)
		check("assets", err)
	}
	read.Own, err = ownPages(c.OwnPages, c.Words.Table, c.Language)
	check("own_pages", err)
	if len(errs) == 0 {
		read.texts, err = themeTexts(read.Options)
		check("templates", err)
	}
	return read, errors.Join(errs...)
}

// parse parses the templates, unless [readTheme] has parsed them.
func (t *theme) parse(c *config.Config) (err error) {
	if t.Parsed != nil {
		return nil
	}
	if t.Parsed, err = page.Parse(t.Templates, c.Words); err != nil {
		return fmt.Errorf("%w: %w", ErrConfig, c.Errorf("templates", "%w", err))
	}
	return nil
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
	for _, part := range []template.HTML{read.Branding.Head, read.Branding.Article, read.Branding.Foot} {
		texts = append(texts, string(part))
	}
	for _, own := range read.Own {
		texts = append(texts, own.Name, own.Title, own.Description, string(own.HTML))
	}
	return texts, nil
}

// readFile reads a file that a key names.
func readFile(name string) ([]byte, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		err = fmt.Errorf("%w; name a file that can be read, or remove the key", err)
	}
	return data, err
}

// readPicture reads the picture that a key names, if it does.
func readPicture(key, name string) (a page.Asset, err error) {
	if name == "" {
		return a, nil
	}
	a.Name = key + strings.ToLower(filepath.Ext(name))
	if a.Data, err = readFile(name); err != nil {
		return a, err
	}
	if n := len(a.Data); n == 0 || n > maxLogo {
		return a, fmt.Errorf("%s has %d bytes; use a picture of at most %d", name, n, maxLogo)
	}
	return a, nil
}

// readBranding reads what the owner puts around pages. It calls check with the error of each key.
func readBranding(f *page.Branding, c *config.Shown, check func(key string, err error) bool) {
	f.Accent, f.Sources, f.Note = c.Accent, c.CSP, c.Words.FeedNote
	for _, link := range c.Menu {
		f.Menu = append(f.Menu, page.MenuLink(link))
	}
	var err error
	f.Logo, err = readPicture("logo", c.Logo)
	check("logo", err)
	f.Icon, err = readPicture("icon", c.Icon)
	check("icon", err)
	footer, err := prose.RenderMarkdown([]byte(c.Footer), c.Words.Table, c.Language)
	check("footer", err)
	f.Footer = footer.HTML
	for _, snippet := range []struct {
		key, file string
		into      *template.HTML
	}{{"snippets.head", c.Snippets.Head, &f.Head}, {"snippets.article", c.Snippets.Article, &f.Article}, {"snippets.foot", c.Snippets.Foot, &f.Foot}} {
		if snippet.file == "" {
			continue
		}
		text, err := readFile(snippet.file)
		check(snippet.key, err)
		*snippet.into = prose.OwnHTML(string(text))
	}
}

// ownPages reads the site owner's pages, the Markdown files of a folder. table is
// the caption of tables without one.
func ownPages(dir, table, language string) ([]page.OwnPage, error) {
	if dir == "" {
		return nil, nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("%w; name a folder that can be read, or remove the key", err)
	}
	var pages []page.OwnPage
	for _, entry := range entries {
		name, ok := strings.CutSuffix(entry.Name(), ".md")
		if !ok || !entry.Type().IsRegular() || strings.HasPrefix(name, ".") {
			continue
		}
		source, err := os.ReadFile(filepath.Join(dir, entry.Name()))
		if err != nil {
			return nil, err
		}
		markdown, err := prose.RenderMarkdown(source, table, language)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", entry.Name(), err)
		}
		pages = append(pages, page.OwnPage{
			Name: name, Title: cmp.Or(markdown.Title, name), Description: markdown.Description, HTML: markdown.HTML,
		})
	}
	return pages, nil
}

// overlay returns the built-in files, with those in the folder dir in place of
// files of the same name.
func overlay(builtIn fs.FS, dir string) (fs.FS, error) {
	if dir == "" {
		return builtIn, nil
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return nil, fmt.Errorf("%s is not a readable folder; name one, or remove the key", dir)
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
