// Build mirrors a news service: it brings the archive up to date, arranges it
// by folder and publishes pages and feeds.
//
//	go run ./cmd/build [flags]
//
// Run it with -help for the flags; README.md explains the configuration.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"

	"ayna/archive"
	"ayna/assets"
	"ayna/generator"
	"ayna/generator/config"
	"ayna/generator/output"
	"ayna/server/sample"
	"ayna/templates"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// settings are the flags.
type settings struct {
	config, out, report     string
	offline, syncOnly, full bool
	probe                   bool
	quiet, verbose          bool
	budget, jobs, allow     int
	forget, imports         string
	rollback, check         bool
	shard                   output.Shard
	merge                   int
}

func parseFlags(args []string, stderr io.Writer) (settings, error) {
	var s settings
	flags := flag.NewFlagSet("build", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&s.config, "config", "site.yaml", "read the configuration from `FILE`")
	flags.StringVar(&s.out, "out", "", "publish to `DIR` instead of the configuration's output")
	flags.BoolVar(&s.offline, "offline", false, "make no request; publish what the archive holds")
	flags.BoolVar(&s.syncOnly, "sync-only", false, "fill the archive, publish nothing")
	flags.BoolVar(&s.full, "full", false, "list and fetch all records again; pictures that are there stay")
	flags.IntVar(&s.allow, "allow-delete", 0, "let this run find up to `N` records of a kind gone at once")
	flags.BoolVar(&s.probe, "probe", false, "find out what the source can do, print it as a table, keep it for later runs, change nothing else")
	flags.StringVar(&s.forget, "forget", "", "take the record `KIND/ID` out for good, make no request")
	flags.StringVar(&s.imports, "import", "", "read records that pack has exported to `FILE` as jsonl back into the archive, make no request")
	flags.IntVar(&s.budget, "budget", 0, "make at most `N` requests in this run; 0 is no limit")
	flags.BoolVar(&s.check, "check", false, "check the archive before the build, and the whole site after it")
	flags.BoolVar(&s.rollback, "rollback", false, "bring the previous site back, do nothing else")
	flags.Func("shard", "render share `I/N` of the site (I from 0) into a tree of its own, make no request", s.setShard)
	flags.IntVar(&s.merge, "merge", 0, "publish what `N` shards have rendered, make no request")
	flags.IntVar(&s.jobs, "jobs", runtime.GOMAXPROCS(0), "render `N` files side by side")
	flags.StringVar(&s.report, "report", "", "write the run's report as JSON to `FILE`")
	flags.BoolVar(&s.quiet, "quiet", false, "print no progress and no summary, only errors")
	flags.BoolVar(&s.verbose, "v", false, "print every failure")
	if err := flags.Parse(args); err != nil {
		return s, err
	}
	switch {
	case flags.NArg() > 0:
		return s, fmt.Errorf("unexpected argument %q; flags begin with a hyphen, see -help", flags.Arg(0))
	case s.offline && s.syncOnly:
		return s, errors.New("-offline and -sync-only together leave nothing to do")
	case s.jobs < 1:
		return s, fmt.Errorf("-jobs %d: at least one is needed", s.jobs)
	case s.allow < 0:
		return s, fmt.Errorf("-allow-delete %d: must not be negative", s.allow)
	case s.budget < 0:
		return s, fmt.Errorf("-budget %d: must not be negative", s.budget)
	}
	if err := s.checkShards(); err != nil {
		return s, err
	}
	_, err := s.toForget()
	return s, err
}

// checkPlaces finds out before the work whether its results can be put where
// they belong.
func checkPlaces(c *config.Config, s settings) error {
	if s.report != "" {
		if info, err := os.Stat(filepath.Dir(s.report)); err != nil || !info.IsDir() {
			return fmt.Errorf("-report %s: there is no folder %s", s.report, filepath.Dir(s.report))
		}
	}
	return c.CheckPlaces(s.config)
}

// toForget reads the record that -forget names; nil if it names none.
func (s settings) toForget() (*generator.Forget, error) {
	if s.forget == "" {
		return nil, nil
	}
	kind, id, ok := strings.Cut(s.forget, "/")
	if !ok || id == "" || !slices.Contains(archive.Kinds, archive.Kind(kind)) {
		return nil, fmt.Errorf("-forget %q: write it as article/41010101", s.forget)
	}
	return &generator.Forget{Kind: archive.Kind(kind), ID: id}, nil
}

func run(args []string, stdout, stderr io.Writer) int {
	s, err := parseFlags(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return exitOK
	}
	if err != nil {
		return complain(stderr, exitUsage, err)
	}
	c, err := config.Load(s.config, os.LookupEnv)
	if err != nil {
		return complain(stderr, exitUsage, err)
	}
	if s.out != "" {
		c.Output = s.out
	}
	if err := checkPlaces(c, s); err != nil {
		return complain(stderr, exitUsage, err)
	}
	if s.rollback {
		return rollback(c, stdout, stderr)
	}
	ctx, interrupted := context.WithCancelCause(context.Background())
	defer interrupted(nil)
	go watchSignals(interrupted)

	console := newConsole(stdout, stderr, s)
	options, err := buildOptions(ctx, c, s, console)
	if err != nil {
		return complain(stderr, exitFailure, err)
	}
	if s.imports != "" {
		f, err := os.Open(s.imports)
		if err != nil {
			return complain(stderr, exitUsage, fmt.Errorf("-import: %w", err))
		}
		defer f.Close()
		options.Import = f
	}
	if s.probe {
		findings, err := generator.Probe(ctx, options)
		printFindings(stdout, findings)
		if err != nil {
			return complain(stderr, exitCode(ctx, new(generator.Report), err), err)
		}
		return exitOK
	}
	report, err := generator.Build(ctx, options)
	code := exitCode(ctx, report, err)
	report.Exit = code
	console.close(report, err)
	if s.report != "" {
		if err := writeReport(s.report, report); err != nil {
			return complain(stderr, max(code, exitFailure), err)
		}
	}
	return code
}

func buildOptions(ctx context.Context, c *config.Config, s settings, console *console) (generator.Options, error) {
	forget, err := s.toForget()
	if err != nil {
		return generator.Options{}, err
	}
	origin, err := url.Parse(sample.Origin)
	if err != nil {
		return generator.Options{}, err
	}
	return generator.Options{
		Config:  c,
		Offline: s.offline, NoSite: s.syncOnly, Full: s.full,
		Forget: forget, AllowDelete: s.allow, Check: s.check,
		Budget: s.budget, Jobs: s.jobs, Shard: s.shard, Merge: s.merge,
		Version:   programDigest(),
		SampleURL: sample.Origin,
		Hosts:     map[string]http.Handler{origin.Host: whenAsked(ctx)},
		Templates: templates.FS, Assets: assets.FS,
		Progress: console.progress,
	}, nil
}

// whenAsked is the built-in sample service. It draws its pictures when it is
// first asked for something, which it is by its own mirrors alone.
func whenAsked(ctx context.Context) http.Handler {
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

// errSignal is the cause of a run that a signal ended.
type errSignal struct{ syscall.Signal }

func (e errSignal) Error() string { return "stopped by " + e.String() }

// watchSignals stops the run at the first signal. A second one ends the
// program at once: nothing is being written that its end would spoil.
func watchSignals(stop context.CancelCauseFunc) {
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	first := <-signals
	number, _ := first.(syscall.Signal)
	stop(errSignal{number})
	<-signals
	os.Exit(128 + int(number))
}

func writeReport(name string, report *generator.Report) error {
	encoded, err := json.MarshalIndent(report, "", "  ")
	if err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	if err := os.WriteFile(name, append(encoded, '\n'), 0o644); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	return nil
}
