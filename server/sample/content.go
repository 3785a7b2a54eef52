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

// newspaper is the content as its authors wrote it, checked and in the
// service's order.
type newspaper struct {
	items   []*item
	writers []*writer
	folders []folder
	pages   []page
	byID    map[string]*item
	bySlug  map[string]*writer
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

	kind    string // the folder its file lies in
	text    string
	started time.Time
}

type picture struct {
	Scene   string `yaml:"scene"`
	Seed    int    `yaml:"seed"`
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

func read(content fs.FS) (*newspaper, error) {
	n := &newspaper{byID: map[string]*item{}, bySlug: map[string]*writer{}}
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
		}
	}
	if err := n.check(); err != nil {
		return nil, err
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
		return nil, fmt.Errorf("the front matter must stand between two lines ---")
	}
	it := &item{}
	if err := yaml.UnmarshalWithOptions(front, it, yaml.Strict()); err != nil {
		return nil, fmt.Errorf("front matter: %w", err)
	}
	it.kind = path.Dir(name)
	it.text = strings.TrimSuffix(string(text), "\n")
	if want := strings.TrimSuffix(path.Base(name), ".html"); it.ID != want {
		return nil, fmt.Errorf("id is %q, the file's name says %q", it.ID, want)
	}
	return it, nil
}

func (n *newspaper) sort() {
	slices.SortFunc(n.items, func(a, b *item) int { return b.started.Compare(a.started) })
	slices.SortFunc(n.writers, func(a, b *writer) int { return b.created.Compare(a.created) })
	slices.SortFunc(n.pages, func(a, b page) int { return b.created.Compare(a.created) })
	slices.SortFunc(n.folders, func(a, b folder) int {
		return cmp.Or(cmp.Compare(a.Title, b.Title), cmp.Compare(a.Path, b.Path))
	})
}
