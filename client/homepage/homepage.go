// Package homepage reads the home page of a site, by which kinds of sources are told apart.
package homepage

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"ayna/client"
	"ayna/client/markup"
)

// ErrProtected is the cause of an error about a protection that answers programs with a web
// page of its own.
var ErrProtected = fmt.Errorf("a protection answers with a web page instead of the site; ask its owner to let this program's user agent pass: %w",
	client.ErrNotJSON)

// A Page is the home page of a site.
type Page struct {
	URL      *url.URL // after redirects
	Status   int
	Header   http.Header
	Language string // as in "tr-TR"; "" if the page names none
	Root     *html.Node
}

// Reader reads pages. All fields may be empty.
type Reader struct {
	Transport http.RoundTripper // nil is that of [client.NewTransport]
	Timeout   time.Duration     // of the page with its redirects; 0 is 30 seconds
	UserAgent string
	Gate      func(ctx context.Context) error // is called before each request, also after a redirect
}

const (
	maxPage     = 1 << 20 // bytes read of a page
	maxRedirect = 5
)

// Read reads a page and follows redirects. It sends no key. The error is a [client.Error].
func (r Reader) Read(ctx context.Context, address string) (Page, error) {
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(r.Timeout, 30*time.Second))
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return Page{}, failure(err)
	}
	request.Header.Set("User-Agent", cmp.Or(r.UserAgent, "ayna"))
	request.Header.Set("Accept", "text/html")
	transport := r.Transport
	if transport == nil {
		transport = client.NewTransport()
	}
	visitor := &http.Client{Transport: transport, CheckRedirect: func(_ *http.Request, via []*http.Request) error {
		if len(via) > maxRedirect {
			return fmt.Errorf("%w: more than %d times", client.ErrRedirect, maxRedirect)
		}
		return r.pass(ctx)
	}}
	if err := r.pass(ctx); err != nil {
		return Page{}, failure(err)
	}
	answer, err := visitor.Do(request)
	if err != nil {
		return Page{}, failure(err)
	}
	defer answer.Body.Close()
	root, err := html.Parse(io.LimitReader(answer.Body, maxPage))
	if err != nil {
		return Page{}, failure(fmt.Errorf("read the page: %w", err))
	}
	p := Page{URL: answer.Request.URL, Status: answer.StatusCode, Header: answer.Header, Root: root}
	for n := range root.Descendants() {
		if n.DataAtom == atom.Html {
			p.Language = markup.Attribute(n, "lang")
			break
		}
	}
	return p, nil
}

func (r Reader) pass(ctx context.Context) error {
	if r.Gate == nil {
		return nil
	}
	return r.Gate(ctx)
}

// operation is how errors name the request.
const operation = "GET the home page"

// failure returns the error of a page that did not arrive, without the page's address, which
// a redirect may have chosen.
func failure(err error) error {
	if u := (*url.Error)(nil); errors.As(err, &u) {
		err = u.Err
	}
	return &client.Error{Op: operation, Err: err}
}

// Refuse returns the error of a page that is not what it should be. That of a page with the
// status of a protection or of a server that is down takes precedence over err.
func (p Page) Refuse(err error) error {
	e := &client.Error{Op: operation, Status: p.Status, RetryAfter: client.RetryAfter(p.Header), WebPage: true, Err: err}
	switch p.Status {
	case http.StatusForbidden, http.StatusServiceUnavailable:
		e.Err = ErrProtected
	case http.StatusTooManyRequests:
		e.Err = client.ErrTooMany
	case http.StatusOK, http.StatusNotFound, http.StatusGone:
	default:
		e.Err = nil
	}
	return e
}

// Home returns the address of the site without a slash at its end.
func (p Page) Home() string {
	home := *p.URL
	home.RawQuery, home.Fragment, home.User = "", "", nil
	return strings.TrimSuffix(home.String(), "/")
}
