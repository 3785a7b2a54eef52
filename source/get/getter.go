// Package get reads JSON from a service with GET requests: a path and its query go in, an
// [Answer] or an [Error] comes out. It keeps the service's key to the service's origin, limits
// answers, and classifies errors.
//
// It neither retries nor waits: limit requests with [Config.Gate], and see [Error] before a
// retry.
//
// Begin with getter.go. request.go sends requests (transport, key, redirects), response.go reads
// their answers (encodings, error messages), expect.go finds the JSON in them and surroundings.go
// handles the words around it, error.go has what can fail, and keyguard.go finds and hides the
// key. post.go sends notifications.
package get

import (
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// MaxBody is the usual limit of an answer in bytes, decompressed.
const MaxBody = 64 << 20

// Config describes a service. Only BaseURL is required.
type Config struct {
	// BaseURL is the service's address without /v1, user information and query.
	BaseURL string
	// APIKey is sent as the header apikey, to the origin of BaseURL only, without
	// blanks and a byte order mark around it. "" sends none.
	APIKey string
	// Basic is set if APIKey is "user:password", which is sent by HTTP's basic
	// authentication (RFC 7617).
	Basic bool
	// Guard hides keys that are not sent as APIKey, as those in a query; nil is that of
	// APIKey.
	Guard *KeyGuard
	// SameSite has redirects followed that lead to https instead of http, or to the host
	// with or without www., see [IsSameSite]. With an APIKey they are not: it goes to the
	// origin of BaseURL alone.
	SameSite bool
	// Transport sends the requests; nil is that of NewTransport.
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
}

// Format implements [fmt.Formatter]: it prints the host, so that no verb prints the key.
func (c Config) Format(s fmt.State, _ rune) { fmt.Fprint(s, host(c.BaseURL)) }

func host(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return "an unreadable address"
	}
	return u.Host
}

// A Getter reads one service. It is safe for use by several goroutines.
type Getter struct {
	// The key is behind a pointer: even a printed copy of a Getter shows addresses only.
	base      *url.URL
	transport *keyed
	guard     *KeyGuard
	timeout   time.Duration
	maxBody   int64
	large     sync.Mutex // held while a large body is read
	userAgent string
	gate      func(ctx context.Context) error

	sameSite     bool
	moved        atomic.Pointer[url.URL] // where the site redirects to; nil if it does not
	surroundings atomic.Pointer[[]rune]  // words around JSON, see Warning; nil if none came
}

// New returns a getter. Its errors name what to change, and never hold the key or the
// address.
func New(config Config) (*Getter, error) {
	base, err := parseBase(config.BaseURL)
	if err != nil {
		return nil, fmt.Errorf("base URL: %w", err)
	}
	key, err := parseKey(config.APIKey, config.Basic)
	if err != nil {
		return nil, fmt.Errorf("API key: %w", err)
	}
	guard := NewKeyGuard(key)
	if config.Basic && key != "" {
		_, password, _ := strings.Cut(key, ":")
		header := base64.StdEncoding.EncodeToString([]byte(key))
		guard = NewKeyGuard(key, password, strings.ReplaceAll(password, " ", ""), header)
		key = header
	}
	if config.Guard != nil {
		guard = config.Guard
	}
	if key != "" && base.Scheme == "http" && !loopback(base.Hostname()) {
		return nil, errors.New("base URL: the API key would travel in clear; use https")
	}
	next := config.Transport
	if next == nil {
		next = NewTransport()
	}
	return &Getter{
		base:      base,
		transport: &keyed{next: next, origin: origin(base), key: key, basic: config.Basic},
		guard:     guard,
		timeout:   cmp.Or(max(0, config.Timeout), 30*time.Second),
		maxBody:   cmp.Or(max(0, config.MaxBody), MaxBody),
		userAgent: cmp.Or(config.UserAgent, "ayna"),
		gate:      config.Gate,
		sameSite:  config.SameSite && key == "",
	}, nil
}

// Format implements [fmt.Formatter]: it prints the host, so that no verb prints the key.
func (g *Getter) Format(s fmt.State, _ rune) { fmt.Fprint(s, g.base.Host) }

// KeyGuard returns the guard of the key.
func (g *Getter) KeyGuard() *KeyGuard { return g.guard }

// parseBase keeps the text of a bad address out of its errors: it may hold a password.
func parseBase(address string) (*url.URL, error) {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return nil, errors.New("not a full http or https address")
	}
	if u.User != nil {
		return nil, errors.New("has a user name or password; leave them out")
	}
	if u.RawQuery != "" || u.ForceQuery || u.Fragment != "" {
		return nil, errors.New("has a query or fragment; leave it out, the key has a setting of its own")
	}
	path := strings.TrimRight(u.EscapedPath(), "/")
	if strings.HasSuffix(path, "/v1") {
		return nil, errors.New("ends in /v1; leave that out")
	}
	return &url.URL{Scheme: u.Scheme, Host: u.Host, Path: strings.TrimRight(u.Path, "/"), RawPath: path}, nil
}

// parseKey accepts blanks in a password: WordPress shows its own in groups of four.
func parseKey(key string, basic bool) (string, error) {
	key = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(key), "\ufeff"))
	for _, r := range key {
		if r <= ' ' && !(basic && r == ' ') || r > '~' {
			return "", errors.New("holds a blank, a control character or a letter outside ASCII")
		}
	}
	if user, password, ok := strings.Cut(key, ":"); basic && key != "" && (!ok || user == "" || password == "") {
		return "", errors.New("has another form than user:password")
	}
	return key, nil
}

func loopback(host string) bool {
	if host == "localhost" {
		return true
	}
	address, err := netip.ParseAddr(host)
	return err == nil && address.IsLoopback()
}

// NewTransport returns the default transport, for callers that wrap it. It uses the
// proxies of the environment, and no time-out for headers: [Config.Timeout] covers
// them.
func NewTransport() *http.Transport {
	return &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		DialContext:            (&net.Dialer{Timeout: 10 * time.Second}).DialContext,
		TLSHandshakeTimeout:    10 * time.Second,
		ForceAttemptHTTP2:      true,
		MaxIdleConnsPerHost:    64, // the default of 2 costs a handshake for nearly every request
		IdleConnTimeout:        90 * time.Second,
		MaxResponseHeaderBytes: 64 << 10,
	}
}
