package get

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

const (
	maxRedirects = 3
	maxErrorBody = 64 << 10 // bytes read of an answer that is an error
)

var redirects = []int{
	http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect,
}

// An Answer is what a service has sent, and its header.
type Answer struct {
	Body   json.RawMessage // of GetText: any text
	Header http.Header
}

// Date returns the header Date, zero if it is missing.
func (a Answer) Date() time.Time { return answerDate(a.Header, time.Time{}) }

// Get sends a GET to path, which is escaped, begins with a slash and may have a query. It
// returns the answer, in UTF-8, if that is a 200 that may hold JSON.
func (g *Getter) Get(ctx context.Context, path string, query url.Values) (Answer, error) {
	r, err := g.exchange(ctx, path, query, jsonHeader)
	if err != nil {
		return Answer{}, err
	}
	if r.body, err = r.text(); err != nil {
		return Answer{}, g.refuse(path, r, err)
	}
	return Answer{r.body, r.header}, nil
}

// GetJSON is [Getter.Get] for an answer that holds one value of JSON, and perhaps a few other
// words around it: the answer is that value. See [Getter.Warning] for the words.
func (g *Getter) GetJSON(ctx context.Context, path string, query url.Values, expected Expectation) (Answer, error) {
	r, err := g.exchange(ctx, path, query, jsonHeader)
	if err != nil {
		return Answer{}, err
	}
	charset := r.charset()
	if r.isUTF16() {
		charset = "utf-16"
	}
	if r.body, err = r.decoded(charset); err != nil {
		return Answer{}, g.refuse(path, r, err)
	}
	from, to, found := expected.find(r.body, r.header)
	if !found {
		return Answer{}, g.refuseText(path, r)
	}
	g.noteSurroundings(r.body[:from], r.body[to:])
	return Answer{r.body[from:to:to], r.header}, nil
}

// GetText is [Getter.Get] for an answer that is no JSON, whose types the header Accept names. An
// [Error] has the status 304 if the header has a condition that the answer does not meet; the
// header of the answer comes with it.
func (g *Getter) GetText(ctx context.Context, path string, query url.Values, header http.Header) (Answer, error) {
	r, err := g.exchange(ctx, path, query, header)
	if err != nil {
		return Answer{Header: r.header}, err
	}
	if r.body, err = r.decoded(r.charset()); err != nil {
		return Answer{}, g.refuse(path, r, err)
	}
	return Answer{r.body, r.header}, nil
}

var jsonHeader = http.Header{"Accept": {"application/json"}}

// exchange sends a GET and follows redirects. The response has the status 200, or another one
// beside the error.
func (g *Getter) exchange(ctx context.Context, path string, query url.Values, header http.Header) (response, error) {
	u, err := url.Parse(g.base.String() + path)
	if err != nil {
		return response{}, g.Fail(path, err)
	}
	if at := g.moved.Load(); at != nil {
		u.Scheme, u.Host = at.Scheme, at.Host
	}
	values := u.Query()
	maps.Copy(values, query)
	// Every server understands %20, not every one +.
	u.RawQuery = strings.ReplaceAll(values.Encode(), "+", "%20")
	for range maxRedirects + 1 {
		r, err := g.send(ctx, u, header)
		if err != nil {
			return response{}, g.Fail(path, err)
		}
		if slices.Contains(redirects, r.status) {
			if u, err = g.follow(u, r.header.Get("Location")); err != nil {
				return response{}, g.refuse(path, r, err)
			}
			continue
		}
		if r.status != http.StatusOK {
			return r, g.refuse(path, r, statusError(r.status))
		}
		return r, nil
	}
	return response{}, g.Fail(path, fmt.Errorf("%w: more than %d times", ErrRedirect, maxRedirects))
}

// send waits for the gate, sends one request and reads the whole answer.
func (g *Getter) send(ctx context.Context, u *url.URL, header http.Header) (response, error) {
	if g.gate != nil {
		if err := g.gate(ctx); err != nil {
			return response{}, fmt.Errorf("%w: %w", ErrGate, err)
		}
	}
	timed, cancel := context.WithTimeout(ctx, g.timeout)
	defer cancel()
	r, err := g.receive(timed, u, header)
	if err != nil && timed.Err() != nil && ctx.Err() == nil {
		err = fmt.Errorf("no complete answer within %s: %w", g.timeout, context.DeadlineExceeded)
	}
	return r, err
}

func (g *Getter) receive(ctx context.Context, u *url.URL, header http.Header) (response, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return response{}, err
	}
	maps.Copy(request.Header, header)
	request.Header.Set("User-Agent", g.userAgent)
	// An http.Client would follow redirects by itself and repeat the whole address in
	// its errors.
	received, err := g.transport.RoundTrip(request)
	if err != nil {
		return response{}, err
	}
	defer received.Body.Close()
	r := response{status: received.StatusCode, header: received.Header}
	if r.status != http.StatusOK {
		r.body, _ = io.ReadAll(io.LimitReader(received.Body, maxErrorBody))
		return r, nil
	}
	r.body, err = g.readBody(received.Body)
	if err != nil {
		return response{}, fmt.Errorf("reading the answer: %w", err)
	}
	if int64(len(r.body)) > g.maxBody {
		return response{}, fmt.Errorf("%w: more than %d bytes", ErrTooLarge, g.maxBody)
	}
	return r, nil
}

// largeBody is the size from which only one body is read at a time, to bound memory.
const largeBody = 4 << 20

// readBody reads a body up to one byte beyond its limit. A large one has a buffer of the limit's
// size, which is not copied as it grows; it is cloned if it fills less than half of it.
func (g *Getter) readBody(from io.Reader) ([]byte, error) {
	most := g.maxBody + 1
	head, err := io.ReadAll(io.LimitReader(from, min(largeBody, most)))
	if err != nil || int64(len(head)) < largeBody || largeBody >= most {
		return head, err
	}
	g.large.Lock() // others wait within their time-out; large bodies are rare
	defer g.large.Unlock()
	body := make([]byte, most)
	n := copy(body, head)
	for n < len(body) { // io.ReadFull returns one error for a short body and for a broken connection
		read, err := from.Read(body[n:])
		if n += read; errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
	}
	if n < len(body)/2 {
		return bytes.Clone(body[:n]), nil
	}
	return body[:n], nil
}

// follow returns the target of a redirect from u, if that has the same origin, or is an
// address of the same site that may be asked. An error names only the target's host: the rest
// may hold anything.
func (g *Getter) follow(u *url.URL, location string) (*url.URL, error) {
	target, err := u.Parse(location)
	if err != nil || location == "" {
		return nil, fmt.Errorf("%w: its target cannot be read", ErrRedirect)
	}
	switch {
	case origin(target) == g.transport.origin:
	case !g.sameSite || !IsSameSite(g.base, target):
		return nil, fmt.Errorf("%w: to another origin, host %q", ErrRedirect, g.guard.Printable(target.Host))
	case target.EscapedPath() == u.EscapedPath(): // and so will the next requests
		g.moved.Store(target)
	}
	return target, nil
}

// keyed adds the API key to requests to the configured origin, and to no others. Only
// this type and the KeyGuard hold the key.
type keyed struct {
	next   http.RoundTripper
	origin string
	key    string
	basic  bool // key is that of basic authentication
}

func (k *keyed) RoundTrip(r *http.Request) (*http.Response, error) {
	if k.key != "" && origin(r.URL) == k.origin {
		r = r.Clone(r.Context())
		if k.basic {
			r.Header.Set("Authorization", "Basic "+k.key)
		} else {
			r.Header.Set("apikey", k.key)
		}
	}
	return k.next.RoundTrip(r)
}

// origin is scheme, host and port (RFC 6454, section 4).
func origin(u *url.URL) string {
	return u.Scheme + "://" + strings.ToLower(u.Hostname()) + ":" + cmp.Or(u.Port(), usualPorts[u.Scheme])
}
