package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"ayna/archive"
	"ayna/generator"
	"ayna/generator/config"
	"ayna/generator/pack"
	"ayna/generator/pack/epub"
	"ayna/generator/site"
	"ayna/generator/story"
	"ayna/server/sample"
)

var (
	packSpec = spec{
		use: "pack FORMAT", short: "Write the site as zip, zim, wacz or epub, the records as jsonl, csv or parquet",
		long: `Write the published site as a zip file or for Kiwix (zim), the site and the records of the
archive as a web archive (wacz), items as an e-book (epub), or the records alone as lines of
JSON (jsonl) or as a table (csv, parquet). Books and records can be limited to a folder, a
month, a writer or a saved search.`,
		example: "  ayna pack zip --out site.zip\n  ayna pack epub --month 2026-09 --out september.epub\n  ayna pack epub --writer \"Yasemin Oral\" --out columns.epub",
		flags:   "config path month writer search texts out quiet",
		usage:   map[string]string{"out": "write `FILE`", "quiet": "print no progress"},
		run:     simple(func(ctx context.Context, a *app, format string) error { return a.pack(ctx, format, false) }),
	}
	exportSpec = spec{
		use: "export", short: "Write the records of the archive as jsonl, csv or parquet",
		long: `Write the records of the archive as lines of JSON, which import reads back, or as a
table for researchers (csv, parquet).`,
		example: "  ayna export --out records.jsonl\n  ayna export --format parquet --out records.parquet\n  ayna export --path /spor/ | gzip >spor.jsonl.gz",
		flags:   "config format path month writer search texts out quiet",
		usage:   map[string]string{"out": "write `FILE` instead of stdout", "quiet": "print no progress"},
		run:     simple(func(ctx context.Context, a *app, _ string) error { return a.export(ctx) }),
	}
)

var (
	formats       = append([]string{"zip", "zim", "wacz", "epub"}, exportFormats...)
	exportFormats = []string{"jsonl", "csv", "parquet"}
)

func (a *app) export(ctx context.Context) error {
	if !slices.Contains(exportFormats, a.format) {
		return usagef("--format %q: must be one of %s", a.format, strings.Join(exportFormats, ", "))
	}
	return a.pack(ctx, a.format, a.out == "")
}

func (a *app) pack(ctx context.Context, format string, toStdout bool) error {
	switch {
	case !slices.Contains(formats, format):
		return usagef("format %q: must be one of %s", format, strings.Join(formats, ", "))
	case a.out == "" && !toStdout:
		return usagef("--out is missing: name the file to write")
	case a.path+a.month+a.writer+a.search != "" && (format == "zip" || format == "zim" || format == "wacz"):
		return usagef("%s holds the whole site: leave out --path, --month, --writer and --search, which select for epub and the formats of export", format)
	case a.texts && format != "csv":
		return usagef("--texts is for csv; parquet and jsonl have the texts anyway")
	}
	var named []config.NamedPath
	if !toStdout {
		named = append(named, config.Written("--out", a.out))
	}
	if err := a.preparePaths(named...); err != nil {
		return err
	}
	c := a.config
	part, err := pack.ParsePart(a.path, a.month, c.Location)
	if err != nil {
		return usageError{err}
	}
	if err := checkRegular("--out", a.out); err != nil {
		return err
	}
	console := newConsole(a)
	defer console.endStage()
	switch format {
	case "zip":
		return writeWhole(a.out, func(w io.Writer) error { return a.siteOf(c, console).Zip(ctx, w) })
	case "zim":
		return a.siteOf(c, console).ZIM(ctx, a.out, console)
	}
	var damaged []string
	write := func(w io.Writer) (err error) {
		damaged, err = a.exportRecords(ctx, format, part, w, console)
		return err
	}
	if toStdout {
		err = write(a.stdout)
	} else {
		err = writeWhole(a.out, write)
	}
	if err == nil && len(damaged) > 0 {
		err = fmt.Errorf("%s lacks these records, which are damaged in the archive; build --check fetches them again:\n%s",
			cmp.Or(a.out, "the output"), strings.Join(damaged, "\n"))
	}
	return err
}

// packing is the stage of pack and export.
const packing = "pack"

func (c *console) packed(done, all int) {
	c.progress(generator.Progress{Stage: packing, Done: done, Total: all, Left: -1})
}

// exportRecords writes a web archive, a book or records, and returns records that are
// damaged.
func (a *app) exportRecords(ctx context.Context, format string, part pack.Part, w io.Writer, console *console) (damaged []string, err error) {
	c := a.config
	records, err := archive.OpenReader(ctx, c.Archive)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, records.Close()) }()
	words, _ := site.WordsFor(c.Language)                         // checked by package config
	settings := site.Settings{Words: words, Markdown: c.Markdown} // as when a build stored the cleaned texts
	stories := story.New(records, &site.Site{Settings: settings}, false)
	if format == "epub" || a.writer+a.search != "" {
		if stories, err = generator.Stories(ctx, c, records); err != nil {
			return nil, err
		}
		err = errors.Join(part.Narrow(stories.Site, site.OfWriters, a.writer), part.Narrow(stories.Site, site.OfSearches, a.search))
		if err != nil {
			return nil, err
		}
	}
	written := 0
	progress := func(done int) {
		written = done
		console.packed(done, 0)
	}
	defer func() {
		if err == nil && written == 0 && slices.Contains(exportFormats, format) && !a.quiet {
			fmt.Fprintf(a.stderr, "%s: the archive holds no record of this part\n", a.name)
		}
	}()
	table := pack.Table{Stories: stories, Part: part, BaseURL: c.BaseURL, Texts: a.texts, Progress: progress}
	switch format {
	case "epub":
		return a.writeBook(ctx, stories, part, w, console)
	case "wacz":
		source := c.Source.URL
		if source == config.Sample {
			source = sample.Origin
		}
		return pack.WACZ{Site: a.siteOf(c, console), Records: records, Source: source, TempDir: filepath.Dir(a.out)}.Write(ctx, w)
	case "jsonl":
		return pack.JSONL(ctx, records, w, part, progress)
	case "csv":
		return table.CSV(ctx, w)
	}
	return table.Parquet(ctx, w)
}

// writeBook writes the items of a part as a book, and prints what it lacks.
func (a *app) writeBook(ctx context.Context, stories *story.Reader, part pack.Part, w io.Writer, console *console) (damaged []string, err error) {
	items, folder, titles, err := part.Items(stories.Site)
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

func (a *app) siteOf(c *config.Config, console *console) *pack.Site {
	return &pack.Site{
		Dir: c.Output, BaseURL: c.BaseURL, Title: c.Title, About: c.Description, Language: c.Language, Source: cmp.Or(c.Source.Name, c.Title),
		Progress: console.packed,
	}
}
