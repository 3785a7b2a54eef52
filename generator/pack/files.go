package pack

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"ayna/generator/output"
	"ayna/generator/site"
)

// entry is a file of a pack.
type entry struct {
	name string
	page bool // HTML whose links may have to be changed
	open func() (io.ReadCloser, error)
}

// files returns the files of a site that belong to a part, in order, and a
// function to give up what they need.
func (s *Site) files(part Part) ([]entry, func() error, error) {
	root, err := os.OpenRoot(s.Dir)
	if err != nil {
		return nil, nil, fmt.Errorf("pack the site in %s: %w (run build first)", s.Dir, err)
	}
	entries, err := s.choose(part, root)
	if err != nil {
		root.Close()
		return nil, nil, fmt.Errorf("pack the site in %s: %w", s.Dir, err)
	}
	return entries, root.Close, nil
}

func (s *Site) choose(part Part, root *os.Root) ([]entry, error) {
	var names []string
	made := map[string]bool{site.Manifest: true} // by a build
	for l, err := range output.Listing(s.Dir) {
		if err != nil {
			return nil, err
		}
		made[l.Path] = true
		if !l.Lingers && !isCompressed(l.Path) {
			names = append(names, l.Path)
		}
	}
	open := func(name string) func() (io.ReadCloser, error) {
		return func() (io.ReadCloser, error) { return root.Open(name) }
	}
	if !part.whole() {
		entries, err := s.part(part, names, open)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", part.Path, err)
		}
		return entries, nil
	}
	own, err := owned(root, made)
	if err != nil {
		return nil, err
	}
	entries := []entry{{name: site.Manifest, open: s.manifest}}
	for _, name := range slices.Concat(names, own) {
		entries = append(entries, entry{name: name, open: open(name)})
	}
	sortEntries(entries)
	return entries, nil
}

// manifest returns what is in a pack of the whole site, for sha256sum -c. It is
// made while it is read: a site may have a million files.
func (s *Site) manifest() (io.ReadCloser, error) {
	r, w := io.Pipe()
	go func() {
		lines := bufio.NewWriter(w)
		for l, err := range output.Listing(s.Dir) {
			if err == nil && !l.Lingers && !isCompressed(l.Path) {
				_, err = fmt.Fprintf(lines, "%x  %s\n", l.Sum, l.Path)
			}
			if err != nil {
				w.CloseWithError(err)
				return
			}
		}
		w.CloseWithError(lines.Flush())
	}()
	return r, nil
}

// owned returns the files in a published tree that its owner put there: pages may
// show or link them. Those that begin with a dot are for servers.
func owned(root *os.Root, made map[string]bool) (names []string, err error) {
	err = fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		hidden := name != "." && strings.HasPrefix(d.Name(), ".")
		switch {
		case err != nil:
			return err
		case hidden && d.IsDir():
			return fs.SkipDir
		case !hidden && d.Type().IsRegular() && !made[name]:
			names = append(names, name)
		}
		return nil
	})
	return names, err
}

// given is an entry that stands in no file.
func given(name string, content []byte) entry {
	return entry{name: name, open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(content)), nil }}
}

func sortEntries(entries []entry) {
	slices.SortFunc(entries, func(a, b entry) int { return strings.Compare(a.name, b.name) })
}

// isCompressed reports whether a file is another one, compressed for servers.
func isCompressed(name string) bool {
	return strings.HasSuffix(name, ".gz") || strings.HasSuffix(name, ".zst")
}
