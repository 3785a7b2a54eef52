package fetch

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"ayna/source/get"
)

// ErrPrivate is the error of a request that the source's answers led to an address of this
// machine or of a private network.
var ErrPrivate = fmt.Errorf("%w: to an address that is not public", get.ErrRedirect)

// A siteTransport sends requests for the source's own site wherever its name leads, and all
// others to public addresses only. Behind a proxy it refuses private addresses by their names: the
// proxy connects.
type siteTransport struct {
	site        *url.URL
	own, public http.RoundTripper
}

// NewTransport returns what sends the requests for the site at an address.
func NewTransport(site *url.URL) http.RoundTripper {
	return &siteTransport{site, get.NewTransport(), publicTransport(new(url.URL))}
}

// RoundTrip implements [http.RoundTripper].
func (t *siteTransport) RoundTrip(request *http.Request) (*http.Response, error) {
	if get.IsSameSite(t.site, request.URL) {
		return t.own.RoundTrip(request)
	}
	if proxy, err := http.ProxyFromEnvironment(request); err == nil && proxy != nil && !get.IsPrivate(request.URL.Hostname()) {
		return t.own.RoundTrip(request)
	}
	response, err := t.public.RoundTrip(request)
	if errors.Is(err, errNotPublic) {
		return nil, fmt.Errorf("%w, host %q", ErrPrivate, request.URL.Host)
	}
	return response, err
}
