package cli

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"ayna/generator"
	"ayna/source/get"
	"ayna/source/homepage"
)

func TestAddressesOf(t *testing.T) {
	for typed, want := range map[string]string{
		"kiyi.example":                    "https://kiyi.example http://kiyi.example",
		" kiyi.example\t":                 "https://kiyi.example http://kiyi.example",
		"127.0.0.1:8801":                  "https://127.0.0.1:8801 http://127.0.0.1:8801",
		"[::1]:8801/blog/":                "https://[::1]:8801/blog http://[::1]:8801/blog",
		"localhost:8801":                  "https://localhost:8801 http://localhost:8801",
		"http://kiyi.example/v1/":         "http://kiyi.example https://kiyi.example",
		"HTTPS://KIYI.example/Blog/":      "https://kiyi.example/Blog",
		"sample":                          "sample",
		"https://kıyı.example":            "https://kıyı.example",
		"httpbin.example":                 "https://httpbin.example http://httpbin.example",
		"htp://kiyi.example/":             "htp:// is no scheme of the web; write https://kiyi.example/",
		"ftp://kiyi.example":              "ftp:// is no scheme of the web; write https://kiyi.example",
		"https//kiyi.example":             "https//kiyi.example is not the address of a site; write it as https://kiyi.example",
		"http:kiyi.example":               "http:kiyi.example is not the address of a site; write it as https://kiyi.example",
		"https:/kiyi.example":             "https:/kiyi.example is not the address of a site; write it as https://kiyi.example",
		"":                                "this is not the address of a site; write it as https://kiyi.example",
		"https://":                        "this is not the address of a site; write it as https://kiyi.example",
		"kıyı postası":                    "this is not the address of a site; write it as https://kiyi.example",
		"https://kiyi.example:port":       "this is not the address of a site; write it as https://kiyi.example",
		"https://ayse:gizli@kiyi.example": "the address has a user name or a password; leave them out, a key is asked for later",
		"https://kiyi.example/?p=5":       "the address has a part after ? or #; leave that out",
	} {
		addresses, err := addressesOf(typed)
		got := strings.Join(addresses, " ")
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%q: %s, want %s", typed, got, want)
		}
	}
}

// A failure says in a line what came and in another one what to do, and only where nobody has
// answered another address is tried.
func TestFailures(t *testing.T) {
	request := func(err error) error { return &get.Error{Op: "GET the home page", Err: err} }
	answer := func(status int, err error) error {
		return &get.Error{Op: "GET /v1/articles", Status: status, Err: err}
	}
	dial := func(err error) error { return request(&net.OpError{Op: "dial", Err: err}) }
	for _, test := range []struct {
		err    error
		says   string
		closed bool
	}{
		{dial(&net.DNSError{Name: "kiyi.exmaple", IsNotFound: true}), "kiyi.exmaple: no such host; is it spelt right?", false},
		{dial(&net.DNSError{Name: "kiyi.example", IsTimeout: true}), "kiyi.example: no name server answers; is this machine connected", false},
		{dial(errors.New("connection refused")), "https://kiyi.example: connection refused; is the address right", true},
		{dial(context.DeadlineExceeded), "https://kiyi.example: context deadline exceeded; is the address right", true},
		{request(context.DeadlineExceeded), "https://kiyi.example does not answer whole within 30 seconds; try again later", false},
		{request(&tls.CertificateVerificationError{Err: errors.New("it has expired")}), "https://kiyi.example has no valid certificate: it has expired; is the name right", false},
		{request(tls.RecordHeaderError{}), "https://kiyi.example answers without encryption; give http://kiyi.example", true},
		{request(fmt.Errorf("proxyconnect: %w", errors.New("no proxy"))), "https://kiyi.example: no proxy; is the address right", true},
		{request(fmt.Errorf("%w: more than 5 times", get.ErrRedirect)), "https://kiyi.example redirects without end; give the address that a browser shows", false},
		{fmt.Errorf("the site names its REST API at another host; give that site's address: %w", get.ErrRedirect), "the site names its REST API at another host; give that site's address", false},
		{answer(403, homepage.ErrProtected), "https://kiyi.example answers with a page of a protection (status 403); ask its owner", false},
		{answer(401, get.ErrGateway), "https://kiyi.example asks for a password (status 401); ask its owner", false},
		{answer(502, nil), "https://kiyi.example answers with the status 502 Bad Gateway; try again later", false},
		{answer(400, nil), "https://kiyi.example answers with the status 400 Bad Request; is the address right?", true},
		{answer(200, get.ErrNotJSON), "https://kiyi.example answers, but is neither WordPress nor Ghost nor a Read API; give the address", false},
		{&generator.FeedError{Home: "https://kiyi.example"}, "https://kiyi.example is a feed, which shows the newest articles only; give the address of its home page: https://kiyi.example", false},
	} {
		const address = "https://kiyi.example"
		f := failureOf(address, leadsTo(address, ""), test.err)
		if !strings.HasPrefix(f.Error(), test.says) || f.isClosed != test.closed {
			t.Errorf("%v: %s, %v; want %s", test.err, f, f.isClosed, test.says)
		}
	}
}

// The zone of a source that names none is the machine's, unless its dates have other offsets.
func TestZoneOf(t *testing.T) {
	at := func(hours float64) time.Time {
		return time.Date(2026, 7, 1, 12, 0, 0, 0, time.FixedZone("", int(hours*3600)))
	}
	for _, test := range []struct {
		machine, want string
		dates         []time.Time
	}{
		{"Europe/Istanbul", "Europe/Istanbul", nil},
		{"Europe/Istanbul", "Europe/Istanbul", []time.Time{at(3), at(3)}},
		{"Asia/Tokyo", "Etc/GMT-3", []time.Time{at(3)}},
		{"", "Etc/GMT+5", []time.Time{at(-5), at(-4)}},
		{"", "UTC", []time.Time{at(5.5)}},
		{"", "UTC", []time.Time{at(20)}},
		{"", "UTC", nil},
	} {
		if got, why := zoneOf(test.dates, test.machine); got != test.want || why == "" {
			t.Errorf("%v: %s, %s", test, got, why)
		}
	}
	for set, want := range map[string]string{"": "UTC", "Asia/Tokyo": "Asia/Tokyo", ":Europe/Berlin": "Europe/Berlin", "Local": "", "Mars": "", "EST5EDT,M3.2.0,M11.1.0": ""} {
		t.Setenv("TZ", set)
		if got := machineZone(); got != want {
			t.Errorf("TZ=%s: %q, want %q", set, got, want)
		}
	}
}
