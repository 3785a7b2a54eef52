// Package export exports a published site as a zip file that works from disk or as a ZIM file
// for Kiwix, and the records of an archive as JSON lines. Package importer reads records
// back.
//
// In goes the directory of a site or an archive, out comes a file. Begin with [Site]
// for sites and with [JSONL] for records. zim.go makes ZIM files; [Selection] selects records
// and items.
package export

import (
	"archive/zip"
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"ayna/attachment"
	"ayna/generator/output"
	"ayna/generator/site"
	"ayna/slug"
)

// Site is a published site to export.
type Site struct {
	Dir      string // where it is published
	BaseURL  string // where it is served
	Title    string
	About    string              // its description
	Language string              // a tag of BCP 47
	Source   string              // name of the mirrored service
	Progress func(done, all int) // may be nil
}

// start is the page that a pack opens with.
const start = "index.html"

// Zip writes the site as a zip file. It unpacks to one folder, which opens with index.html.
func (s *Site) Zip(ctx context.Context, w io.Writer) error {
	z, folder := zip.NewWriter(w), s.name()
	err := s.pack(ctx, nil, func(e entry) error {
		e.name = folder + "/" + e.name
		return zipFile(z, e)
	})
	if err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return fmt.Errorf("write the zip file: %w", err)
	}
	return nil
}

// name returns the title as a file name.
func (s *Site) name() string { return cmp.Or(slug.Of(s.Title, s.Language), "site") }

// incompressible are the extensions of files that zip only stores.
var incompressible = []string{".jpg", ".png", ".gif", ".webp"}

// epoch is the time stamp of every file, so that the same site gives the same bytes.
// It is the earliest one that the format can express.
var epoch = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

func zipFile(z *zip.Writer, e entry) error {
	header := &zip.FileHeader{Name: e.name, Method: zip.Deflate, Modified: epoch}
	if slices.Contains(incompressible, path.Ext(e.name)) || attachment.IsPacked(e.name) {
		header.Method = zip.Store
	}
	header.SetMode(0o644)
	w, err := z.CreateHeader(header)
	if err != nil {
		return err
	}
	return e.write(w)
}

// entry is a file of a pack.
type entry struct {
	name  string
	write func(io.Writer) error
}

// pack calls put for the files of the site, sorted by name, but not for those in without.
// It opens the site once, because a build may publish another one meanwhile.
func (s *Site) pack(ctx context.Context, without []string, put func(entry) error) error {
	root, err := os.OpenRoot(s.Dir)
	if err == nil {
		defer root.Close()
		_, err = root.Lstat(site.Manifest)
	}
	if err != nil {
		return fmt.Errorf("no site is published in %s (%w); run ayna build first", s.Dir, err)
	}
	entries, err := entriesOf(root)
	if err != nil {
		return fmt.Errorf("pack the site in %s: %w", s.Dir, err)
	}
	entries = slices.DeleteFunc(entries, func(e entry) bool { return slices.Contains(without, e.name) })
	slices.SortFunc(entries, func(a, b entry) int { return strings.Compare(a.name, b.name) })
	for i, e := range entries {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := put(e); err != nil {
			return fmt.Errorf("pack %s: %w", e.name, err)
		}
		if s.Progress != nil {
			s.Progress(i+1, len(entries))
		}
	}
	return nil
}

func entriesOf(root *os.Root) ([]entry, error) {
	entries := []entry{{site.Manifest, func(w io.Writer) error { return writeManifest(root, w) }}}
	listed := map[string]bool{site.Manifest: true}
	for l, err := range output.Listing(root) {
		if err != nil {
			return nil, err
		}
		listed[l.Path] = true
		if isPacked(l) {
			entries = append(entries, copyOf(root, l.Path))
		}
	}
	foreign, err := foreignFiles(root, listed)
	for _, name := range foreign {
		entries = append(entries, copyOf(root, name))
	}
	return entries, err
}

// isPacked reports whether a file of the site belongs into a pack: expired files and
// compressed copies for servers do not.
func isPacked(l output.Listed) bool {
	return !l.Expired && !strings.HasSuffix(l.Path, ".gz") && !strings.HasSuffix(l.Path, ".zst")
}

// writeManifest writes the digests of the files in a pack, for sha256sum -c. It streams,
// because a site may have a million files.
func writeManifest(root *os.Root, w io.Writer) error {
	lines := bufio.NewWriter(w)
	for l, err := range output.Listing(root) {
		if err != nil {
			return err
		}
		if isPacked(l) {
			fmt.Fprintf(lines, "%x  %s\n", l.Sum, l.Path)
		}
	}
	return lines.Flush()
}

// foreignFiles returns the files that the site's owner put into the published
// tree: pages may show or link them. Hidden files are for servers and stay out.
func foreignFiles(root *os.Root, listed map[string]bool) (names []string, err error) {
	err = fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		hidden := name != "." && strings.HasPrefix(d.Name(), ".")
		switch {
		case err != nil:
			return err
		case hidden && d.IsDir():
			return fs.SkipDir
		case !hidden && d.Type().IsRegular() && !listed[name]:
			names = append(names, name)
		}
		return nil
	})
	return names, err
}

func copyOf(root *os.Root, name string) entry {
	return entry{name, func(w io.Writer) error {
		// A pipe would be waited for, and a link leads to what is not published.
		if info, err := root.Lstat(name); err != nil {
			return err
		} else if !info.Mode().IsRegular() {
			return errors.New("it is not a regular file; remove it and build again")
		}
		f, err := root.Open(name)
		if err != nil {
			return err
		}
		defer f.Close()
		_, err = io.Copy(w, f)
		return err
	}}
}
