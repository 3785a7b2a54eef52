package client

import (
	"bytes"
	"net/http"
	"net/url"
	"strings"
	"unicode"
)

// keyed adds the API key to the requests that go to the configured origin, and
// to no others. It alone holds the key.
type keyed struct {
	next   http.RoundTripper
	origin string
	key    string
}

func (k *keyed) RoundTrip(r *http.Request) (*http.Response, error) {
	if k.key != "" && origin(r.URL) == k.origin {
		r = r.Clone(r.Context())
		r.Header.Set("apikey", k.key)
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

// shortKey is the length below which the key's text may well be a word of the
// news: such a key is hidden in messages, but no record is refused for it.
const shortKey = 16

// echoed reports whether a record repeats the key.
func (k *keyed) echoed(record []byte) bool {
	return len(k.key) >= shortKey && bytes.Contains(record, []byte(k.key))
}

// hide replaces the key's exact text.
func (k *keyed) hide(text string) string {
	if k.key == "" {
		return text
	}
	return strings.ReplaceAll(text, k.key, "****")
}

const maxMessage = 200 // runes

// clean makes text of the service fit for a line of a log. The key is hidden
// after the characters between its letters are gone, and before the cut that
// could leave a part of it.
func (k *keyed) clean(text string) string {
	text = text[:min(len(text), errorBody)]
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case !unicode.IsGraphic(r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "\ufffd"))
	runes := []rune(k.hide(strings.Join(strings.Fields(text), " ")))
	return string(runes[:min(len(runes), maxMessage)])
}
