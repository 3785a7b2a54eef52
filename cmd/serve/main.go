// Serve shows the published site at / and answers the Read API at /v1/ from
// the archive.
//
//	go run ./cmd/serve [flags]
//
// With -sample it is the built-in news service instead, and needs no files.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"ayna/archive"
	"ayna/generator/config"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
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
	config, address, keyName    string
	sample, live, open, verbose bool
}

const introduction = `usage: serve [flags]

Shows the published site at / and answers the Content Publishing Read API at
/v1/ from the archive, until it is interrupted. /healthz tells how it is.

`

const remarks = `
Without an API key (serve.api_key in the configuration, or -api-key-env) only
this machine is served, unless -open allows others.
`

func parseFlags(args []string, stderr io.Writer) (settings, error) {
	var s settings
	flags := flag.NewFlagSet("serve", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() {
		fmt.Fprint(stderr, introduction)
		flags.PrintDefaults()
		fmt.Fprint(stderr, remarks)
	}
	flags.StringVar(&s.config, "config", "site.yaml", "read the configuration from `FILE`")
	flags.StringVar(&s.address, "addr", "127.0.0.1:8080", "listen at `HOST:PORT`; port 0 picks a free one")
	flags.StringVar(&s.keyName, "api-key-env", "", "ask clients of /v1/ for the API key in the environment variable `NAME`")
	flags.BoolVar(&s.sample, "sample", false, "serve the built-in news service, without any files")
	flags.BoolVar(&s.live, "live", false, "open pages load themselves again when a build has published")
	flags.BoolVar(&s.open, "open", false, "serve other machines though no API key is asked for")
	flags.BoolVar(&s.verbose, "v", false, "log every request to stderr, one JSON object a line")
	if err := flags.Parse(args); err != nil {
		return s, fmt.Errorf("%w: %w", errUsage, err)
	}
	switch {
	case flags.NArg() > 0:
		return s, fmt.Errorf("%w: unexpected argument %q; flags begin with a hyphen, see -help", errUsage, flags.Arg(0))
	case s.sample && (s.live || s.keyName != ""):
		return s, fmt.Errorf("%w: -sample has no site to reload and asks for no key; leave -live and -api-key-env out", errUsage)
	}
	return s, nil
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	log.SetOutput(io.Discard) // net/http logs bytes of answers there, which may hold the key
	s, err := parseFlags(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return exitOK
	}
	if err == nil {
		err = serve(ctx, s, stdout, newLog(stderr, s.verbose))
	}
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, errUsage):
		fmt.Fprintf(stderr, "serve: %v\n", err)
		if unset := (*config.UnsetError)(nil); errors.As(err, &unset) {
			fmt.Fprintf(stderr, "serve: hint: %s\n", unset.Hint())
		}
		return exitUsage
	}
	fmt.Fprintf(stderr, "serve: %v\n", err)
	if err = archive.Explain(err); errors.Is(err, archive.ErrForeign) || errors.Is(err, archive.ErrDamaged) {
		return exitArchive
	}
	return exitFailure
}

// newLog returns a log that writes JSON, in which no text of a client can pose
// as a line of its own.
func newLog(stderr io.Writer, verbose bool) *slog.Logger {
	level := slog.LevelError
	if verbose {
		level = slog.LevelInfo
	}
	return slog.New(slog.NewJSONHandler(stderr, &slog.HandlerOptions{Level: level}))
}
