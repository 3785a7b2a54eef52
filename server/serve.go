package server

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"golang.org/x/net/netutil"
)

// The limits of connections. Those in [Serve] beyond the most wait in the
// system's queue.
const (
	mostConnections = 2048
	mostHeader      = 64 << 10 // bytes
	headerTime      = 5 * time.Second
	requestTime     = 15 * time.Second
	idleTime        = time.Minute
	stopTime        = 5 * time.Second
)

// Serve answers HTTP/1.1 at a listener until ctx ends, and then lets requests
// in flight finish for at most five seconds. It closes the listener.
func Serve(ctx context.Context, listener net.Listener, handler http.Handler, log *slog.Logger) error {
	var protocols http.Protocols
	protocols.SetHTTP1(true)
	web := &http.Server{
		Handler:           handler,
		Protocols:         &protocols,
		ReadHeaderTimeout: headerTime,
		ReadTimeout:       requestTime,
		WriteTimeout:      paceTime, // begins anew with each piece of an answer, see paced
		IdleTimeout:       idleTime,
		MaxHeaderBytes:    mostHeader,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
	done := make(chan error, 1)
	go func() { done <- web.Serve(netutil.LimitListener(listener, mostConnections)) }()
	select {
	case err := <-done:
		return fmt.Errorf("serve: %w", err)
	case <-ctx.Done():
	}
	patience, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTime)
	defer cancel()
	if err := web.Shutdown(patience); err != nil {
		web.Close() // who is not done by now is cut off
	}
	<-done
	return nil
}
