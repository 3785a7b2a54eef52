package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"ayna/archive"
	"ayna/durable"
	"ayna/export"
	"ayna/export/epub"
	"ayna/generator"
	"ayna/generator/config"
	"ayna/generator/site"
	"ayna/generator/story"
)

var (
	packSpec = spec{
		use: "pack FORMAT", short: "Write the site as zip, zim or epub",
		long: `Write the published site as a zip file or for Kiwix (zim), or items as an e-book (epub). A
book can be limited to a folder, a time, a writer or a saved search. zim needs the program
zimwriterfs, which is in Debian's package zim-tools.`,
		example: "  ayna pack zip --out site.zip\n  ayna pack epub --from 2025-09 --to 2026 --out two.epub\n  ayna pack epub --writer \"Yasemin Oral\" --out columns.epub",
		flags:   "config path month from to writer search out quiet",
		usage:   map[string]string{"out": "write `FILE`", "quiet": "print no progress"},
		choices: formats,
		run:     failing((*app).pack),
	}
	exportSpec = spec{
		use: "export", short: "Write the records of the archive as lines of JSON",
		long: `Write the records of the archive as lines of JSON, which import reads back. They can be
limited to a folder, a time, a writer or a saved search. With --originals, lines follow with
what WordPress or Ghost sent, as they sent it. With --format redirects, write the
configuration by which a server at the source's domain answers with the mirror's addresses.`,
		example: "  ayna export --out records.jsonl\n  ayna export --path /spor/ | gzip >spor.jsonl.gz\n  ayna export --format redirects --server nginx --out moved.conf",
		flags:   "config path month from to writer search format server out quiet originals",
		usage:   map[string]string{"out": "write `FILE` instead of stdout", "quiet": "print no progress"},
		run:     failing((*app).export),
	}
)

// The formats of export.
const recordLines, redirects = "jsonl", "redirects"

// partFlags are the flags that select records for pack and export.
type partFlags struct {
	path            string
	month, from, to string
	writer, search  string
	originals       bool
	format, server  string
}

func (s *partFlags) define(f *pflag.FlagSet) {
	f.StringVar(&s.path, "path", "", "only the folder `PATH`, as /ekonomi/, and its sub-folders")
	f.StringVar(&s.month, "month", "", "only what was published in the `MONTH`, as 2026-09")
	f.StringVar(&s.from, "from", "", "only what was published in the year, month or day `DATE`, as 2026-09-30, or later")
	f.StringVar(&s.to, "to", "", "only what was published in the year, month or day `DATE` or earlier")
	f.StringVar(&s.writer, "writer", "", "only items of the writer `NAME`, or of the directory that the writer's page has")
	f.StringVar(&s.search, "search", "", "only items that the saved search `TITLE` finds")
	f.BoolVar(&s.originals, "originals", false, "also write what WordPress or Ghost sent, with earlier versions")
	f.StringVar(&s.format, "format", recordLines, "write `FORMAT`: jsonl, or redirects from the source's addresses")
	f.StringVar(&s.server, "server", "", "write redirects for `SERVER`: nginx, caddy or netlify")
}

// selectingFlags are the flags by which selects is true.
const selectingFlags = "--path, --month, --from, --to, --writer and --search"

// selects reports whether a flag selects records.
func (s *partFlags) selects() bool {
	return s.path+s.month+s.from+s.to+s.writer+s.search != ""
}

var formats = []string{"zip", "zim", "epub"}

func (a *app) pack(ctx context.Context, format string) error {
	switch {
	case !slices.Contains(formats, format):
		return usagef("format %q: must be one of %s; ayna export writes records", format, strings.Join(formats, ", "))
	case a.out == "":
		return usagef("--out is missing: name the file to write")
	case a.selects() && format != "epub":
		return usagef("%s holds the whole site: leave out %s, which select for epub and for export", format, selectingFlags)
	}
	selection, err := a.prepareSelection(ctx)
	if err != nil {
		return err
	}
	console := newConsole(a)
	defer console.endStage()
	s := a.site(console)
	switch format {
	case "zip":
		return a.writeOut(func(f *durable.File) error { return s.Zip(ctx, f) })
	case "zim":
		return a.writeOut(func(f *durable.File) error {
			scratch, err := f.Scratch()
			if err != nil {
				return err
			}
			return s.ZIM(ctx, f, scratch, console)
		})
	}
	return a.withArchive(ctx, func(from *archive.Archive) (damaged []string, err error) {
		err = a.writeOut(func(f *durable.File) (err error) {
			damaged, err = a.writeBook(ctx, from, selection, f, console)
			return err
		})
		return damaged, err
	})
}

func (a *app) export(ctx context.Context, _ string) error {
	switch {
	case a.format == redirects:
		return a.exportRedirects(ctx)
	case a.format != recordLines:
		return usagef("--format %s: must be %s or %s", a.format, recordLines, redirects)
	case a.server != "":
		return usagef("--server is for --format %s", redirects)
	}
	selection, err := a.prepareSelection(ctx)
	if err != nil {
		return err
	}
	console := newConsole(a)
	defer console.endStage()
	return a.withArchive(ctx, func(from *archive.Archive) (damaged []string, err error) {
		if a.writer+a.search != "" {
			if _, err := a.narrow(ctx, from, &selection); err != nil {
				return nil, err
			}
		}
		written := 0
		write := func(w io.Writer) (err error) {
			damaged, err = export.JSONL(ctx, from.Records, w, selection, func(done int) {
				written = done
				console.packed(done, 0)
			})
			if err == nil && a.originals {
				err = export.Originals(ctx, from, w, selection)
			}
			return err
		}
		if a.out == "" {
			err = write(a.stdout)
		} else {
			err = a.writeOut(func(f *durable.File) error { return write(f) })
		}
		if err == nil && written == 0 && !a.quiet {
			fmt.Fprintf(a.stderr, "%s: the archive holds no record of this part\n", a.name)
		}
		return damaged, err
	})
}

// prepareSelection loads the configuration, checks --out, ends an interrupted
// forget, and returns what the flags select.
func (a *app) prepareSelection(ctx context.Context) (selection export.Selection, err error) {
	var named []config.NamedPath
	if a.out != "" {
		named = append(named, config.Written("--out", a.out))
	}
	if err := a.loadAndCheckPaths(named...); err != nil {
		return selection, err
	}
	if a.month != "" && a.from+a.to != "" {
		return selection, usagef("--month %s is a time of its own: leave it out, or --from and --to", a.month)
	}
	if selection, err = export.ParseSelection(a.path, cmp.Or(a.from, a.month), cmp.Or(a.to, a.month), a.config.Location); err != nil {
		return selection, usageError{err}
	}
	if err := checkRegular("--out", a.out); err != nil {
		return selection, err
	}
	return selection, a.finishForget(ctx)
}

// narrow limits a selection to the items of --writer and --search, and returns the stories of
// the site.
func (a *app) narrow(ctx context.Context, from *archive.Archive, selection *export.Selection) (*story.Reader, error) {
	stories, err := generator.Stories(ctx, a.config, from)
	if err != nil {
		return nil, err
	}
	return stories, errors.Join(selection.Narrow(stories.Site, site.OfWriters, a.writer), selection.Narrow(stories.Site, site.OfSearches, a.search))
}

// writeOut writes the file that --out names.
func (a *app) writeOut(write func(*durable.File) error) error {
	if err := durable.Write(a.out, write); err != nil {
		return fmt.Errorf("write %s: %w", a.out, err)
	}
	return nil
}

// withArchive opens the archive and calls write, which writes to --out or stdout. Records
// that are damaged are an error, but the others are written.
func (a *app) withArchive(ctx context.Context, write func(*archive.Archive) (damaged []string, err error)) error {
	from, err := archive.OpenReadOnly(ctx, a.config.Archive)
	if err != nil {
		return err
	}
	damaged, err := write(from)
	if err = errors.Join(err, from.Close()); err == nil && len(damaged) > 0 {
		err = fmt.Errorf("%s lacks these records, which are damaged in the archive; ayna build --check fetches them again:\n%s",
			cmp.Or(a.out, "the output"), strings.Join(damaged, "\n"))
	}
	return err
}

// packing is the stage of pack and export.
const packing generator.Stage = "pack"

func (c *console) packed(done, all int) {
	c.progress(generator.Progress{Stage: packing, Done: done, Total: all, Left: -1})
}

// writeBook writes the items of a selection as a book, and prints what it lacks.
func (a *app) writeBook(ctx context.Context, from *archive.Archive, selection export.Selection, w io.Writer, console *console) (damaged []string, err error) {
	stories, err := a.narrow(ctx, from, &selection)
	if err != nil {
		return nil, err
	}
	items, folder, titles, err := selection.Items(stories.Site)
	if err != nil {
		return nil, err
	}
	book := epub.Book{Stories: stories, Items: items, Top: folder, Titles: titles, Widths: a.config.Widths, Progress: console.packed}
	result, err := book.Write(ctx, w)
	console.endStage()
	for _, note := range result.Notes {
		fmt.Fprintf(a.stderr, "%s: %s: %s\n", a.name, a.out, note)
	}
	return result.Damaged, err
}

// site returns the published site.
func (a *app) site(console *console) *export.Site {
	c := a.config
	return &export.Site{
		Dir: c.Output, BaseURL: c.BaseURL, Title: c.Title, About: c.Description, Language: c.Language, Source: cmp.Or(c.Source.Name, c.Title),
		Progress: console.packed,
	}
}
