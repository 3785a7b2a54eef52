// Package homepage reads the home page of a site, and returns it as a [Page], by which the
// kind of a source is found.
package homepage

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"ayna/source/get"
	"ayna/source/markup"
)

// ErrProtected is the cause of an error about a protection that answers programs with a web
// page of its own.
var ErrProtected = fmt.Errorf("a protection answers with a web page instead of the site; ask its owner to let this program's user agent pass: %w",
	get.ErrNotJSON)

// A Page is the home page of a site.
type Page struct {
	URL      *url.URL // after redirects
	Status   int
	Header   http.Header
	Language string // as in "tr-TR"; "" if the page names none
	Tags     []Tag  // of the elements html, meta, link, script and form
	body     []byte
}

// A Tag is a start tag.
type Tag struct {
	Atom       atom.Atom
	attributes []html.Attribute
}

// Attribute returns the value of an attribute, "" if the tag has none of that name.
func (t Tag) Attribute(name string) string {
	return markup.Attribute(&html.Node{Attr: t.attributes}, name)
}

// Reader reads pages. All fields may be empty.
type Reader struct {
	Transport http.RoundTripper // nil is that of [get.NewTransport]
	Timeout   time.Duration     // of the page with its redirects; 0 is 30 seconds
	UserAgent string
	Gate      func(ctx context.Context) error // is called before each request, also after a redirect
	SameSite  bool                            // follow only redirects within the site, see [get.IsSameSite]
}

const (
	maxPage     = 1 << 20 // bytes read of a page
	maxRedirect = 5
)

// Read reads a page and follows redirects. It sends no key. The error is a [get.Error].
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
		transport = get.NewTransport()
	}
	visitor := &http.Client{Transport: transport, CheckRedirect: func(to *http.Request, via []*http.Request) error {
		if len(via) > maxRedirect {
			return fmt.Errorf("%w: more than %d times", get.ErrRedirect, maxRedirect)
		}
		if r.SameSite && !get.IsSameSite(via[0].URL, to.URL) {
			return fmt.Errorf("%w: to another origin, host %q", get.ErrRedirect, to.URL.Host)
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
	var body bytes.Buffer
	tags, err := readTags(io.TeeReader(io.LimitReader(answer.Body, maxPage), &body))
	if err != nil {
		return Page{}, failure(fmt.Errorf("read the page: %w", err))
	}
	p := Page{URL: answer.Request.URL, Status: answer.StatusCode, Header: answer.Header, Tags: tags, body: body.Bytes()}
	if i := slices.IndexFunc(tags, func(t Tag) bool { return t.Atom == atom.Html }); i >= 0 {
		p.Language = tags[i].Attribute("lang")
	}
	return p, nil
}

// readTags reads the tags of a page without its tree, which [html.Parse] refuses to make of
// deeply nested elements.
func readTags(page io.Reader) (tags []Tag, err error) {
	z, foreign := html.NewTokenizer(page), 0 // elements svg and math that are open
	for {
		switch kind := z.Next(); kind {
		case html.ErrorToken:
			if err := z.Err(); err != io.EOF {
				return nil, err
			}
			return tags, nil
		case html.StartTagToken, html.SelfClosingTagToken, html.EndTagToken:
			t := z.Token()
			isOpening := kind != html.EndTagToken
			switch t.DataAtom {
			case atom.Svg, atom.Math:
				if kind == html.StartTagToken {
					foreign++
				} else if !isOpening {
					foreign = max(0, foreign-1)
				}
			case atom.Html, atom.Meta, atom.Link, atom.Script, atom.Form:
				if isOpening {
					tags = append(tags, Tag{t.DataAtom, t.Attr})
				}
			}
			if isOpening && foreign > 0 {
				z.NextIsNotRawText() // style and title of SVG may be empty and closed by their own tag
			}
		}
	}
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
	return &get.Error{Op: operation, Err: err}
}

// Refuse returns the error of a page that is not what it should be. That of a page with the
// status of a protection or of a server that is down takes precedence over err.
func (p Page) Refuse(err error) error {
	e := &get.Error{Op: operation, Status: p.Status, RetryAfter: get.RetryAfter(p.Header), WebPage: true, Err: err}
	switch p.Status {
	case http.StatusForbidden, http.StatusServiceUnavailable:
		e.Err = ErrProtected
	case http.StatusUnauthorized:
		e.Err = get.ErrGateway
	case http.StatusTooManyRequests:
		e.Err = get.ErrTooMany
	case http.StatusOK, http.StatusNotFound, http.StatusGone:
	default:
		e.Err = nil
	}
	return e
}

// Contains reports whether the text of the page has a part.
func (p Page) Contains(part string) bool { return bytes.Contains(p.body, []byte(part)) }

// Home returns the address of the site without a slash at its end.
func (p Page) Home() string {
	home := *p.URL
	home.RawQuery, home.Fragment, home.User = "", "", nil
	return strings.TrimSuffix(home.String(), "/")
}
