package client

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

const (
	maxRedirects = 3
	maxErrorBody = 64 << 10 // bytes read of an answer that is an error
)

var redirects = []int{
	http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect,
}

// get sends a GET to path, which is escaped, begins with /v1 and may have a query. It
// returns the answer if that is a 200 that may hold JSON.
func (c *Client) get(ctx context.Context, path string, query url.Values) (response, error) {
	u, err := url.Parse(c.base.String() + path)
	if err != nil {
		return response{}, c.fail(path, err)
	}
	values := u.Query()
	maps.Copy(values, query)
	// Every server understands %20, not every one +.
	u.RawQuery = strings.ReplaceAll(values.Encode(), "+", "%20")
	for range maxRedirects + 1 {
		r, err := c.send(ctx, u)
		if err != nil {
			return response{}, c.fail(path, err)
		}
		if slices.Contains(redirects, r.status) {
			if u, err = c.follow(u, r.header.Get("Location")); err != nil {
				return response{}, c.refuse(path, r, err)
			}
			continue
		}
		if r.status != http.StatusOK {
			return response{}, c.refuse(path, r, statusError(r.status))
		}
		if r.body, err = r.text(); err != nil {
			return response{}, c.refuse(path, r, err)
		}
		return r, nil
	}
	return response{}, c.fail(path, fmt.Errorf("%w: more than %d times", ErrRedirect, maxRedirects))
}

// send waits for the gate, sends one request and reads the whole answer.
func (c *Client) send(ctx context.Context, u *url.URL) (response, error) {
	if c.gate != nil {
		if err := c.gate(ctx); err != nil {
			return response{}, fmt.Errorf("before the request: %w", err)
		}
	}
	timed, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	r, err := c.receive(timed, u)
	if err != nil && timed.Err() != nil && ctx.Err() == nil {
		err = fmt.Errorf("no complete answer within %s: %w", c.timeout, context.DeadlineExceeded)
	}
	return r, err
}

func (c *Client) receive(ctx context.Context, u *url.URL) (response, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return response{}, err
	}
	request.Header.Set("Accept", "application/json")
	request.Header.Set("User-Agent", c.userAgent)
	// An http.Client would follow redirects by itself and repeat the whole address in
	// its errors.
	received, err := c.transport.RoundTrip(request)
	if err != nil {
		return response{}, err
	}
	defer received.Body.Close()
	r := response{status: received.StatusCode, header: received.Header}
	if r.status != http.StatusOK {
		r.body, _ = io.ReadAll(io.LimitReader(received.Body, maxErrorBody))
		return r, nil
	}
	r.body, err = c.readBody(received.Body)
	if err != nil {
		return response{}, fmt.Errorf("reading the answer: %w", err)
	}
	if int64(len(r.body)) > c.maxBody {
		return response{}, fmt.Errorf("%w: more than %d bytes", ErrTooLarge, c.maxBody)
	}
	return r, nil
}

// largeBody is the size from which only one body is read at a time, to bound memory.
const largeBody = 4 << 20

// readBody reads a body up to one byte beyond its limit. A large one has a buffer of the limit's
// size, which is not copied as it grows; it is cloned if it fills less than half of it.
func (c *Client) readBody(from io.Reader) ([]byte, error) {
	most := c.maxBody + 1
	head, err := io.ReadAll(io.LimitReader(from, min(largeBody, most)))
	if err != nil || int64(len(head)) < largeBody || largeBody >= most {
		return head, err
	}
	c.large.Lock() // others wait within their time-out; large bodies are rare
	defer c.large.Unlock()
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

// follow returns the target of a redirect from u, if that has the same origin. An
// error names only the target's host: the rest may hold anything.
func (c *Client) follow(u *url.URL, location string) (*url.URL, error) {
	target, err := u.Parse(location)
	if err != nil || location == "" {
		return nil, fmt.Errorf("%w: its target cannot be read", ErrRedirect)
	}
	if origin(target) != c.transport.origin {
		return nil, fmt.Errorf("%w: to another origin, host %q", ErrRedirect, c.guard.printable(target.Host))
	}
	return target, nil
}

// segment escapes text as one segment of a path, byte for byte. It refuses "", "." and "..",
// which would change the path.
func segment(text string, refusal error) (string, error) {
	switch text {
	case "", ".", "..":
		return "", refusal
	}
	return url.PathEscape(text), nil
}

// hasStatus reports whether err is an Error with one of the statuses.
func hasStatus(err error, statuses ...int) bool {
	var e *Error
	return errors.As(err, &e) && slices.Contains(statuses, e.Status)
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
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return u.Scheme + "://" + strings.ToLower(u.Hostname()) + ":" + port
}
