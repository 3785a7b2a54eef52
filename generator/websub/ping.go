// Package websub tells a hub which feeds changed, so that it tells their
// subscribers (W3C WebSub, section 6; the form of the request is that of
// PubSubHubbub 0.3, section 7.1, which hubs of today understand).
package websub

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"
)

// Limits of a ping: a hub that is slow or gone must not hold a build up.
const (
	atOnce   = 4                // requests in flight
	oneLimit = 10 * time.Second // for each request
	allLimit = 2 * time.Minute  // for all of them
)

// Failure is a feed of which the hub was not told.
type Failure struct {
	Topic string // address of the feed
	Err   error
}

// Ping tells the hub of each feed. It returns those it could not tell of, in
// the order of topics.
func Ping(ctx context.Context, hub string, topics []string) []Failure {
	ctx, cancel := context.WithTimeoutCause(ctx, allLimit, fmt.Errorf("the hub took longer than %v for all feeds", allLimit))
	defer cancel()
	client := &http.Client{
		Timeout: oneLimit,
		CheckRedirect: func(*http.Request, []*http.Request) error {
			return errors.New("the hub leads elsewhere; set feeds.hub to where it is")
		},
	}
	defer client.CloseIdleConnections()
	errs := make([]error, len(topics))
	slots := make(chan struct{}, atOnce)
	var wait sync.WaitGroup
	for i, topic := range topics {
		slots <- struct{}{}
		wait.Go(func() {
			errs[i] = ping(ctx, client, hub, topic)
			<-slots
		})
	}
	wait.Wait()
	var failures []Failure
	for i, err := range errs {
		if err != nil {
			failures = append(failures, Failure{topics[i], err})
		}
	}
	return failures
}

func ping(ctx context.Context, client *http.Client, hub, topic string) error {
	if ctx.Err() != nil {
		return fmt.Errorf("tell the hub: %w", context.Cause(ctx))
	}
	form := url.Values{"hub.mode": {"publish"}, "hub.url": {topic}}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, hub, strings.NewReader(form.Encode()))
	if err != nil {
		return fmt.Errorf("tell the hub: %w", err)
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.Header.Set("User-Agent", "ayna")
	response, err := client.Do(request)
	if err != nil {
		return fmt.Errorf("tell the hub: %w", err)
	}
	defer response.Body.Close()
	io.Copy(io.Discard, io.LimitReader(response.Body, 64<<10)) // so that the connection serves again
	if response.StatusCode/100 != 2 {
		return fmt.Errorf("tell the hub: it answers %s", response.Status)
	}
	return nil
}
