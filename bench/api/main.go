//go:build linux

// Api measures the CPU time that requests to the Read API cost the server, for
// several builds of ayna serve in turn.
//
//	go run ./bench/corpus -items 20000 -archive DIR/archive.db
//	go run ./bench/api -archive DIR/archive.db -ayna OLD,NEW
//
// Begin with the kinds of requests in compare.go.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "api:", err)
		stop()
		os.Exit(1)
	}
}

// settings are the flags.
type settings struct {
	archive  string
	only     string
	programs []string
	rounds   int
	requests int
}

func parseFlags(args []string) (s settings, err error) {
	flags := flag.NewFlagSet("api", flag.ContinueOnError)
	flags.StringVar(&s.archive, "archive", "", "serve the archive `FILE`, with the site.yaml that corpus wrote beside it")
	programs := flags.String("ayna", "", "measure these builds of cmd/ayna, separated by `COMMAS`")
	flags.StringVar(&s.only, "only", "", "measure only requests whose name contains this `TEXT`")
	flags.IntVar(&s.rounds, "rounds", 5, "print medians of `N` rounds")
	flags.IntVar(&s.requests, "requests", 200, "make `N` requests of each kind in a round")
	if err := flags.Parse(args); err != nil {
		return s, err
	}
	s.programs = strings.Split(*programs, ",")
	if s.archive == "" || *programs == "" || flags.NArg() > 0 {
		return s, errors.New("give -archive and -ayna")
	}
	return s, nil
}

func run(ctx context.Context, args []string) error {
	s, err := parseFlags(args)
	if err != nil {
		return err
	}
	var servers []*process
	defer func() {
		for _, p := range servers {
			p.stop()
		}
	}()
	for _, program := range s.programs {
		p, err := start(ctx, program, s.archive)
		if err != nil {
			return fmt.Errorf("start %s: %w", program, err)
		}
		servers = append(servers, p)
	}
	return compare(ctx, servers, s)
}
