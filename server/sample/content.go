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

// date is a date that stays as it is written, because the service sends 0 to 3
// fraction digits.
type date struct {
	time.Time
	text string
}

// UnmarshalYAML implements [yaml.InterfaceUnmarshaler].
func (d *date) UnmarshalYAML(read func(any) error) error {
	err := read(&d.text)
	if err == nil {
		d.Time, err = time.Parse(time.RFC3339Nano, d.text)
	}
	return err
}

// item is an article, a column, a gallery or a video.
type item struct {
	ID       string    `yaml:"id"`
	Path     string    `yaml:"path"`
	Title    string    `yaml:"title"`
	Spot     string    `yaml:"spot"`
	Created  date      `yaml:"created"`
	Start    date      `yaml:"start"`
	Modified date      `yaml:"modified"`
	Editor   string    `yaml:"editor"`
	Writer   string    `yaml:"writer"`
	Tags     []string  `yaml:"tags"`
	Related  []string  `yaml:"related"`
	Pictures []picture `yaml:"pictures"`
	Earlier  []earlier `yaml:"earlier"` // the newest first

	kind string // the folder of its file
	text string
}

type picture struct {
	File    string `yaml:"file"` // in pictures/, without .jpg
	Title   string `yaml:"title"`
	Caption string `yaml:"caption"`
}

// earlier is a version of an item before a correction of its words.
type earlier struct {
	Modified date              `yaml:"modified"`
	Words    map[string]string `yaml:"words"` // of the version that followed, and what this one has instead
}

// before returns the version of an item that a correction replaced.
func (it *item) before(e earlier) *item {
	old := *it
	old.Modified = e.Modified
	for now, then := range e.Words {
		for _, field := range []*string{&old.Title, &old.Spot, &old.text} {
			*field = strings.ReplaceAll(*field, now, then)
		}
	}
	return &old
}

type writer struct {
	ID      string   `yaml:"id"`
	Slug    string   `yaml:"slug"`
	Name    string   `yaml:"name"`
	Created date     `yaml:"created"`
	Picture *picture `yaml:"picture"`
	NoHome  bool     `yaml:"no_home"` // its Url is the bare site address
}

type folder struct {
	ID    string `yaml:"id"`
	Path  string `yaml:"path"`
	Title string `yaml:"title"`
}

type page struct {
	ID      string   `yaml:"id"`
	Created date     `yaml:"created"`
	Title   string   `yaml:"title"`
	URL     string   `yaml:"url"`
	News    []string `yaml:"news"`
}

// kinds are the folders with items, in the order of the API document.
var kinds = []string{"article", "column", "gallery", "video"}

// read reads the content. The tests check what its authors may get wrong, such as
// a link to an item that does not exist.
func read(content fs.FS) (*newspaper, error) {
	n := &newspaper{itemByID: map[string]*item{}, writerBySlug: map[string]*writer{}}
	err := errors.Join(
		readYAML(content, "writers.yaml", &n.writers),
		readYAML(content, "folders.yaml", &n.folders),
		readYAML(content, "pages.yaml", &n.pages),
	)
	for _, w := range n.writers {
		n.writerBySlug[w.Slug] = w
	}
	for _, kind := range kinds {
		names, _ := fs.Glob(content, kind+"/*.html") // the pattern is sound
		for _, name := range names {
			it, failed := readItem(content, name)
			if failed != nil {
				err = errors.Join(err, fmt.Errorf("sample content %s: %w", name, failed))
				continue
			}
			n.items = append(n.items, it)
			n.itemByID[it.ID] = it
		}
	}
	n.sort()
	return n, err
}

func readYAML(content fs.FS, name string, into any) error {
	b, err := fs.ReadFile(content, name)
	if err == nil {
		err = yaml.UnmarshalWithOptions(b, into, yaml.Strict())
	}
	if err != nil {
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

func (n *newspaper) sort() {
	slices.SortFunc(n.items, func(a, b *item) int { return b.Start.Compare(a.Start.Time) })
	slices.SortFunc(n.writers, func(a, b *writer) int { return b.Created.Compare(a.Created.Time) })
	slices.SortFunc(n.pages, func(a, b *page) int { return b.Created.Compare(a.Created.Time) })
	slices.SortFunc(n.folders, func(a, b folder) int {
		return cmp.Or(cmp.Compare(a.Title, b.Title), cmp.Compare(a.Path, b.Path))
	})
}
