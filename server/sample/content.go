package sample

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/goccy/go-yaml"
)

// newspaper is the content as its authors wrote it, in the service's order.
type newspaper struct {
	items   []*item
	writers []*writer
	folders []folder
	pages   []*page

	itemByID     map[string]*item
	writerBySlug map[string]*writer
}

// item is an article, a column, a gallery or a video. Its dates stay as they
// are written, because the service sends 0 to 3 fraction digits.
type item struct {
	ID       string    `yaml:"id"`
	Path     string    `yaml:"path"`
	Title    string    `yaml:"title"`
	Spot     string    `yaml:"spot"`
	Created  string    `yaml:"created"`
	Start    string    `yaml:"start"`
	Modified string    `yaml:"modified"`
	Editor   string    `yaml:"editor"`
	Writer   string    `yaml:"writer"`
	Tags     []string  `yaml:"tags"`
	Related  []string  `yaml:"related"`
	Pictures []picture `yaml:"pictures"`

	kind  string // the folder of its file
	text  string
	start time.Time
}

type picture struct {
	File    string `yaml:"file"` // in pictures/, without .jpg
	Title   string `yaml:"title"`
	Caption string `yaml:"caption"`
}

type writer struct {
	ID      string   `yaml:"id"`
	Slug    string   `yaml:"slug"`
	Name    string   `yaml:"name"`
	Created string   `yaml:"created"`
	Picture *picture `yaml:"picture"`
	NoHome  bool     `yaml:"no_home"` // its Url is the bare site address

	created time.Time
}

type folder struct {
	ID    string `yaml:"id"`
	Path  string `yaml:"path"`
	Title string `yaml:"title"`
}

type page struct {
	ID      string   `yaml:"id"`
	Created string   `yaml:"created"`
	Title   string   `yaml:"title"`
	URL     string   `yaml:"url"`
	News    []string `yaml:"news"`

	created time.Time
}

// kinds are the folders with items, in the order of the API document.
var kinds = []string{"article", "column", "gallery", "video"}

// read checks only what the rest of the package relies on. The rules for the
// content's authors are in the tests.
func read(content fs.FS) (*newspaper, error) {
	n := &newspaper{itemByID: map[string]*item{}, writerBySlug: map[string]*writer{}}
	err := errors.Join(
		readYAML(content, "writers.yaml", &n.writers),
		readYAML(content, "folders.yaml", &n.folders),
		readYAML(content, "pages.yaml", &n.pages),
	)
	if err != nil {
		return nil, err
	}
	for _, kind := range kinds {
		names, err := fs.Glob(content, kind+"/*.html")
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			it, err := readItem(content, name)
			if err != nil {
				return nil, fmt.Errorf("sample content %s: %w", name, err)
			}
			n.items = append(n.items, it)
			n.itemByID[it.ID] = it
		}
	}
	if err := n.resolve(); err != nil {
		return nil, fmt.Errorf("sample content %w", err)
	}
	n.sort()
	return n, nil
}

func readYAML(content fs.FS, name string, into any) error {
	b, err := fs.ReadFile(content, name)
	if err != nil {
		return fmt.Errorf("sample content: %w", err)
	}
	if err := yaml.UnmarshalWithOptions(b, into, yaml.Strict()); err != nil {
		return fmt.Errorf("sample content %s: %w", name, err)
	}
	return nil
}

func readItem(content fs.FS, name string) (*item, error) {
	b, err := fs.ReadFile(content, name)
	if err != nil {
		return nil, err
	}
	b, ok := bytes.CutPrefix(b, []byte("---\n"))
	front, text, closed := bytes.Cut(b, []byte("\n---\n"))
	if !ok || !closed {
		return nil, errors.New("the front matter must be between two lines ---")
	}
	it := &item{}
	if err := yaml.UnmarshalWithOptions(front, it, yaml.Strict()); err != nil {
		return nil, fmt.Errorf("front matter: %w", err)
	}
	it.kind = path.Dir(name)
	it.text = strings.TrimSuffix(string(text), "\n")
	if want := strings.TrimSuffix(path.Base(name), ".html"); it.ID != want {
		return nil, fmt.Errorf("the id is %q, but the file name has %q", it.ID, want)
	}
	return it, nil
}

// resolve parses the dates and checks that every item, writer and picture that
// is referred to exists.
func (n *newspaper) resolve() (err error) {
	for _, w := range n.writers {
		if w.created, err = time.Parse(time.RFC3339Nano, w.Created); err != nil {
			return fmt.Errorf("writers.yaml: created of %s: %w", w.Slug, err)
		}
		if w.Picture != nil && !w.Picture.exists() {
			return fmt.Errorf("writers.yaml: %s has the unknown picture %q", w.Slug, w.Picture.File)
		}
		n.writerBySlug[w.Slug] = w
	}
	for _, p := range n.pages {
		if p.created, err = time.Parse(time.RFC3339Nano, p.Created); err != nil {
			return fmt.Errorf("pages.yaml: created of %s: %w", p.Title, err)
		}
		if err := n.checkItems(p.News); err != nil {
			return fmt.Errorf("pages.yaml: news of %s: %w", p.Title, err)
		}
	}
	for _, it := range n.items {
		if err := n.resolveItem(it); err != nil {
			return fmt.Errorf("%s/%s.html: %w", it.kind, it.ID, err)
		}
	}
	return nil
}

func (n *newspaper) resolveItem(it *item) (err error) {
	if it.start, err = time.Parse(time.RFC3339Nano, it.Start); err != nil {
		return fmt.Errorf("start: %w", err)
	}
	for _, p := range it.Pictures {
		if !p.exists() {
			return fmt.Errorf("unknown picture %q", p.File)
		}
	}
	if it.kind == "column" && n.writerBySlug[it.Writer] == nil {
		return fmt.Errorf("unknown writer %q", it.Writer)
	}
	if err := n.checkItems(it.Related); err != nil {
		return fmt.Errorf("related: %w", err)
	}
	return nil
}

func (n *newspaper) checkItems(ids []string) error {
	for _, id := range ids {
		if n.itemByID[id] == nil {
			return fmt.Errorf("unknown item %q", id)
		}
	}
	return nil
}

func (p picture) exists() bool {
	_, err := fs.Stat(pictureFiles, pictureFile(p.File))
	return err == nil
}

func (n *newspaper) sort() {
	slices.SortFunc(n.items, func(a, b *item) int { return b.start.Compare(a.start) })
	slices.SortFunc(n.writers, func(a, b *writer) int { return b.created.Compare(a.created) })
	slices.SortFunc(n.pages, func(a, b *page) int { return b.created.Compare(a.created) })
	slices.SortFunc(n.folders, func(a, b folder) int {
		return cmp.Or(cmp.Compare(a.Title, b.Title), cmp.Compare(a.Path, b.Path))
	})
}
