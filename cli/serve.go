package cli

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"ayna/archive"
	"ayna/generator"
	"ayna/generator/config"
	"ayna/server"
)

var serveSpec = spec{
	use: "serve", short: "Show the site and answer the Read API from the archive",
	long: `Show the published site at / and answer the Content Publishing Read API at /v1/
from the archive, until it is interrupted. Before the first build a page that reloads
itself takes the place of the site. /healthz reports the state.

Without an API key (serve.api_key in the configuration, or --api-key-env) only
this machine is served, unless --open allows others.`,
	example: "  ayna serve\n  ayna serve --sample --addr 8081",
	flags:   "config addr api-key-env sample open healthcheck verbose",
	usage:   map[string]string{"verbose": "log every request to stderr, one JSON object a line"},
	run:     simple(func(ctx context.Context, a *app, _ string) error { return a.serve(ctx) }),
}

// serveFlags are the flags of serve alone.
type serveFlags struct {
	addr, keyName     string
	open, healthcheck bool
}

func (s *serveFlags) define(f *pflag.FlagSet) {
	f.StringVar(&s.addr, "addr", "127.0.0.1:8080", "listen at `HOST:PORT`, or at a port of this machine; 0 picks a free one")
	f.StringVar(&s.keyName, "api-key-env", "", "require the API key in the environment variable `NAME` of clients of /v1/")
	f.BoolVar(&s.open, "open", false, "serve other machines without an API key")
	f.BoolVar(&s.healthcheck, "healthcheck", false, "ask the server at --addr whether it answers, and end with 0 or 1; for containers")
}

// service is the site and the API, or the sample, ready to be served.
type service struct {
	handler http.Handler
	hosts   []string // that a proxy on this machine may pass on
	metrics string   // address of the metrics; "" is none
	close   func()
}

func (a *app) serve(ctx context.Context) error {
	address, err := listenAddress(a.addr)
	if err != nil {
		return usagef("--addr %s: write HOST:PORT, or a port of this machine: %w", a.addr, err)
	}
	if a.healthcheck {
		return checkHealth(ctx, address)
	}
	if err := a.configureServer(); err != nil {
		return err
	}
	c := a.config
	loopback := address.IP.IsLoopback()
	if !loopback && !a.open && (a.sample || c.Serve.APIKey == "") {
		return usagef("--addr %s is reachable from other machines, and no API key is set: set one with --api-key-env or serve.api_key, or allow it with --open", a.addr)
	}
	listener, err := net.ListenTCP("tcp", address)
	if err != nil {
		return fmt.Errorf("listen: %w; another --addr may be free", err)
	}
	defer listener.Close()
	base := "http://" + listener.Addr().String()
	level := slog.LevelError
	if a.verbose {
		level = slog.LevelInfo
	}
	// JSON, so that no text of a client can forge a line of the log.
	log := slog.New(slog.NewJSONHandler(a.stderr, &slog.HandlerOptions{Level: level}))
	openService := a.openMirror
	if a.sample {
		openService = func(ctx context.Context, _ *slog.Logger) (*service, error) { return openSample(ctx, base) }
	}
	v, err := openService(ctx, log)
	if err != nil {
		return err
	}
	defer v.close()
	middleware := server.Middleware{Log: log}
	if loopback {
		middleware.Hosts = append(v.hosts, "localhost")
	}
	if v.metrics != "" {
		middleware.Metrics = server.NewMetrics()
		at, stop, err := serveMetrics(ctx, v.metrics, middleware.Metrics, log)
		if err != nil {
			return err
		}
		defer stop()
		fmt.Fprintf(a.stdout, "metrics at http://%s/metrics\n", at)
	}
	if a.sample {
		fmt.Fprintf(a.stdout, "sample news service at %s/v1/\n", base)
	} else {
		fmt.Fprintf(a.stdout, "site at %s/\nRead API at %s/v1/\n", base, base)
	}
	return server.Serve(ctx, listener, middleware.Wrap(v.handler), log)
}

// listenAddress reads the address of --addr. A port alone is one of this machine.
func listenAddress(addr string) (*net.TCPAddr, error) {
	if !strings.Contains(addr, ":") {
		addr = ":" + addr
	}
	if strings.HasPrefix(addr, ":") {
		addr = "127.0.0.1" + addr
	}
	return net.ResolveTCPAddr("tcp", addr)
}

// checkHealth asks the server at an address for its state. Containers without a
// shell run it as their health check.
func checkHealth(ctx context.Context, address *net.TCPAddr) error {
	if address.IP == nil || address.IP.IsUnspecified() {
		address.IP = net.IPv4(127, 0, 0, 1)
	}
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address.String()+"/healthz", nil)
	if err != nil {
		return err
	}
	response, err := new(http.Transport).RoundTrip(request) // without a proxy
	if err != nil {
		return fmt.Errorf("healthcheck: %w", err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("healthcheck: %s", response.Status)
	}
	return nil
}

// configureServer loads the configuration and the key that a flag names. The
// sample needs neither.
func (a *app) configureServer() error {
	if a.sample {
		if a.keyName != "" {
			return usagef("--sample needs no key; leave --api-key-env out")
		}
		return nil
	}
	if err := a.loadConfig(); err != nil {
		return err
	}
	c := a.config
	if a.keyName != "" {
		c.Serve.APIKey = config.Secret(strings.TrimSpace(os.Getenv(a.keyName)))
		if c.Serve.APIKey == "" {
			return usagef("--api-key-env: %s is not set in the environment", a.keyName)
		}
	}
	err := c.Need(func(key string) bool {
		return strings.HasPrefix(key, "serve.") && (key != "serve.api_key" || a.keyName == "")
	})
	if err != nil {
		return configError{err}
	}
	return nil
}

func openSample(ctx context.Context, base string) (*service, error) {
	news, err := server.Sample(ctx, base)
	if err != nil {
		return nil, err
	}
	return &service{handler: server.Split(news, server.Health(nil, nil), news), close: func() {}}, nil
}

// openMirror opens the published site and the archive, either of which may be missing yet.
func (a *app) openMirror(ctx context.Context, log *slog.Logger) (*service, error) {
	if err := a.finishForget(ctx); err != nil {
		return nil, err
	}
	c := a.config
	mirror, err := server.OpenMirror(ctx, c.Archive, server.Options{
		APIKey:    string(c.Serve.APIKey),
		PerSecond: c.Serve.PerSecond, PerHour: c.Serve.PerHour,
		Origins:  c.Serve.Origins,
		Location: c.Location,
		Log:      log,
	})
	if err != nil {
		return nil, err
	}
	building := &server.Building{Title: c.Title, Language: c.Language, Words: &c.Words, Count: func(ctx context.Context) (arrived, known int, err error) {
		err = mirror.Read(func(from *archive.Archive) error {
			arrived, known, err = generator.Arrived(ctx, c, from)
			return err
		})
		return arrived, known, err
	}}
	preview, err := server.OpenPreview(c.Output, c.BaseURL, c.CSP, building)
	if err != nil {
		mirror.Close()
		return nil, err
	}
	if err := cmp.Or(mirror.Err(), preview.Err()); err != nil {
		fmt.Fprintf(a.stderr, "%s: %s; run ayna build\n", a.name, printable(err.Error()))
	}
	health := server.Health(map[string]server.Component{"archive": mirror, "site": preview}, func(part string, trouble error) {
		log.Error("degraded", "part", part, "error", trouble)
	})
	return &service{
		handler: server.Split(mirror, health, preview),
		hosts:   hostsOf(c),
		metrics: c.Serve.Metrics,
		close:   func() { mirror.Close(); preview.Close() },
	}, nil
}

// hostsOf returns the host names to answer for: those of the configuration, of
// the site, and of the source, whose clients a hosts file or proxy may send here.
func hostsOf(c *config.Config) []string {
	hosts := slices.Clone(c.Serve.Hosts)
	for _, address := range []string{c.BaseURL, c.Source.URL} {
		// config has checked both; the built-in sample has no host.
		if u, err := url.Parse(address); err == nil && u.Host != "" {
			hosts = append(hosts, strings.ToLower(u.Hostname()))
		}
	}
	return hosts
}

// serveMetrics serves metrics at an address of their own until ctx ends or stop
// is called. stop waits for the end.
func serveMetrics(ctx context.Context, address string, metrics *server.Metrics, log *slog.Logger) (at net.Addr, stop func(), err error) {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, nil, fmt.Errorf("serve.metrics: listen: %w", err)
	}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", metrics)
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := server.Serve(ctx, listener, server.Middleware{}.Wrap(mux), log); err != nil {
			log.Error("metrics", "error", err)
		}
	}()
	return listener.Addr(), func() { cancel(); <-done }, nil
}
