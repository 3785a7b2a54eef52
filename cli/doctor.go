package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"text/tabwriter"
	"time"

	"ayna/archive"
	"ayna/archive/database"
	"ayna/fetch"
	"ayna/generator"
	"ayna/generator/config"
	"ayna/generator/swap"
)

var doctorSpec = spec{
	use: "doctor", short: "Check everything that a build needs, before it runs",
	long: `Check configuration, the files that it names, API key, source, archive, disk and output
folder, and print what to do about each problem. The source is asked for the first page of
each list, WordPress and Ghost also for the newest 100 texts, unless --offline is given.
Nothing is stored or published. The exit code is that of a build with these problems, or 0.`,
	example: "  ayna doctor",
	flags:   "config out offline",
	usage:   map[string]string{"offline": "do not ask the source"},
	run:     func(ctx context.Context, a *app, _ string) int { return a.doctor(ctx) },
}

// examination collects what doctor finds.
type examination struct {
	*app
	findings []finding
	faulty   bool             // the configuration is
	title    string           // of the paper, "" if the source does not say it
	report   generator.Report // of a build with these problems
}

// A finding is a line of doctor's table.
type finding struct {
	subject, result string
	advice          string // "" if all is well
	err             error  // with which a build would end; nil for a warning
}

func (a *app) doctor(ctx context.Context) int {
	x := &examination{app: a}
	if x.configuration(ctx) {
		x.key()
		x.source(ctx)
		x.archive(ctx)
		x.output()
		x.space()
	}
	var text strings.Builder
	table := tabwriter.NewWriter(&text, 0, 8, 2, ' ', 0)
	var errs []error
	for _, f := range x.findings {
		state := "ok"
		switch {
		case f.err != nil:
			state, errs = "FAIL", append(errs, f.err)
		case f.advice != "":
			state = "warn"
		}
		fmt.Fprintf(table, "%s\t%s\t%s\n", f.subject, state, strings.Join(strings.Fields(printable(f.result)), " "))
		if f.advice != "" {
			fmt.Fprintf(table, "\t\t→ %s\n", printable(f.advice))
		}
	}
	table.Flush()
	shown := text.String()
	if paints(a.columns) {
		shown = paint(shown)
	}
	fmt.Fprint(a.folded(), shown)
	return exitCode(ctx, &x.report, errors.Join(errs...))
}

func (x *examination) ok(subject, format string, args ...any) {
	x.findings = append(x.findings, finding{subject: subject, result: fmt.Sprintf(format, args...)})
}

func (x *examination) warn(subject, result, advice string) {
	x.findings = append(x.findings, finding{subject: subject, result: result, advice: advice})
}

// failed adds the error that a build would end with.
func (x *examination) failed(subject string, err error) {
	code := exitCode(context.Background(), new(generator.Report), err)
	x.findings = append(x.findings, finding{subject: subject, result: err.Error(), advice: x.advice(code, err), err: err})
}

// configuration reads and examines the configuration. It returns false without a
// configuration, because nothing else can be examined then.
func (x *examination) configuration(ctx context.Context) bool {
	c, err := x.readConfig()
	x.config, x.faulty = c, err != nil
	faults := []error{err}
	if list, ok := errors.Unwrap(err).(interface{ Unwrap() []error }); ok {
		faults = list.Unwrap()
	}
	if c != nil {
		c.Output = cmp.Or(x.out, c.Output)
		if list, ok := generator.CheckTheme(x.options(ctx, nil)).(interface{ Unwrap() []error }); ok {
			faults = append(faults, list.Unwrap()...)
		}
	}
	isRight := true
	for _, err := range faults {
		if err != nil {
			x.failed("configuration", configError{err})
			isRight = false
		}
	}
	if c != nil {
		if err := x.checkPaths(); err != nil {
			x.failed("configuration", err)
			isRight = false
		}
	}
	if !isRight {
		return c != nil
	}
	from := x.configFile
	if _, err := os.Lstat(from); errors.Is(err, fs.ErrNotExist) {
		from = "the sample's"
	}
	x.ok("configuration", "%s: %s, at %s", from, c.Title, c.BaseURL)
	if strings.Contains(c.BaseURL, "//127.0.0.1") || strings.Contains(c.BaseURL, "//localhost") {
		x.warn("base_url", c.BaseURL+" is this machine", "before you publish, set base_url to where visitors will find the site; feeds contain it")
	}
	return true
}

func (x *examination) key() {
	s := &x.config.Source
	err := x.config.Need(func(key string) bool { return strings.HasPrefix(key, "source.api_key") })
	switch {
	case s.URL == config.Sample:
		return
	case err != nil:
		x.failed("API key", configError{err})
		return
	case s.APIKey == "" && x.faulty:
		return
	case s.APIKey == "":
		x.ok("API key", "none; the source may need none")
		return
	}
	x.ok("API key", "is set")
	if s.APIKeyFile == "" || runtime.GOOS == "windows" {
		return
	}
	if info, err := os.Stat(s.APIKeyFile); err == nil && info.Mode().Perm()&0o077 != 0 {
		x.warn("API key", "others can read "+s.APIKeyFile, "chmod 600 "+s.APIKeyFile)
	}
}

func (x *examination) source(ctx context.Context) {
	if x.offline {
		x.ok("source", "not asked, because of --offline")
		return
	}
	if x.faulty {
		x.warn("source", "not asked", "correct the configuration first")
		return
	}
	began := time.Now()
	greeting, err := generator.Greet(ctx, x.options(ctx, nil), examinedTexts)
	if err != nil {
		x.failed("source", err)
		return
	}
	x.ok("source", "answers with %d articles in %s", greeting.Articles, time.Since(began).Round(10*time.Millisecond))
	x.title, x.report.Sync = greeting.Site.Title, &fetch.Report{Failed: greeting.Failed}
	for _, warning := range greeting.Warnings {
		x.warn("source", warning, "ask the owner of the site, or leave it so")
	}
	x.texts(greeting)
	switch {
	case x.config.Comments != config.MirrorComments:
	case greeting.Comments:
		x.ok("comments", "the source shows those of its readers")
	default:
		x.warn("comments", "the source does not show those of its readers", "the mirror keeps those that it has; comments: none leaves them out")
	}
	for _, f := range greeting.Failed {
		x.warn("source", f.Operation+": "+f.Reason, "builds publish without it, and end with 3")
	}
	if greeting.Ahead != 0 {
		x.warn("clock", fmt.Sprintf("this machine's is %s off the source's", greeting.Ahead.Abs()), "let NTP set the clock of this machine; dates are compared")
	}
}

// examinedTexts is the number of records whose texts doctor reads.
const examinedTexts = 100

// texts reports what was not understood of the first texts.
func (x *examination) texts(g fetch.Greeting) {
	if g.Texts > 0 && len(g.Notes) == 0 {
		x.ok("texts", "all of the newest %d are understood", g.Texts)
	}
	for _, n := range g.Notes {
		x.warn("texts", fmt.Sprintf("of the newest %d, %s", g.Texts, noted(n)), "compare that page with the site's; what the source has sent is kept, and a later version may read it")
	}
}

func (x *examination) archive(ctx context.Context) {
	if err := archive.CheckWritable(x.config.Archive, x.config.MirrorsMedia()); err != nil {
		x.failed("archive", err)
		return
	}
	a, err := archive.OpenReadOnly(ctx, x.config.Archive)
	if errors.Is(err, database.ErrMissing) {
		x.ok("archive", "none yet; the first build creates it")
		return
	}
	if err != nil {
		x.failed("archive", err)
		return
	}
	counts, err := a.Catalog.CountWanted(ctx, nil)
	waiting, err2 := a.Catalog.CountWaiting(ctx, nil)
	comments, err3 := a.Comments.Count(ctx)
	title, err4 := fetch.Title(ctx, a.State)
	if err = errors.Join(err, err2, err3, err4, a.Close()); err != nil {
		x.failed("archive", err)
		return
	}
	records, missing := 0, 0
	for kind, n := range counts {
		records, missing = records+n, missing+waiting[kind]
	}
	if title != "" && x.title != "" && title != x.title {
		x.warn("source", fmt.Sprintf("its title was %q and is %q", title, x.title), "if another paper answers there, name another archive in site.yaml; a build refuses it")
	}
	result := fmt.Sprintf("schema %d, %d records, %d of them not fetched in full yet", archive.SchemaVersion, records, missing)
	if comments > 0 {
		result += fmt.Sprintf(", %d comments", comments)
	}
	x.ok("archive", "%s", result)
}

func (x *examination) output() {
	features, err := swap.Probe(x.config.Output)
	if err != nil {
		x.failed("output", err)
		return
	}
	x.ok("output", "%s can be written", x.config.Output)
	if !features.Exchange {
		x.warn("output", "the file system cannot exchange two folders in one step", "visitors may meet a missing page for a moment; use ext4, XFS, Btrfs or tmpfs")
	}
	if !features.Links {
		x.warn("output", "the file system has no hard links", "every build copies every file and takes the space twice; use another file system")
	}
}

// space reports the free space of the disks.
func (x *examination) space() {
	file, _, err := database.Locate(x.config.Archive)
	dirs := []string{filepath.Dir(x.config.Output)}
	if err == nil && file != "" && filepath.Dir(file) != dirs[0] {
		dirs = append(dirs, filepath.Dir(file))
	}
	for _, dir := range dirs {
		bytes, files, err := swap.FreeSpace(dir)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			x.failed("disk", err)
			continue
		}
		free := fmt.Sprintf("%s has %.1f GB free", dir, float64(bytes)/1e9)
		if bytes < 1e9 {
			free = fmt.Sprintf("%s has %d MB free", dir, bytes/1e6)
		}
		if files != math.MaxUint64 {
			free += fmt.Sprintf(" and room for %d files", files)
		}
		if bytes < 1<<30 || files < 10_000 {
			x.warn("disk", free, "a build needs room for every changed file twice; free some space")
			continue
		}
		x.ok("disk", "%s", free)
	}
}
