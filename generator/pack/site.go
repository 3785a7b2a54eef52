// Package pack exports a published site as a zip file that works from disk or as a
// ZIM file for Kiwix, the records of an archive as JSON lines, CSV or Parquet, and both as
// a web archive. An export holds everything, or only a folder or a month of publication.
// Package importer reads records back.
//
// In goes the directory of a site or an archive, out comes a file. Begin with [Site]
// for sites, with [JSONL] for records, and with [Table] for tables. [WACZ] writes web
// archives: cdxj.go has their index, and answer.go writes the records of the archive into them. zim.go makes ZIM files; part.go selects the pages and records of a folder or a month.
package pack

import (
	"archive/zip"
	"bufio"
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"ayna/generator/output"
	"ayna/generator/site"
)

// Site is a published site to export.
type Site struct {
	Dir      string // where it is published
	BaseURL  string // where it is served; links that leave a part go there
	Title    string
	About    string // its description
	Language string // "tr" or "en"
	Source   string // name of the mirrored service
	Words    site.Words
	Feeds    bool                // a pack of the whole site has feeds
	Markdown bool                // a pack of the whole site has the items as Markdown too
	Progress func(done, all int) // may be nil
}

// start is the page that a pack opens with.
const start = "index.html"

// Zip writes a part of the site as a zip file. It unpacks to one folder, which opens
// with index.html.
func (s *Site) Zip(ctx context.Context, w io.Writer, part Part) error {
	z, folder := zip.NewWriter(w), s.folder(part)
	err := s.pack(ctx, part, nil, func(e entry) error {
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

// folder returns the name of the folder that a zip file unpacks to: of the site's title
// and the part.
func (s *Site) folder(part Part) string {
	names := []string{cmp.Or(site.Slug(s.Title, s.Language), "site")}
	if part.dir() != "" {
		names = append(names, site.Slug(strings.ReplaceAll(part.dir(), "/", "-"), s.Language))
	}
	if !part.Month.IsZero() {
		names = append(names, part.Month.Format("2006-01"))
	}
	return strings.Join(names, "-")
}

// incompressible are the extensions of files that zip only stores.
var incompressible = []string{".jpg", ".png", ".gif", ".webp"}

// epoch is the time stamp of every file, so that the same site gives the same bytes.
// It is the earliest one that the format can express.
var epoch = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

func zipFile(z *zip.Writer, e entry) error {
	header := &zip.FileHeader{Name: e.name, Method: zip.Deflate, Modified: epoch}
	if slices.Contains(incompressible, path.Ext(e.name)) {
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

// pack calls put for the files of a part, sorted by name, but not for those in
// without.
func (s *Site) pack(ctx context.Context, part Part, without []string, put func(entry) error) error {
	root, err := os.OpenRoot(s.Dir)
	if err == nil {
		defer root.Close()
		_, err = root.Lstat(site.Manifest)
	}
	if err != nil {
		return fmt.Errorf("no site is published in %s (%w); run build first", s.Dir, err)
	}
	entries, err := s.entries(ctx, part, root)
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

func (s *Site) entries(ctx context.Context, part Part, root *os.Root) ([]entry, error) {
	var names []string
	listed := map[string]bool{site.Manifest: true}
	for l, err := range output.Listing(s.Dir) {
		if err != nil {
			return nil, err
		}
		listed[l.Path] = true
		if s.isPacked(l) {
			names = append(names, l.Path)
		}
	}
	if !part.whole() {
		entries, err := s.partEntries(ctx, part, names, root)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", part.Path, err)
		}
		return entries, nil
	}
	foreign, err := foreignFiles(root, listed)
	if err != nil {
		return nil, err
	}
	file := s.files(root, foreign)
	entries := []entry{{site.Manifest, func(w io.Writer) error { return s.writeManifest(w, file) }}}
	for _, name := range names {
		entries = append(entries, file(name))
	}
	for _, name := range foreign {
		entries = append(entries, copyOf(root, name))
	}
	return entries, nil
}

// leavesOut reports whether a published file is in a pack only on request: a feed or
// an item as Markdown.
func (s *Site) leavesOut(name string) bool {
	return !s.Feeds && s.Words.IsFeed(name) || !s.Markdown && path.Ext(name) == ".md"
}

// files returns a function that returns a file of the whole site. Pages link what is left
// out on the served site, unless the owner put it there.
func (s *Site) files(root *os.Root, foreign []string) func(name string) entry {
	included := func(to string) bool { return !s.leavesOut(to) || slices.Contains(foreign, to) }
	return func(name string) entry {
		if s.rewrites(name) {
			return s.rewritten(root, name, included)
		}
		return copyOf(root, name)
	}
}

// rewrites reports whether a file of a pack of the whole site is a page that may link
// what is left out. The error page has links for servers, and stays as it is.
func (s *Site) rewrites(name string) bool {
	return !(s.Feeds && s.Markdown) && path.Ext(name) == ".html" && name != site.NotFound
}

// isPacked reports whether a file of the site belongs into a pack: expired files and
// compressed copies for servers do not, and feeds and Markdown only on request.
func (s *Site) isPacked(l output.Listed) bool {
	return !l.Expired && !strings.HasSuffix(l.Path, ".gz") && !strings.HasSuffix(l.Path, ".zst") &&
		!s.leavesOut(l.Path)
}

// writeManifest writes the digests of the files in a pack of the whole site, for
// sha256sum -c. It makes rewritten pages for that. It streams, because a site may have a
// million files.
func (s *Site) writeManifest(w io.Writer, file func(name string) entry) error {
	lines := bufio.NewWriter(w)
	for l, err := range output.Listing(s.Dir) {
		if err != nil {
			return err
		}
		if !s.isPacked(l) {
			continue
		}
		sum := l.Sum[:]
		if s.rewrites(l.Path) {
			hash := sha256.New()
			if err := file(l.Path).write(hash); err != nil {
				return err
			}
			sum = hash.Sum(nil)
		}
		fmt.Fprintf(lines, "%x  %s\n", sum, l.Path)
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
		f, err := root.Open(name)
		if err != nil {
			return err
		}
		defer f.Close()
		_, err = io.Copy(w, f)
		return err
	}}
}
