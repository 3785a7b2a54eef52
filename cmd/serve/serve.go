package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"

	"ayna/generator/config"
	"ayna/server"
	"ayna/server/sample"
)

// service is what is served, and how.
type service struct {
	handler http.Handler
	names   []string // hosts that a proxy on this machine may pass on
	metrics string   // where figures are served; "" is nowhere
	close   func()
}

func serve(ctx context.Context, s settings, stdout io.Writer, log *slog.Logger) error {
	c, err := configure(s)
	if err != nil {
		return err
	}
	address, err := net.ResolveTCPAddr("tcp", s.address)
	if err != nil {
		return fmt.Errorf("%w: -addr: %w", errUsage, err)
	}
	loopback := address.IP.IsLoopback()
	if !loopback && !s.open && (c == nil || c.Serve.APIKey == "") {
		return fmt.Errorf("%w: -addr %s is reached from other machines, and no API key is asked for: name one with -api-key-env or serve.api_key, or allow it with -open", errUsage, s.address)
	}
	listener, err := net.ListenTCP("tcp", address)
	if err != nil {
		return fmt.Errorf("listen: %w; another -addr may be free", err)
	}
	defer listener.Close()
	base := "http://" + listener.Addr().String()
	v, err := openService(ctx, c, s, base, log)
	if err != nil {
		return err
	}
	defer v.close()
	frame := server.Frame{Log: log}
	if loopback {
		frame.Hosts = append(v.names, "localhost")
	}
	if v.metrics != "" {
		frame.Metrics = new(server.Metrics)
		at, stop, err := serveMetrics(ctx, v.metrics, frame.Metrics, log)
		if err != nil {
			return err
		}
		defer stop()
		fmt.Fprintf(stdout, "figures at http://%s/metrics\n", at)
	}
	if c != nil {
		fmt.Fprintf(stdout, "site at %s/\nRead API at %s/v1/\n", base, base)
	} else {
		fmt.Fprintf(stdout, "sample news service at %s/v1/\n", base)
	}
	return server.Serve(ctx, listener, frame.Around(v.handler), log)
}

// configure reads the configuration, and the key that a flag names; the sample
// needs neither.
func configure(s settings) (*config.Config, error) {
	if s.sample {
		return nil, nil
	}
	c, err := config.Load(s.config, os.LookupEnv)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errUsage, err)
	}
	if s.keyName != "" {
		c.Serve.APIKey = config.Secret(strings.TrimSpace(os.Getenv(s.keyName)))
		if c.Serve.APIKey == "" {
			return nil, fmt.Errorf("%w: -api-key-env: %s is not set in the environment", errUsage, s.keyName)
		}
	}
	err = c.Need(func(key string) bool {
		return strings.HasPrefix(key, "serve.") && (key != "serve.api_key" || s.keyName == "")
	})
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errUsage, err)
	}
	return c, nil
}

func openService(ctx context.Context, c *config.Config, s settings, base string, log *slog.Logger) (*service, error) {
	if c != nil {
		return openMirror(ctx, c, s, log)
	}
	news, err := sample.Service(ctx, base)
	if err != nil {
		return nil, err
	}
	return &service{handler: server.Split(news, server.Health(nil, nil), news), close: func() {}}, nil
}

// openMirror is the published site and the archive.
func openMirror(ctx context.Context, c *config.Config, s settings, log *slog.Logger) (*service, error) {
	preview, err := server.OpenPreview(ctx, c.Output, server.PreviewOptions{BaseURL: c.BaseURL, Live: s.live})
	if err != nil {
		return nil, err
	}
	mirror, err := server.Follow(ctx, c.Archive, server.Options{
		APIKey:    string(c.Serve.APIKey),
		PerSecond: c.Serve.PerSecond, PerHour: c.Serve.PerHour,
		Origins:  c.Serve.Origins,
		Location: c.Location,
		Log:      log,
	})
	if err != nil {
		preview.Close()
		return nil, err
	}
	health := server.Health(map[string]server.Part{"archive": mirror, "site": preview}, func(part string, trouble error) {
		log.Error("degraded", "part", part, "error", trouble)
	})
	return &service{
		handler: server.Split(mirror, health, preview),
		names:   hostsOf(c),
		metrics: c.Serve.Metrics,
		close:   func() { mirror.Close(); preview.Close() },
	}, nil
}

// hostsOf returns the host names that requests may be for: that of the site, that
// of the source, whose clients may be led here by a hosts file or a proxy, and
// those of the configuration.
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

// serveMetrics serves figures at an address of their own until ctx ends or stop
// is called, which waits for the end.
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
		if err := server.Serve(ctx, listener, server.Frame{}.Around(mux), log); err != nil {
			log.Error("metrics", "error", err)
		}
	}()
	return listener.Addr(), func() { cancel(); <-done }, nil
}
