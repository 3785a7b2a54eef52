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
	errorBody    = 64 << 10 // bytes read of an answer that is refused anyway
)

// get sends one GET to path, which is escaped, begins with /v1 and may have a
// query of its own, and hands back the answer if it is a 200 that may hold JSON.
func (c *Client) get(ctx context.Context, path string, query url.Values) (answer, error) {
	u, err := url.Parse(c.base.String() + path)
	if err != nil {
		return answer{}, c.fail(path, err)
	}
	values := u.Query()
	maps.Copy(values, query)
	// A blank as %20 is understood by every server, + not by all.
	u.RawQuery = strings.ReplaceAll(values.Encode(), "+", "%20")
	for range maxRedirects + 1 {
		a, err := c.send(ctx, u)
		if err != nil {
			return answer{}, c.fail(path, err)
		}
		if a.redirects() {
			if u, err = c.follow(u, a.header.Get("Location")); err != nil {
				return answer{}, c.refuse(path, a, err)
			}
			continue
		}
		if a.status != http.StatusOK {
			return answer{}, c.refuse(path, a, statusError(a.status))
		}
		if a.body, err = a.text(); err != nil {
			return answer{}, c.refuse(path, a, err)
		}
		return a, nil
	}
	return answer{}, c.fail(path, fmt.Errorf("%w: more than %d times", ErrRedirect, maxRedirects))
}

// send makes one request, once the gate lets it, and reads the answer whole.
func (c *Client) send(ctx context.Context, u *url.URL) (answer, error) {
	if c.gate != nil {
		if err := c.gate(ctx); err != nil {
			return answer{}, fmt.Errorf("before the request: %w", err)
		}
	}
	timed, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	a, err := c.receive(timed, u)
	if err != nil && timed.Err() != nil && ctx.Err() == nil {
		err = fmt.Errorf("no complete answer within %s: %w", c.timeout, context.DeadlineExceeded)
	}
	return a, err
}

func (c *Client) receive(ctx context.Context, u *url.URL) (answer, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return answer{}, err
	}
	r.Header.Set("Accept", "application/json")
	r.Header.Set("User-Agent", c.userAgent)
	// Not through an http.Client: it would follow redirects by itself, and its
	// errors repeat the whole address.
	response, err := c.transport.RoundTrip(r)
	if err != nil {
		return answer{}, err
	}
	defer response.Body.Close()
	a := answer{status: response.StatusCode, header: response.Header}
	if a.status != http.StatusOK {
		a.body, _ = io.ReadAll(io.LimitReader(response.Body, errorBody))
		return a, nil
	}
	a.body, err = c.readBody(response.Body)
	if err != nil {
		return answer{}, fmt.Errorf("reading the answer: %w", err)
	}
	if int64(len(a.body)) > c.maxBody {
		return answer{}, fmt.Errorf("%w: more than %d bytes", ErrTooLarge, c.maxBody)
	}
	return a, nil
}

// largeBody is the size from which only one body is read at a time: a few of the
// largest at once would not fit into the memory that a mirror may take.
const largeBody = 4 << 20

// readBody reads a body up to one byte more than it may have.
func (c *Client) readBody(from io.Reader) ([]byte, error) {
	most := c.maxBody + 1
	head, err := io.ReadAll(io.LimitReader(from, min(largeBody, most)))
	if err != nil || int64(len(head)) < largeBody || largeBody >= most {
		return head, err
	}
	c.large.Lock()
	defer c.large.Unlock()
	body := make([]byte, most)
	n := copy(body, head)
	for n < len(body) {
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

// follow returns where a redirect from u leads, if that is the same origin.
// An error names the target's host only: the rest may hold anything.
func (c *Client) follow(u *url.URL, location string) (*url.URL, error) {
	target, err := u.Parse(location)
	if err != nil || location == "" {
		return nil, fmt.Errorf("%w: its target cannot be read", ErrRedirect)
	}
	if origin(target) != c.transport.origin {
		return nil, fmt.Errorf("%w: to another origin, host %q", ErrRedirect, c.transport.clean(target.Host))
	}
	return target, nil
}

// segment escapes text as one segment of a path, byte for byte. "." and ".."
// would survive that and change the path.
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
