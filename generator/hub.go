package generator

import (
	"context"

	"ayna/generator/websub"
)

// tellHub tells the hub, if there is one, of the feeds that changed. A hub that
// cannot be told leaves the site as it is: readers find what is new when they
// next ask.
func (r *Report) tellHub(ctx context.Context, o Options, changed []string) {
	hub := o.Config.Feeds.Hub
	if hub == "" || o.Offline || o.Shard.N > 0 || len(changed) == 0 {
		return
	}
	defer r.time("hub")()
	failures := websub.Ping(ctx, hub, changed)
	r.Hub = &Hub{Told: len(changed) - len(failures), Failed: []Problem{}}
	for _, f := range failures {
		r.Hub.Failed = append(r.Hub.Failed, Problem{f.Topic, f.Err.Error()})
	}
}
