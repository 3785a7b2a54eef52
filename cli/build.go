package cli

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/spf13/pflag"

	"ayna/archive"
	"ayna/assets"
	"ayna/generator"
	"ayna/generator/config"
	"ayna/generator/output"
	"ayna/server/sample"
	"ayna/templates"
)

// settings are the values of all flags.
type settings struct {
	configFile, out, report        string
	offline, syncOnly, full, moved bool
	probe, rollback, check         bool
	quiet, verbose                 bool
	budget, jobs, allowDelete      int
	forgetKind                     archive.Kind
	forgetID, imports              string
	shard                          output.Shard
	merge                          int
	path, month                    string
	addr, keyName                  string
	sample, live, open             bool
}

// flags defines every flag. A command takes those that its spec names.
func (s *settings) flags() *pflag.FlagSet {
	f := pflag.NewFlagSet("", pflag.ContinueOnError)
	f.StringVar(&s.configFile, "config", "site.yaml", "read the configuration from `FILE`")
	f.StringVar(&s.out, "out", "", "publish to `DIR` instead of the configuration's output")
	f.BoolVar(&s.offline, "offline", false, "make no request; publish what the archive holds")
	f.BoolVar(&s.full, "full", false, "list and fetch all records again, over several runs if the limits require it; keep pictures")
	f.IntVar(&s.budget, "budget", 0, "make at most `N` requests in this run; 0 is no limit")
	f.IntVar(&s.jobs, "jobs", runtime.GOMAXPROCS(0), "render `N` files side by side")
	f.IntVar(&s.allowDelete, "allow-delete", 0, "believe that up to `N` records of a kind are gone at once")
	f.BoolVar(&s.moved, "moved", false, "the service has moved: use the archive of its old address for source.url from now on")
	f.BoolVar(&s.check, "check", false, "check the archive before the build, and the whole site after it")
	f.StringVar(&s.report, "report", "", "write a report of the run as JSON to `FILE`")
	f.BoolVar(&s.quiet, "quiet", false, "print no progress and no summary, only errors")
	f.BoolVarP(&s.verbose, "verbose", "v", false, "print every failure")

	f.StringVar(&s.path, "path", "", "only the folder `PATH`, as /ekonomi/, and its sub-folders")
	f.StringVar(&s.month, "month", "", "only what was published in the `MONTH`, as 2026-09")
	f.StringVar(&s.addr, "addr", "127.0.0.1:8080", "listen at `HOST:PORT`; port 0 picks a free one")
	f.StringVar(&s.keyName, "api-key-env", "", "ask clients of /v1/ for the API key in the environment variable `NAME`")
	f.BoolVar(&s.sample, "sample", false, "serve the built-in news service, without any files")
	f.BoolVar(&s.live, "live", false, "open pages reload themselves when a build has published")
	f.BoolVar(&s.open, "open", false, "serve other machines though no API key is asked for")

	f.BoolVar(&s.syncOnly, "sync-only", false, "as ayna sync")
	f.BoolVar(&s.probe, "probe", false, "as ayna probe")
	f.Func("forget", "as ayna forget", s.setForget)
	f.StringVar(&s.imports, "import", "", "as ayna import")
	f.BoolVar(&s.rollback, "rollback", false, "as ayna rollback")
	f.Func("shard", "as ayna shard", s.setShard)
	f.IntVar(&s.merge, "merge", 0, "as ayna merge")
	for name := range strings.FieldsSeq(modes) {
		f.Lookup(name).Hidden = true
	}
	return f
}

// modes are the flags of build that are commands of ayna.
const modes = "sync-only probe forget import rollback shard merge"

var (
	buildSpec = spec{
		use: "build", short: "Bring the archive up to date and publish the site",
		long: `Bring the archive up to date with the news service and publish the site.

Flags may have one dash. Scripts may also give other commands of ayna as flags:
-sync-only, -probe, -forget KIND/ID, -import FILE, -rollback, -shard I/N, -merge N.`,
		example: "  build --quiet --report report.json\n  build --offline --check",
		flags:   "config out offline full budget jobs allow-delete moved check report quiet verbose " + modes,
		run:     (*app).build,
	}
	syncSpec = spec{
		use: "sync", short: "Bring the archive up to date, publish nothing",
		example: "  ayna sync --budget 200",
		flags:   "config full budget jobs allow-delete moved check report quiet verbose",
		mode:    "sync-only", run: (*app).build,
	}
	probeSpec = spec{
		use: "probe", short: "Find out what the news service can do",
		long:    "Find out what the news service can do, print it as a table and keep it for later runs.\nNothing else changes.",
		example: "  ayna probe",
		flags:   "config budget quiet",
		mode:    "probe", run: (*app).build,
	}
	checkSpec = spec{
		use: "check", short: "Check the archive and the site",
		long:    "Check the archive (hashes, database, index, pictures) and the site (manifest, links, anchors, feeds),\nas build --offline --check does. If the archive has changed, the site is built from it.",
		example: "  ayna check --report check.json",
		flags:   "config out jobs allow-delete report quiet verbose",
		run: func(a *app, args []string) int {
			a.offline, a.check = true, true
			return a.build(args)
		},
	}
	forgetSpec = spec{
		use: "forget KIND/ID", short: "Take a record out of archive and site for good",
		long:    "Take a record out for good: from archive, site, feeds, search and pictures. No request is made.",
		example: "  ayna forget article/41010101",
		flags:   "config out jobs allow-delete check report quiet verbose",
		mode:    "forget", run: (*app).build,
	}
	importSpec = spec{
		use: "import FILE", short: "Read exported records into the archive and publish them",
		long:    "Read records that export has written into the archive and publish the site. No request is made.",
		example: "  ayna import records.jsonl",
		flags:   "config out jobs allow-delete check report quiet verbose",
		mode:    "import", run: (*app).build,
	}
	rollbackSpec = spec{
		use: "rollback", short: "Bring the previous site back",
		long:    "Bring the previous site back. A second rollback undoes the first.",
		example: "  ayna rollback",
		flags:   "config out quiet",
		mode:    "rollback", run: (*app).build,
	}
	shardSpec = spec{
		use: "shard I/N", short: "Render share I of N of the site, I from 0",
		long:    "Render share I of N of the site (I from 0) into a tree of its own. No request is made.",
		example: "  parallel ayna shard {}/4 ::: 0 1 2 3",
		flags:   "config out jobs check report quiet verbose",
		mode:    "shard", run: (*app).build,
	}
	mergeSpec = spec{
		use: "merge N", short: "Publish what N shards have rendered",
		example: "  ayna merge 4",
		flags:   "config out jobs allow-delete check report quiet verbose",
		mode:    "merge",
		run: func(a *app, args []string) int {
			if a.merge == 0 {
				return a.complain(exitUsage, errors.New("0: at least one shard is needed"))
			}
			return a.build(args)
		},
	}
)

func (s *settings) setForget(value string) error {
	kind, id, ok := strings.Cut(value, "/")
	switch {
	case !ok || id == "" || !slices.Contains(archive.Kinds, archive.Kind(kind)):
		return errors.New("write it as article/41010101")
	case s.forgetID != "":
		return errors.New("one record is forgotten in a run; make one for each")
	}
	s.forgetKind, s.forgetID = archive.Kind(kind), id
	return nil
}

func (s *settings) setShard(value string) error {
	i, n, ok := strings.Cut(value, "/")
	index, err1 := strconv.Atoi(i)
	all, err2 := strconv.Atoi(n)
	if !ok || err1 != nil || err2 != nil || index < 0 || index >= all {
		return errors.New("write it as 0/4, 1/4, 2/4 or 3/4")
	}
	s.shard = output.Shard{I: index, N: all}
	return nil
}

// asks reports whether requests are made to the source.
func (s *settings) asks() bool {
	return !s.offline && !s.rollback && s.forgetID == "" && s.imports == "" && s.shard.N == 0 && s.merge == 0
}

// contradictions are flags that would leave others without effect.
var contradictions = []struct {
	flag, does string
	without    string
}{
	{"rollback", "only brings the previous site back", "probe sync-only full forget import check shard merge report moved"},
	{"probe", "only asks the source what it can do", "offline sync-only full forget import check shard merge report moved"},
	{"shard", "only renders", "merge sync-only full forget import moved"},
	{"merge", "only publishes what shards have rendered", "sync-only full forget import moved"},
	{"sync-only", "publishes nothing, and the site would go on showing the record", "forget"},
	{"sync-only", "publishes nothing, which leaves nothing to do", "offline"},
	{"forget", "makes no request", "full"},
	{"import", "makes no request", "full"},
	{"import", "only reads records back", "forget"},
}

// checkFlags refuses values out of range and contradictory flags.
func (s *settings) checkFlags() error {
	switch {
	case s.jobs < 1:
		return fmt.Errorf("-jobs %d: at least one is needed", s.jobs)
	case s.allowDelete < 0:
		return fmt.Errorf("-allow-delete %d: must not be negative", s.allowDelete)
	case s.budget < 0:
		return fmt.Errorf("-budget %d: must not be negative", s.budget)
	case s.merge < 0:
		return fmt.Errorf("-merge %d: must not be negative", s.merge)
	}
	given := map[string]bool{
		"rollback": s.rollback, "probe": s.probe, "shard": s.shard.N > 0, "merge": s.merge > 0,
		"offline": s.offline, "sync-only": s.syncOnly, "full": s.full, "check": s.check,
		"forget": s.forgetID != "", "import": s.imports != "", "moved": s.moved, "report": s.report != "",
	}
	for _, c := range contradictions {
		for other := range strings.FieldsSeq(c.without) {
			if given[c.flag] && given[other] {
				return fmt.Errorf("-%s %s; leave out -%s", c.flag, c.does, other)
			}
		}
	}
	return nil
}

// build runs the command build, or what one of its modes stands for.
func (a *app) build([]string) int {
	if err := a.checkFlags(); err != nil {
		return a.complain(exitUsage, err)
	}
	c, err := config.Load(a.configFile, os.LookupEnv)
	if err != nil {
		return a.complain(exitUsage, err)
	}
	a.config = c
	if err := a.checkPlaces(); err != nil {
		// What is found here is a usage error unless it has a code of its own.
		code := exitCode(context.Background(), new(generator.Report), err)
		if code == exitFailure {
			code = exitUsage
		}
		return a.complain(code, err)
	}
	if a.rollback {
		return a.bringBack()
	}
	ctx, stop := interruptible()
	defer stop()
	console := newConsole(a)
	options, err := a.options(ctx, console.progress)
	if err != nil {
		return a.complain(exitFailure, err)
	}
	var records *os.File
	if a.imports != "" {
		if records, err = os.Open(a.imports); err != nil {
			return a.complain(exitUsage, fmt.Errorf("-import: %w", err))
		}
		defer records.Close()
	}
	if a.probe {
		findings, err := generator.Probe(ctx, options)
		printFindings(a.stdout, findings)
		if err != nil {
			return a.complainOfProbe(exitCode(ctx, new(generator.Report), err), err)
		}
		return exitOK
	}
	var report *generator.Report
	switch {
	case a.shard.N > 0:
		report, err = generator.RenderShard(ctx, options, a.shard)
	case a.merge > 0:
		report, err = generator.Merge(ctx, options, a.merge)
	case a.forgetID != "":
		report, err = generator.Forget(ctx, options, a.forgetKind, a.forgetID)
	case a.imports != "":
		report, err = generator.Import(ctx, options, records)
	case a.offline && a.check:
		report, err = generator.Check(ctx, options)
	default:
		report, err = generator.Build(ctx, options)
	}
	report.Exit = exitCode(ctx, report, err)
	console.close(report, err)
	if a.report != "" {
		return a.finish(ctx, report, err)
	}
	return report.Exit
}

// checkPlaces finds out, before anything is done, whether files and folders are
// in each other's way, the key is set and the report can be written. It settles
// the output.
func (a *app) checkPlaces() error {
	if a.out != "" {
		a.config.Output = a.out
	}
	var named []config.Place
	if a.imports != "" {
		named = append(named, config.Read("-import", a.imports))
	}
	if a.report != "" {
		named = append(named, config.Written("-report", a.report))
	}
	if err := a.config.CheckPlaces(a.configFile, named...); err != nil {
		return err
	}
	if a.asks() && a.config.Source.URL != config.Sample {
		if err := a.config.Need(func(key string) bool { return key == "source.api_key" }); err != nil {
			return err
		}
	}
	if a.report != "" {
		return checkReport(a.report)
	}
	return nil
}

func (a *app) bringBack() int {
	if err := output.Rollback(a.config.Output); err != nil {
		return a.complain(exitCode(context.Background(), new(generator.Report), err), err)
	}
	if !a.quiet {
		fmt.Fprintln(a.stdout, "site:     the previous one; another rollback undoes this one")
	}
	return exitOK
}

func (a *app) options(ctx context.Context, progress func(generator.Progress)) (generator.Options, error) {
	origin, err := url.Parse(sample.Origin)
	if err != nil {
		return generator.Options{}, err
	}
	return generator.Options{
		Config:  a.config,
		Offline: a.offline, NoSite: a.syncOnly, Full: a.full, Check: a.check,
		Moved: a.moved, AllowDelete: a.allowDelete, Budget: a.budget, Jobs: a.jobs,
		Version:   programDigest(),
		SampleURL: sample.Origin,
		Hosts:     map[string]http.Handler{origin.Host: sampleOnDemand(ctx)},
		Templates: templates.FS, Assets: assets.FS,
		Progress: progress,
	}, nil
}

// sampleOnDemand is the built-in sample service. It draws its pictures at the
// first request, which only its own mirrors make.
func sampleOnDemand(ctx context.Context) http.Handler {
	service := sync.OnceValues(func() (http.Handler, error) { return sample.Service(ctx, sample.Origin) })
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		handler, err := service()
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		handler.ServeHTTP(w, r)
	})
}
