package check

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"

	"ayna/generator/output"
)

// reader checks files one after the other and reuses its memory.
type reader struct {
	*checker
	buffer []byte
	tag    tag

	name      string // of the file that is checked
	flaws     []Flaw
	ids       map[string]bool // anchors of the page
	ownLinks  map[string]bool // anchors that the page links to in itself
	dir       string          // of the page
	goodLinks map[string]bool // links in dir that were checked and lead to a file
}

func newReader(c *checker) *reader {
	return &reader{checker: c, ids: map[string]bool{}, ownLinks: map[string]bool{}, goodLinks: map[string]bool{}}
}

func (r *reader) flaw(format string, args ...any) {
	r.flaws = append(r.flaws, Flaw{Path: r.name, What: fmt.Sprintf(format, args...)})
}

// check checks one file of the manifest.
func (r *reader) check(ctx context.Context, f output.Listed) ([]Flaw, error) {
	content, sum, err := r.read(f.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return []Flaw{{Path: f.Path, What: "is in the manifest, but missing", Lost: true}}, nil
	case err != nil:
		return nil, err
	case sum != f.Sum:
		return []Flaw{{Path: f.Path, What: fmt.Sprintf("its bytes differ from the manifest: sha256 %x", sum), Lost: true}}, nil
	case f.Expired || r.Bytes: // the links of expired files may be dead; with Bytes, links are not checked
		return nil, nil
	}
	r.name, r.flaws = f.Path, nil
	clear(r.ids)
	clear(r.ownLinks)
	const maxGoodLinks = 1 << 12
	// In another directory relative links lead elsewhere.
	if dir := path.Dir(f.Path); dir != r.dir || len(r.goodLinks) > maxGoodLinks {
		r.dir = dir
		clear(r.goodLinks)
	}
	switch path.Ext(f.Path) {
	case ".html":
		err = r.page(ctx, content)
	case ".md":
		r.markdown(content)
	case ".xml":
		r.xml(content)
	case ".json":
		r.json(content)
	}
	for _, anchor := range slices.Sorted(maps.Keys(r.ownLinks)) {
		if !r.ids[anchor] {
			r.flaw("links to its anchor #%s, which does not exist", anchor)
		}
	}
	return r.flaws, err
}

// read returns the SHA-256 of a file, and the content of pages, Markdown, XML and JSON.
// The content is valid until the next read.
func (r *reader) read(name string) (content []byte, sum [32]byte, err error) {
	info, err := r.root.Lstat(name)
	if err != nil {
		return nil, sum, err
	}
	if !info.Mode().IsRegular() {
		return nil, sum, fmt.Errorf("%s: %w: it is not a regular file", name, fs.ErrNotExist)
	}
	f, err := r.root.Open(name)
	if err != nil {
		return nil, sum, err
	}
	defer f.Close()
	switch path.Ext(name) {
	case ".html", ".md", ".xml", ".json":
		b := bytes.NewBuffer(r.buffer[:0])
		_, err = b.ReadFrom(f)
		const maxKept = 1 << 20
		if r.buffer = b.Bytes(); cap(r.buffer) > maxKept {
			r.buffer = nil
		}
		return b.Bytes(), sha256.Sum256(b.Bytes()), err
	}
	h := sha256.New()
	_, err = io.Copy(h, f)
	return nil, [32]byte(h.Sum(nil)), err
}
