//go:build linux

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// load prints the latency of single records while many connections pipeline
// lists, and the memory that the server needs.
func load(ctx context.Context, p *process, s settings) error {
	c, err := gather(ctx, p, s)
	if err != nil {
		return err
	}
	busy, cancel := context.WithTimeout(ctx, s.duration)
	defer cancel()
	var lists, refused atomic.Int64
	var group sync.WaitGroup
	for range s.connections {
		group.Go(func() {
			for busy.Err() == nil {
				pipeline(busy, p, s.depth, len(c.ids), &lists, &refused)
			}
		})
	}
	var took []time.Duration
	var failed int
	for busy.Err() == nil {
		start := time.Now()
		_, err := p.get(ctx, kinds[1].path(c))
		if took = append(took, time.Since(start)); err != nil {
			failed++
		}
	}
	group.Wait()
	slices.Sort(took)
	now, peak, err := p.memory()
	fmt.Printf("%s: %d connections: %.0f lists/s, %d refused; %d singles, %d failed, p50 %v, p99 %v, at most %v; %.0f MiB, at most %.0f\n",
		p.program, s.connections, float64(lists.Load())/s.duration.Seconds(), refused.Load(), len(took), failed,
		took[len(took)/2].Round(time.Microsecond), took[len(took)*99/100].Round(time.Microsecond), took[len(took)-1].Round(time.Microsecond), now, peak)
	return err
}

// pipeline sends requests on one connection, up to depth of them ahead of their
// answers, until ctx ends or the server closes the connection.
func pipeline(ctx context.Context, p *process, depth, items int, lists, refused *atomic.Int64) error {
	address := strings.TrimPrefix(p.url, "http://")
	connection, err := (&net.Dialer{}).DialContext(ctx, "tcp", address)
	if err != nil {
		return err
	}
	defer connection.Close()
	stop := context.AfterFunc(ctx, func() { connection.Close() })
	defer stop()
	places := make(chan struct{}, depth)
	done := make(chan struct{})
	defer close(done)
	go func() {
		for i := 0; ; i++ {
			select {
			case places <- struct{}{}:
			case <-done:
				return
			}
			if _, err := fmt.Fprintf(connection, "GET /v1/articles?$skip=%d HTTP/1.1\r\nHost: %s\r\n\r\n", i*7919%items, address); err != nil {
				return
			}
		}
	}()
	answers := bufio.NewReader(connection)
	for {
		response, err := http.ReadResponse(answers, nil)
		if err != nil {
			return err
		}
		_, err = io.Copy(io.Discard, response.Body)
		response.Body.Close()
		if err != nil {
			return errors.Join(err, connection.Close())
		}
		if response.StatusCode == http.StatusOK {
			lists.Add(1)
		} else {
			refused.Add(1)
		}
		<-places
	}
}
