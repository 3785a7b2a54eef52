// Package client reads a Content Publishing Read API: queries, ids and keywords go in;
// articles, columns, photo galleries, videos, pages, writers, folders and the service's
// date come out. Every operation is one HTTP GET.
//
//	c, err := client.New(client.Config{BaseURL: "https://api.example", APIKey: key})
//	...
//	for article, err := range c.Articles(ctx, client.Query{Filter: client.Eq("Path", "/spor/")}) {
//		if err != nil {
//			return err
//		}
//		fmt.Println(article.ID, article.Title)
//	}
//
// The service's document leaves most shapes open, so the package accepts many: list
// envelopes, ids as strings or numbers, date forms, missing and misspelt fields (see
// [Record]). A page of HTML, an empty body, null or an error object is an error, never
// an empty list; [ErrNoRecord] tells that a single record is empty. Every record also holds its JSON.
//
// The package neither retries nor waits. Limit requests with [Config.Gate], and see
// [Error] before a retry.
//
// Begin with operation.go, which has the operations and their addresses. A request goes
// from there through package get (transport, key, redirects, encodings, error messages) to
// envelope.go (lists and records). record.go has the types, and field.go reads
// fields of any JSON type into them.
package client

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"ayna/source/get"
)

// A Group is a group of resources: a segment of the path.
type Group string

// The groups of the API document, section 4.
const (
	Articles  Group = "articles"
	Columns   Group = "columns"
	Galleries Group = "newsphotogalleries"
	Videos    Group = "newsvideos"
	Pages     Group = "pages"
	Writers   Group = "writers"
	Paths     Group = "paths"
)

// MaxBody is the usual limit of an answer in bytes, decompressed.
const MaxBody = get.MaxBody

// Config describes the service and how to read it. Only BaseURL is required.
type Config struct {
	// BaseURL is the service's address without /v1, user information and query.
	BaseURL string
	// APIKey is sent as the header apikey, to the origin of BaseURL only, without
	// blanks and a byte order mark around it. "" sends none.
	APIKey string
	// Transport sends the requests; nil is a default one, which uses the proxies of the
	// environment.
	Transport http.RoundTripper
	// Timeout is for one request and its body; 0 is 30 seconds.
	Timeout time.Duration
	// MaxBody is the limit of an answer in bytes, decompressed; 0 is [MaxBody].
	MaxBody int64
	// UserAgent is sent as such; "" is "ayna".
	UserAgent string
	// Gate, if set, is called before each request, also after a redirect. Its time
	// does not count against Timeout. Its error ends the operation and can be found
	// with [errors.Is].
	Gate func(ctx context.Context) error
	// IDLocations is where the ids of writers and paths were found, see [Client.IDLocation]. A
	// wrong location costs one request.
	IDLocations map[Group]IDLocation
}

// Format implements [fmt.Formatter], so that no verb prints the key.
func (c Config) Format(s fmt.State, _ rune) {
	fmt.Fprintf(s, "client.Config for %v", c.get())
}

// A Client reads one service. It is safe for use by several goroutines.
type Client struct {
	getter    *get.Getter
	locations map[Group]*detected
}

// New returns a client. Its errors name what to change, and never hold the key or the
// address.
func New(config Config) (*Client, error) {
	getter, err := get.New(config.get())
	if err != nil {
		return nil, fmt.Errorf("client: %w", err)
	}
	return &Client{getter, newLocations(config.IDLocations)}, nil
}

func (c Config) get() get.Config {
	return get.Config{
		BaseURL: c.BaseURL, APIKey: c.APIKey, Transport: c.Transport, Timeout: c.Timeout, MaxBody: c.MaxBody, UserAgent: c.UserAgent, Gate: c.Gate,
	}
}

// Format implements [fmt.Formatter], so that no verb prints the key.
func (c *Client) Format(s fmt.State, _ rune) {
	fmt.Fprintf(s, "client.Client for %v", c.getter)
}
