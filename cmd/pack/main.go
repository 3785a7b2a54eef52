// Pack makes of a published site what can be taken along, and of an archive
// what researchers read.
//
//	go run ./cmd/pack -format zip -out site.zip
//	go run ./cmd/pack -format zim -path /ekonomi/ -month 2026-09 -out ekonomi.zim
//	go run ./cmd/pack -format jsonl -out records.jsonl
//
// Run it with -help for the flags; docs/packs.md tells the rest.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
	"unicode"

	"github.com/mattn/go-isatty"

	"ayna/archive"
	"ayna/generator/config"
	"ayna/generator/pack"
	"ayna/generator/site"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	code := run(ctx, os.Args[1:], os.Stderr)
	stop()
	os.Exit(code)
}

// The exit codes are those of build.
const (
	exitOK      = 0
	exitFailure = 1
	exitUsage   = 2
	exitArchive = 8
)

// errUsage marks what the caller has to put right.
var errUsage = errors.New("usage")

type settings struct {
	config, format, path, month, out string
	quiet                            bool
}

var formats = []string{"zip", "zim", "jsonl", "csv"}

func parseFlags(args []string, stderr io.Writer) (settings, error) {
	var s settings
	flags := flag.NewFlagSet("pack", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&s.config, "config", "site.yaml", "read the configuration from `FILE`")
	flags.StringVar(&s.format, "format", "", "make a `FORMAT`: zip or zim of the published site, jsonl or csv of the archive")
	flags.StringVar(&s.path, "path", "", "only what is in the folder `PATH`, as /ekonomi/, and its sub-folders")
	flags.StringVar(&s.month, "month", "", "only what was published in the `MONTH`, as 2026-09")
	flags.StringVar(&s.out, "out", "", "write `FILE`")
	flags.BoolVar(&s.quiet, "quiet", false, "print no progress")
	if err := flags.Parse(args); err != nil {
		return s, fmt.Errorf("%w: %w", errUsage, err)
	}
	switch {
	case flags.NArg() > 0:
		return s, fmt.Errorf("%w: unexpected argument %q; flags begin with a hyphen, see -help", errUsage, flags.Arg(0))
	case !slices.Contains(formats, s.format):
		return s, fmt.Errorf("%w: -format %q: must be one of %s", errUsage, s.format, strings.Join(formats, ", "))
	case s.out == "":
		return s, fmt.Errorf("%w: -out is needed: the file to write", errUsage)
	}
	return s, nil
}

func run(ctx context.Context, args []string, stderr io.Writer) int {
	log.SetOutput(io.Discard) // net/http logs bytes of answers there, which may hold the key
	s, err := parseFlags(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return exitOK
	}
	if err == nil {
		err = produce(ctx, s, stderr)
	}
	if err == nil {
		return exitOK
	}
	fmt.Fprintf(stderr, "pack: %s\n", printable(err.Error()))
	if unset := (*config.UnsetError)(nil); errors.As(err, &unset) {
		fmt.Fprintf(stderr, "pack: hint: %s\n", unset.Hint())
	}
	switch err = archive.Explain(err); {
	case errors.Is(err, errUsage):
		return exitUsage
	case errors.Is(err, archive.ErrForeign), errors.Is(err, archive.ErrDamaged):
		return exitArchive
	}
	return exitFailure
}

// produce makes the pack.
func produce(ctx context.Context, s settings, stderr io.Writer) error {
	c, err := config.Load(s.config, os.LookupEnv)
	if err != nil {
		return fmt.Errorf("%w: %w", errUsage, err)
	}
	if err := c.CheckPlaces(s.config, config.Written("-out", s.out)); err != nil {
		return fmt.Errorf("%w: %w", errUsage, err)
	}
	part, err := pack.ParsePart(s.path, s.month, c.Location)
	if err != nil {
		return fmt.Errorf("%w: %w", errUsage, err)
	}
	if at, err := os.Lstat(s.out); err == nil && !at.Mode().IsRegular() {
		return fmt.Errorf("%w: -out %s: what stands there is no regular file; name another place", errUsage, s.out)
	}
	p := newProgress(stderr, s.quiet)
	defer p.end()
	switch s.format {
	case "zip":
		return whole(s.out, func(w io.Writer) error { return siteOf(c, p).Zip(ctx, w, part) })
	case "zim":
		return siteOf(c, p).ZIM(ctx, s.out, part, p)
	}
	a, err := archive.OpenReader(ctx, c.Archive)
	if err != nil {
		return err
	}
	defer a.Close()
	var damaged []string
	err = whole(s.out, func(w io.Writer) (err error) {
		at := func(done int) { p.at(done, 0) }
		if s.format == "csv" {
			err = pack.CSV(ctx, a, w, part, at)
		} else {
			damaged, err = pack.JSONL(ctx, a, w, part, at)
		}
		return errors.Join(err, a.Close())
	})
	if err == nil && len(damaged) > 0 {
		err = fmt.Errorf("%s holds all but these records, whose JSON is not what arrived; build -check has them fetched again:\n%s",
			s.out, strings.Join(damaged, "\n"))
	}
	return err
}

func siteOf(c *config.Config, p *progress) *pack.Site {
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

// whole writes a file in one step: there is never half of one.
func whole(name string, write func(io.Writer) error) error {
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

// progress tells on stderr how far a pack has come: in one line on a terminal,
// elsewhere now and then.
type progress struct {
	w        io.Writer
	quiet    bool
	terminal bool
	last     time.Time
	open     bool // a line is being written over
}

func newProgress(stderr io.Writer, quiet bool) *progress {
	f, isFile := stderr.(*os.File)
	return &progress{w: stderr, quiet: quiet, terminal: isFile && isatty.IsTerminal(f.Fd()), last: time.Now()}
}

func (p *progress) at(done, all int) {
	interval := 10 * time.Second
	if p.terminal {
		interval = 100 * time.Millisecond
	}
	if p.quiet || done != all && time.Since(p.last) < interval {
		return
	}
	p.last = time.Now()
	line := fmt.Sprintf("packing %d", done)
	if all > 0 {
		line += fmt.Sprintf("/%d", all)
	}
	if p.terminal {
		p.open = true
		fmt.Fprintf(p.w, "\r\033[K%s", line)
		return
	}
	fmt.Fprintln(p.w, line)
}

// Write passes on what another program says.
func (p *progress) Write(text []byte) (int, error) {
	if p.quiet {
		return len(text), nil
	}
	p.end()
	if _, err := io.WriteString(p.w, printable(string(text))); err != nil {
		return 0, err
	}
	return len(text), nil
}

func (p *progress) end() {
	if p.open {
		p.open = false
		fmt.Fprintln(p.w)
	}
}

// printable leaves out what a terminal would obey.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)) {
			return -1
		}
		return r
	}, text)
}
