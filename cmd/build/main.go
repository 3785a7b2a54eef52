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
	"sync"
	"syscall"

	"ayna/assets"
	"ayna/generator"
	"ayna/generator/config"
	"ayna/server/sample"
	"ayna/templates"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

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
			return complainOfProbe(stderr, exitCode(ctx, new(generator.Report), err), err)
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
	origin, err := url.Parse(sample.Origin)
	if err != nil {
		return generator.Options{}, err
	}
	return generator.Options{
		Config:  c,
		Offline: s.offline, NoSite: s.syncOnly, Full: s.full,
		Forget: s.forget, AllowDelete: s.allow, Check: s.check,
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
