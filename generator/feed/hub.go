package feed

import (
	"context"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"sync"
	"time"

	"ayna/generator/output"
	"ayna/source/get"
)

// Limits of Ping: a hub that is slow or gone must not delay a build.
const (
	pingsAtOnce  = 4
	pingTimeout  = 10 * time.Second // for each request
	pingsTimeout = 2 * time.Minute  // for all of them
)

// Wrote records that a file of the site was written. Call it after [Renderer.Files] has
// yielded all files, and not concurrently.
func (r *Renderer) Wrote(path string) {
	if topic := r.topics[path]; topic != "" {
		r.changed[topic] = true
	}
}

// Changed returns the addresses of the feeds that were written, sorted. It is empty
// without a hub.
func (r *Renderer) Changed() []string { return slices.Sorted(maps.Keys(r.changed)) }

// Ping announces changed feeds to a hub, which notifies their subscribers (W3C
// WebSub, section 6; the form of the request is that of PubSubHubbub 0.3, section
// 7.1, which today's hubs understand). The path of a failure is its topic.
func Ping(ctx context.Context, hub string, topics []string) output.Failures {
	ctx, cancel := context.WithTimeoutCause(ctx, pingsTimeout, fmt.Errorf("the hub took longer than %v for all feeds", pingsTimeout))
	defer cancel()
	errs := make([]error, len(topics))
	slots := make(chan struct{}, pingsAtOnce)
	var wait sync.WaitGroup
	for i, topic := range topics {
		slots <- struct{}{}
		wait.Go(func() {
			if err := ping(ctx, hub, topic); err != nil {
				errs[i] = fmt.Errorf("notify the hub: %w", err)
			}
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

func ping(ctx context.Context, hub, topic string) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	ctx, cancel := context.WithTimeout(ctx, pingTimeout)
	defer cancel()
	form := url.Values{"hub.mode": {"publish"}, "hub.url": {topic}}
	return get.Post(ctx, hub, "ayna", "application/x-www-form-urlencoded", form.Encode())
}
