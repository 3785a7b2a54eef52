package feed

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"ayna/generator/output"
)

// Limits of Ping: a hub that is slow or gone must not delay a build.
const (
	pingsAtOnce  = 4
	pingTimeout  = 10 * time.Second // for each request
	pingsTimeout = 2 * time.Minute  // for all of them
)

// addTopic notes that a file is a feed with a hub.
func (r *Renderer) addTopic(path, topic string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.topics[path] = topic
}

// Wrote records that a file of the site was written. It may be called concurrently.
func (r *Renderer) Wrote(path string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if topic := r.topics[path]; topic != "" {
		r.changed[topic] = true
	}
}

// Changed returns the addresses, sorted, of the feeds that were written.
func (r *Renderer) Changed() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Sorted(maps.Keys(r.changed))
}

// Ping announces changed feeds to a hub, which notifies their subscribers (W3C
// WebSub, section 6; the form of the request is that of PubSubHubbub 0.3, section
// 7.1, which today's hubs understand). The path of a failure is its topic.
func Ping(ctx context.Context, hub string, topics []string) output.Failures {
	ctx, cancel := context.WithTimeoutCause(ctx, pingsTimeout, fmt.Errorf("the hub took longer than %v for all feeds", pingsTimeout))
	defer cancel()
	client := &http.Client{
		Timeout: pingTimeout,
		CheckRedirect: func(*http.Request, []*http.Request) error {
			return errors.New("the hub leads elsewhere; set feeds.hub to where it is")
		},
	}
	defer client.CloseIdleConnections()
	errs := make([]error, len(topics))
	slots := make(chan struct{}, pingsAtOnce)
	var wait sync.WaitGroup
	for i, topic := range topics {
		slots <- struct{}{}
		wait.Go(func() {
			errs[i] = ping(ctx, client, hub, topic)
			<-slots
		})
	}
	wait.Wait()
	var failures output.Failures
	for i, err := range errs {
		if err != nil {
			failures = append(failures, output.Failure{Path: topics[i], Err: err})
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
	io.Copy(io.Discard, io.LimitReader(response.Body, 64<<10)) // so that the connection can be reused
	if response.StatusCode/100 != 2 {
		return fmt.Errorf("tell the hub: it answers %s", response.Status)
	}
	return nil
}
