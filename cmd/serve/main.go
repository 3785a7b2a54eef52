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
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"ayna/archive"
	"ayna/generator/config"
	"ayna/server"
	"ayna/server/sample"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// The exit codes are those of build.
const (
	exitOK      = 0
	exitFailure = 1
	exitUsage   = 2
)

type settings struct {
	config, address, keyName string
	sample                   bool
}

func parseFlags(args []string, stderr io.Writer) (settings, error) {
	var s settings
	flags := flag.NewFlagSet("serve", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&s.config, "config", "site.yaml", "read the configuration from `FILE`")
	flags.StringVar(&s.address, "addr", "127.0.0.1:8080", "listen at `HOST:PORT`; port 0 picks a free one")
	flags.StringVar(&s.keyName, "api-key-env", "", "ask clients of /v1/ for the API key in the environment variable `NAME`")
	flags.BoolVar(&s.sample, "sample", false, "serve the built-in news service")
	if err := flags.Parse(args); err != nil {
		return s, err
	}
	if flags.NArg() > 0 {
		return s, fmt.Errorf("unexpected argument %q; flags begin with a hyphen, see -help", flags.Arg(0))
	}
	return s, nil
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	s, err := parseFlags(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return exitOK
	}
	code := exitUsage
	if err == nil {
		code, err = serve(ctx, s, stdout)
	}
	if err != nil {
		fmt.Fprintf(stderr, "serve: %v\n", err)
	}
	return code
}

func serve(ctx context.Context, s settings, stdout io.Writer) (int, error) {
	listener, err := net.Listen("tcp", s.address)
	if err != nil {
		return exitFailure, fmt.Errorf("listen: %w; another -addr may be free", err)
	}
	defer listener.Close()
	base := "http://" + listener.Addr().String()
	var handler http.Handler
	switch {
	case s.sample:
		if handler, err = sample.Service(ctx, base); err != nil {
			return exitFailure, err
		}
		fmt.Fprintf(stdout, "sample news service at %s/v1/\n", base)
	default:
		c, err := config.Load(s.config, os.LookupEnv)
		if err != nil {
			return exitUsage, err
		}
		if s.keyName != "" && os.Getenv(s.keyName) == "" {
			return exitUsage, fmt.Errorf("-api-key-env: %s is not set in the environment", s.keyName)
		}
		mirror, closeMirror, err := openMirror(ctx, c, s)
		if err != nil {
			return exitFailure, err
		}
		defer closeMirror()
		handler = mirror
		fmt.Fprintf(stdout, "site at %s/\nRead API at %s/v1/\n", base, base)
	}
	if err := answer(ctx, listener, handler); err != nil {
		return exitFailure, err
	}
	return exitOK, nil
}

// openMirror returns a handler for the published site and the archive.
func openMirror(ctx context.Context, c *config.Config, s settings) (http.Handler, func(), error) {
	key := string(c.Serve.APIKey)
	if s.keyName != "" {
		key = os.Getenv(s.keyName)
	}
	root, err := os.OpenRoot(c.Output)
	if err != nil {
		return nil, nil, fmt.Errorf("open the site: %w; run build first", err)
	}
	a, err := archive.OpenReader(ctx, c.Archive)
	if err != nil {
		root.Close()
		return nil, nil, err
	}
	mux := http.NewServeMux()
	mux.Handle("/v1/", server.New(a, server.Options{APIKey: key}))
	mux.Handle("/", server.Preview(root, c.BaseURL))
	return mux, func() { a.Close(); root.Close() }, nil
}

// answer serves until ctx ends, and then lets requests in flight finish.
func answer(ctx context.Context, listener net.Listener, handler http.Handler) error {
	web := &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       15 * time.Second,
		WriteTimeout:      2 * time.Minute,
		IdleTimeout:       time.Minute,
		MaxHeaderBytes:    64 << 10,
	}
	done := make(chan error, 1)
	go func() { done <- web.Serve(listener) }()
	select {
	case err := <-done:
		return fmt.Errorf("serve: %w", err)
	case <-ctx.Done():
	}
	patience, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	if err := web.Shutdown(patience); err != nil {
		return fmt.Errorf("stop: %w", errors.Join(err, web.Close()))
	}
	return nil
}
