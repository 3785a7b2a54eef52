package cli

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/pflag"

	"ayna/assets"
	"ayna/generator"
	"ayna/generator/config"
	"ayna/generator/output"
	"ayna/record"
	"ayna/server"
	"ayna/server/sample"
	"ayna/templates"
)

// command is a command of package generator.
type command func(context.Context, generator.Options) (*generator.Report, error)

var (
	buildSpec = spec{
		use: "build", watched: true, short: "Bring the archive up to date and publish the site",
		long:    `Bring the archive up to date with the source and publish the site.`,
		example: "  ayna build --quiet --report report.json\n  ayna build --offline --check\n  ayna build --sample",
		flags:   "config out offline full budget jobs allow-delete moved check report sample quiet verbose",
		usage:   map[string]string{"sample": "mirror the built-in sample; needs no configuration"},
		run:     reported(func(a *app, _ string) (command, error) { return a.build(), nil }),
	}
	syncSpec = spec{
		use: "sync", watched: true, short: "Bring the archive up to date, publish nothing",
		example: "  ayna sync --budget 200",
		flags:   "config full budget allow-delete moved check report quiet verbose",
		usage:   map[string]string{"check": "check the archive"},
		run: reported(func(*app, string) (command, error) {
			return func(ctx context.Context, o generator.Options) (*generator.Report, error) {
				o.NoSite = true
				return generator.Build(ctx, o)
			}, nil
		}),
	}
	checkSpec = spec{
		use: "check", short: "Check the archive and the site",
		long:    "Check the archive (hashes, database, index, pictures) and the site (manifest, links, anchors, feeds),\nas ayna build --offline --check does, and render all files, which must be those of the site. If the\narchive has changed, the site is built from it.",
		example: "  ayna check --report check.json",
		flags:   "config out jobs report quiet verbose",
		run:     reported(func(*app, string) (command, error) { return generator.Check, nil }),
	}
	forgetSpec = spec{
		use: "forget KIND/ID", short: "Remove a record from archive and site for good",
		long: `Remove a record for good: from archive, site, feeds, search and pictures, with its earlier
versions and every link to it, in whatever spelling. It is not stored again. No request
is made. If the run is interrupted, the next command ends the work. The comments of readers
below a record go with it; comment/ID is one of them.

What you copied before (backups, packs, exports, a site on another host) still holds the
record: make it anew, or delete it.`,
		example: "  ayna forget article/41010101\n  ayna forget article/41010101 --undo",
		flags:   "config out jobs check absent undo report quiet verbose",
		choices: kindChoices(), slashed: true,
		run: reported((*app).forget),
	}
	importSpec = spec{
		use: "import FILE", short: "Read records from a file into the archive and publish them",
		long: `Read records into the archive and publish the site. No request is made. The file holds
lines of JSON as ayna export writes them, also compressed with gzip.`,
		example: "  ayna import records.jsonl\n  ayna import records.jsonl.gz --report report.json",
		flags:   "config out jobs check report quiet verbose",
		run:     reported((*app).importFile),
	}
	rollbackSpec = spec{
		use: "rollback", short: "Bring the previous site back",
		long:    "Bring the previous site back. A second rollback undoes the first.",
		example: "  ayna rollback",
		flags:   "config out quiet",
		run:     func(ctx context.Context, a *app, _ string) int { return a.rollback(ctx) },
	}
)

// fetchFlags are the flags of the commands that fetch records.
type fetchFlags struct {
	full, moved         bool
	budget, allowDelete int
}

func (s *fetchFlags) define(f *pflag.FlagSet) {
	f.BoolVar(&s.full, "full", false, "list and fetch all records again, over several runs if the limits require it; keep pictures")
	f.BoolVar(&s.moved, "moved", false, "the service has moved: use the archive of its old address for source.url from now on")
	f.IntVar(&s.budget, "budget", 0, "send at most `N` requests in this run; 0 is no limit")
	f.IntVar(&s.allowDelete, "allow-delete", 0, "delete up to `N` records of a kind at once if the source has removed them")
}

// forgetFlags are the flags of forget alone.
type forgetFlags struct {
	absent, undo bool
}

func (s *forgetFlags) define(f *pflag.FlagSet) {
	f.BoolVar(&s.absent, "absent", false, "forget a record that the archive never had, so that it is never stored")
	f.BoolVar(&s.undo, "undo", false, "take the record off the list of forgotten records; it comes back when the source lists it")
}

func (a *app) build() command {
	if a.offline && a.check {
		return generator.Check
	}
	return generator.Build
}

func (a *app) forget(named string) (command, error) {
	name, id, _ := strings.Cut(named, "/")
	kind := record.Kind(name)
	if id == "" || kind != record.Comment && !slices.Contains(record.Kinds, kind) {
		return nil, usagef("%s: write it as article/41010101 or comment/123", named)
	}
	if a.undo && a.absent {
		return nil, usagef("--undo and --absent exclude each other")
	}
	return func(ctx context.Context, o generator.Options) (*generator.Report, error) {
		if a.undo {
			return generator.Unforget(ctx, o, kind, id)
		}
		return generator.Forget(ctx, o, kind, id, a.absent)
	}, nil
}

func (a *app) importFile(name string) (command, error) {
	a.paths = append(a.paths, config.Read("FILE", name))
	return func(ctx context.Context, o generator.Options) (*generator.Report, error) {
		records, err := os.Open(name)
		if err != nil {
			return new(generator.Report), usagef("import: %w", err)
		}
		defer records.Close()
		return generator.Import(ctx, o, records)
	}, nil
}

// reported returns the run function of a command of package generator: it prints
// progress and result, writes the report, and notifies the monitor.
func reported(choose func(a *app, argument string) (command, error)) func(context.Context, *app, string) int {
	return func(ctx context.Context, a *app, argument string) int {
		command, err := choose(a, argument)
		if err == nil {
			err = a.prepare()
		}
		if err != nil {
			code := a.fail(ctx, err)
			if a.config != nil {
				a.notifyEnd(ctx, code, err.Error())
			}
			return code
		}
		return a.runReported(ctx, command)
	}
}

func (a *app) runReported(ctx context.Context, command command) int {
	a.notifyStart(ctx)
	console := newConsole(a)
	report, err := command(ctx, a.options(ctx, console.progress))
	report.Exit = exitCode(ctx, report, err)
	console.finish(report, err)
	if a.report != "" {
		report.Exit = a.writeReport(ctx, report, err)
	}
	a.notifyEnd(ctx, report.Exit, console.text(report, err))
	return report.Exit
}

func (a *app) rollback(ctx context.Context) int {
	err := a.prepare()
	if err == nil {
		err = a.finishForget(ctx)
	}
	if err == nil {
		err = output.Rollback(a.config.Output)
	}
	if err != nil {
		return a.fail(ctx, err)
	}
	if !a.quiet {
		fmt.Fprintln(a.stdout, "site:     the previous one; another rollback undoes this one")
	}
	return exitOK
}

// prepare loads the configuration. It checks that no two settings name the same
// file or folder, that the API key is set if it is needed, and that the files about
// the run can be written.
func (a *app) prepare() error {
	for _, n := range []struct {
		flag         string
		value, least int
	}{{"jobs", a.jobs, 1}, {"budget", a.budget, 0}, {"allow-delete", a.allowDelete, 0}} {
		if n.value < n.least {
			return usagef("--%s %d: must be at least %d", n.flag, n.value, n.least)
		}
	}
	if err := a.loadConfig(); err != nil {
		return err
	}
	if a.out != "" {
		a.config.Output = a.out
	}
	var written []config.NamedPath
	if a.report != "" {
		written = append(written, config.Written("--report", a.report))
	}
	if err := a.checkPaths(append(a.paths, written...)...); err != nil {
		return err
	}
	var err error
	if a.spec.takes("budget") && !a.offline && a.config.Source.URL != config.Sample {
		err = a.config.Need(func(key string) bool { return strings.HasPrefix(key, "source.api_key") })
	}
	if err == nil && a.spec.watched {
		err = a.config.Need(func(key string) bool { return strings.HasPrefix(key, "notify.") })
	}
	if err != nil {
		return configError{err}
	}
	for _, file := range written {
		err := checkWritable(file.Key, file.Path)
		if err != nil && exitCode(context.Background(), new(generator.Report), err) == exitFailure {
			return usageError{err}
		}
		if err != nil {
			return err // with an exit code of its own, such as that of a full disk
		}
	}
	return nil
}

func (a *app) options(ctx context.Context, progress func(generator.Progress)) generator.Options {
	hosts := map[string]http.Handler{strings.TrimPrefix(sample.Origin, "https://"): sampleOnDemand(ctx)}
	maps.Copy(hosts, a.Hosts)
	return generator.Options{
		Config:  a.config,
		Offline: a.offline, Full: a.full, Check: a.check,
		Moved: a.moved, AllowDelete: a.allowDelete, Budget: a.budget, Jobs: a.jobs,
		Command: a.name, ExitCode: func(r *generator.Report, err error) int { return exitCode(ctx, r, err) },
		Version:   programDigest(),
		SampleURL: sample.Origin, LoadEarlier: sample.LoadEarlier,
		Hosts:     hosts,
		Templates: templates.FS, Assets: assets.FS,
		Now: a.Now, Progress: progress, Counted: tuneMemory,
	}
}

// finishForget ends an interrupted forget, before a command that only reads.
func (a *app) finishForget(ctx context.Context) error {
	return generator.FinishForget(ctx, a.options(ctx, nil))
}

// sampleOnDemand returns the built-in sample service. It loads its content at the
// first request, because only mirrors of the sample need it.
func sampleOnDemand(ctx context.Context) http.Handler {
	service := sync.OnceValues(func() (http.Handler, error) { return server.Sample(ctx, sample.Origin) })
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		handler, err := service()
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		handler.ServeHTTP(w, r)
	})
}
