package fetch

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"ayna/client"
	"ayna/record"
)

// Source is where records come from. A [client.Client] is one. Records are JSON of the
// Read API (API document, section 2), whatever the source itself speaks; errors are those
// of package client.
type Source interface {
	Traits() client.Traits
	// Site describes the source, with one request.
	Site(ctx context.Context) (client.Site, error)
	List(ctx context.Context, group client.Group, q client.Query) (client.Batch, error)
	SearchBatch(ctx context.Context, keyword string, q client.Query) (client.Batch, error)
	Single(ctx context.Context, group client.Group, id string, fields ...string) (json.RawMessage, error)
	// KeyGuard returns what removes the source's key from texts.
	KeyGuard() *client.KeyGuard
	// Found returns what the answers have shown of the source, by question. The archive
	// keeps it for the next run.
	Found() map[string]string
}

// bulkSource has the method of sources whose [client.Traits.Bulk] is not 0.
type bulkSource interface {
	// Records returns single records by their ids. Those that are not there any more are
	// missing.
	Records(ctx context.Context, group client.Group, ids []string) ([]json.RawMessage, error)
}

// warningSource is a Source with warnings for a mirror's owner, each reported once.
type warningSource interface{ Warnings() []string }

// Connection has what a Source begins with.
type Connection struct {
	Transport http.RoundTripper
	Gate      func(context.Context) error // is called before each request
	Timeout   time.Duration               // of one request
	UserAgent string
	Found     map[string]string // what earlier runs have found, see [Source]
}

// kindOf has the kind of each group's records.
var kindOf = func() map[client.Group]record.Kind {
	kinds := make(map[client.Group]record.Kind)
	for kind, group := range record.Groups {
		kinds[group] = kind
	}
	return kinds
}()
