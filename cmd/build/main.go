// Build mirrors a news service: it brings the archive up to date, arranges it
// by folder and publishes pages and feeds.
//
//	go run ./cmd/build [flags]
//
// Run it with -help for the flags; README.md explains the configuration.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/url"
	"os"
	"os/signal"
	"sync"
	"syscall"

	"ayna/assets"
	"ayna/generator"
	"ayna/generator/config"
	"ayna/server/sample"
	"ayna/templates"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(args []string, stdout, stderr io.Writer) int {
	log.SetOutput(io.Discard) // net/http logs bytes of answers there, which may hold the key
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
	if err := checkSettings(c, s); err != nil {
		return complain(stderr, usageCode(err), err)
	}
	if s.rollback {
		return rollback(c, stdout, stderr)
	}
	ctx, interrupted := context.WithCancelCause(context.Background())
	defer interrupted(nil)
	go watchSignals(interrupted)

	console := newConsole(stdout, stderr, s, c)
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
			return console.complainOfProbe(exitCode(ctx, new(generator.Report), err), err)
		}
		return exitOK
	}
	report, err := generator.Build(ctx, options)
	report.Exit = exitCode(ctx, report, err)
	console.close(report, err)
	if s.report != "" {
		return finish(ctx, c, s, report, err, stderr)
	}
	return report.Exit
}

// checkSettings finds out what is wrong with configuration and flags together,
// before anything is done. It settles the output.
func checkSettings(c *config.Config, s settings) error {
	if s.out != "" {
		c.Output = s.out
	}
	var named []config.Place
	if s.imports != "" {
		named = append(named, config.Read("-import", s.imports))
	}
	if s.report != "" {
		named = append(named, config.Written("-report", s.report))
	}
	if err := c.CheckPlaces(s.config, named...); err != nil {
		return err
	}
	if s.asks() && c.Source.URL != config.Sample {
		if err := c.Need(func(key string) bool { return key == "source.api_key" }); err != nil {
			return err
		}
	}
	if s.report != "" {
		return checkReport(s.report)
	}
	return nil
}

func buildOptions(ctx context.Context, c *config.Config, s settings, console *console) (generator.Options, error) {
	origin, err := url.Parse(sample.Origin)
	if err != nil {
		return generator.Options{}, err
	}
	return generator.Options{
		Config:  c,
		Offline: s.offline, NoSite: s.syncOnly, Full: s.full,
		Forget: s.forget, Moved: s.moved, AllowDelete: s.allow, Check: s.check,
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
