// Package server answers the Content Publishing Read API from an archive: the
// 16 operations of the API document, in the shapes that the service really used,
// with every record byte for byte as it was received. It also serves a published
// site, and protects both with limits, time-outs, a log, health and metrics.
//
// [New] answers from an open archive, and [OpenMirror] from a file that may be
// replaced. [OpenPreview] serves a site. [Middleware] protects any of them, and
// [Serve] is the HTTP server.
//
// openapi.json describes the operations, docs/api.md what they accept. Begin with api.go,
// which finds the operation of a request; answer.go makes the answers.
package server

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"golang.org/x/net/netutil"

	"ayna/archive"
)

// Options configures the Read API.
type Options struct {
	APIKey    string           // every request needs it; "" is no key
	PerSecond int              // requests answered in a second; 0 is no limit
	PerHour   int              // requests answered in an hour; 0 is no limit
	Origins   []string         // web origins whose scripts may read the answers, as https://example.org
	Location  *time.Location   // of dates without an offset in $filter; nil is UTC
	Now       func() time.Time // for /v1/date and the limits; nil is the clock
	Log       *slog.Logger     // gets each damaged record once, at level Error; nil is none
}

// New returns a handler for the paths below /v1/.
func New(a *archive.Archive, options Options) http.Handler {
	return newGuard(newAPI(a, options), options)
}

// The limits of connections. [Serve] leaves further connections in the queue of
// the system.
const (
	maxConnections = 2048
	maxHeader      = 64 << 10 // bytes
	headerTimeout  = 5 * time.Second
	readTimeout    = 15 * time.Second
	idleTimeout    = time.Minute
	stopTimeout    = 5 * time.Second
)

// Serve answers HTTP/1.1 at a listener until ctx ends, and then lets requests
// in flight finish for at most five seconds. It closes the listener.
func Serve(ctx context.Context, listener net.Listener, handler http.Handler, log *slog.Logger) error {
	var protocols http.Protocols
	protocols.SetHTTP1(true)
	server := &http.Server{
		Handler:           handler,
		Protocols:         &protocols,
		ReadHeaderTimeout: headerTimeout,
		ReadTimeout:       readTimeout,
		WriteTimeout:      chunkTimeout, // response.Write extends it for each chunk
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeader,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
	done := make(chan error, 1)
	go func() { done <- server.Serve(netutil.LimitListener(listener, maxConnections)) }()
	select {
	case err := <-done:
		return fmt.Errorf("serve: %w", err)
	case <-ctx.Done():
	}
	stopping, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTimeout)
	defer cancel()
	if err := server.Shutdown(stopping); err != nil {
		server.Close() // cuts the connections that are left
	}
	<-done
	return nil
}
