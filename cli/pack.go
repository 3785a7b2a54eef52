package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ayna/archive"
	"ayna/generator/config"
	"ayna/generator/pack"
	"ayna/generator/site"
)

var (
	packSpec = spec{
		use: "pack FORMAT", short: "Write the site as zip or zim, the records as jsonl or csv",
		long: `Write the published site as a zip file or for Kiwix (zim), or the records of the
archive as lines of JSON (jsonl) or as a table (csv).`,
		example: "  ayna pack zip --out site.zip\n  ayna pack zim --path /ekonomi/ --month 2026-09 --out ekonomi.zim",
		flags:   "config path month out quiet",
		usage:   [][2]string{{"out", "write `FILE`"}, {"quiet", "print no progress"}},
		run:     func(a *app, args []string) int { return a.pack(args[0], false) },
	}
	exportSpec = spec{
		use: "export", short: "Write the records of the archive as lines of JSON",
		long:    "Write the records of the archive as lines of JSON, which import reads back.",
		example: "  ayna export --out records.jsonl\n  ayna export --path /spor/ | gzip >spor.jsonl.gz",
		flags:   "config path month out quiet",
		usage:   [][2]string{{"out", "write `FILE` instead of stdout"}, {"quiet", "print no progress"}},
		run:     func(a *app, _ []string) int { return a.pack("jsonl", a.out == "") },
	}
)

var formats = []string{"zip", "zim", "jsonl", "csv"}

func (a *app) pack(format string, toStdout bool) int {
	ctx, stop := interruptible()
	defer stop()
	if err := a.writePack(ctx, format, toStdout); err != nil {
		return a.fail(err)
	}
	return exitOK
}

func (a *app) writePack(ctx context.Context, format string, toStdout bool) error {
	switch {
	case !slices.Contains(formats, format):
		return fmt.Errorf("%w: format %q: must be one of %s", errUsage, format, strings.Join(formats, ", "))
	case a.out == "" && !toStdout:
		return fmt.Errorf("%w: -out is needed: the file to write", errUsage)
	}
	c, err := config.Load(a.configFile, os.LookupEnv)
	if err != nil {
		return fmt.Errorf("%w: %w", errUsage, err)
	}
	var named []config.Place
	if !toStdout {
		named = append(named, config.Written("-out", a.out))
	}
	if err := c.CheckPlaces(a.configFile, named...); err != nil {
		return fmt.Errorf("%w: %w", errUsage, err)
	}
	part, err := pack.ParsePart(a.path, a.month, c.Location)
	if err != nil {
		return fmt.Errorf("%w: %w", errUsage, err)
	}
	if at, err := os.Lstat(a.out); err == nil && !at.Mode().IsRegular() {
		return fmt.Errorf("%w: -out %s: what stands there is no regular file; name another place", errUsage, a.out)
	}
	p := &packProgress{line: newStatusLine(a.stderr), quiet: a.quiet}
	defer p.line.end()
	switch format {
	case "zip":
		return writeWhole(a.out, func(w io.Writer) error { return siteOf(c, p).Zip(ctx, w, part) })
	case "zim":
		return siteOf(c, p).ZIM(ctx, a.out, part, p)
	}
	var damaged []string
	write := func(w io.Writer) (err error) {
		damaged, err = exportRecords(ctx, c.Archive, format, part, w, p)
		return err
	}
	if toStdout {
		err = write(a.stdout)
	} else {
		err = writeWhole(a.out, write)
	}
	if err == nil && len(damaged) > 0 {
		err = fmt.Errorf("%s holds all but these records, whose JSON is not what arrived; build -check has them fetched again:\n%s",
			cmp.Or(a.out, "the output"), strings.Join(damaged, "\n"))
	}
	return err
}

// exportRecords writes records and returns those that are damaged.
func exportRecords(ctx context.Context, name, format string, part pack.Part, w io.Writer, p *packProgress) (damaged []string, err error) {
	records, err := archive.OpenReader(ctx, name)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, records.Close()) }()
	progress := func(done int) { p.at(done, 0) }
	if format == "csv" {
		return nil, pack.CSV(ctx, records, w, part, progress)
	}
	return pack.JSONL(ctx, records, w, part, progress)
}

func siteOf(c *config.Config, p *packProgress) *pack.Site {
	words, _ := site.WordsFor(c.Language) // checked by package config
	source := c.Source.Name
	if source == "" {
		source = c.Title
	}
	return &pack.Site{
		Dir: c.Output, BaseURL: c.BaseURL, Title: c.Title, About: c.Description, Language: c.Language, Source: source,
		Words: words, Progress: p.at,
	}
}

// writeWhole writes a file that appears when it is complete.
func writeWhole(name string, write func(io.Writer) error) error {
	temp, err := os.CreateTemp(filepath.Dir(name), ".pack-")
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	err = write(temp)
	if err = errors.Join(err, temp.Chmod(0o644), temp.Close()); err == nil {
		err = os.Rename(temp.Name(), name)
	}
	if err != nil {
		os.Remove(temp.Name())
		return fmt.Errorf("write %s: %w", name, err)
	}
	return nil
}

// packProgress prints the progress of a pack, and what zimwriterfs prints.
type packProgress struct {
	line  statusLine
	quiet bool
}

func (p *packProgress) at(done, all int) {
	text := fmt.Sprintf("packing %d", done)
	if all > 0 {
		text += fmt.Sprintf("/%d", all)
	}
	if !p.quiet {
		p.line.update(text)
	}
}

// Write prints what another program prints.
func (p *packProgress) Write(text []byte) (int, error) {
	if !p.quiet {
		p.line.end()
		fmt.Fprint(p.line.w, printable(strings.ReplaceAll(string(text), "\r", "")))
	}
	return len(text), nil
}
