package get_test

import (
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"ayna/source/get"
)

func TestIsSameSite(t *testing.T) {
	for pair, want := range map[string]bool{
		"http://a.example http://a.example/x":                true,
		"http://a.example https://A.example":                 true,
		"http://a.example https://www.a.example":             true,
		"https://www.a.example/ https://a.example/":          true,
		"http://a.example:80 https://a.example:443":          true,
		"http://a.example:8080 http://www.a.example:8080":    true,
		"https://a.example http://a.example":                 false,
		"http://a.example http://a.example:8080":             false,
		"http://a.example:8080 https://a.example":            false,
		"http://127.0.0.1:8080 http://127.0.0.1:8081":        false,
		"http://127.0.0.1 http://www.127.0.0.1":              false,
		"https://a.example https://b.example":                false,
		"https://a.example https://m.a.example":              false,
		"https://a.example https://www.www.a.example":        false,
		"https://a.example https://wwwa.example":             false,
		"https://a.example https://a.example.evil.example":   false,
		"https://a.example https://a.example:pass@b.example": false,
		"https://a.example https://b:c@a.example":            false,
		"https://a.example file:///etc/passwd":               false,
	} {
		from, to, _ := strings.Cut(pair, " ")
		site, err1 := url.Parse(from)
		address, err2 := url.Parse(to)
		if err := errors.Join(err1, err2); err != nil {
			t.Fatal(err)
		}
		if get.IsSameSite(site, address) != want {
			t.Error(pair)
		}
	}
}

func TestIsPrivate(t *testing.T) {
	for hosts, want := range map[string]bool{
		"localhost LOCALHOST. a.localhost 127.0.0.1 127.0.0.1. ::1 10.1.2.3 192.168.0.1 169.254.169.254 fd00::1 ::ffff:127.0.0.1 0.0.0.0": true,
		"a.example localhost.example 1.1.1.1 2606:4700::1111":                                                                             false,
	} {
		for host := range strings.FieldsSeq(hosts) {
			if get.IsPrivate(host) != want {
				t.Error(host)
			}
		}
	}
}

// A redirectingSite answers at one address, and redirects from all others to it.
type redirectingSite struct {
	at   string
	seen []string // scheme, host and authorization of the requests
}

func (s *redirectingSite) RoundTrip(r *http.Request) (*http.Response, error) {
	s.seen = append(s.seen, r.URL.Scheme+"://"+r.URL.Host+" "+r.Header.Get("Authorization"))
	answer := &http.Response{StatusCode: http.StatusOK, Header: make(http.Header), Body: io.NopCloser(strings.NewReader("{}"))}
	if s.at != r.URL.Scheme+"://"+r.URL.Host {
		answer.StatusCode = http.StatusMovedPermanently
		answer.Header.Set("Location", s.at+r.URL.RequestURI())
	}
	return answer, nil
}

// Redirects are followed within the site, once for all requests, and with a key not at all.
func TestRedirectsWithinSite(t *testing.T) {
	for _, test := range []struct {
		base, at, key string
		requests      int // for three answers, 0 is an error
	}{
		{"https://a.example", "https://a.example", "", 3},
		{"http://a.example", "https://a.example", "", 4},
		{"http://a.example", "https://www.a.example", "", 4},
		{"https://www.a.example", "https://a.example", "", 4},
		{"https://a.example", "http://a.example", "", 0},
		{"https://a.example", "https://b.example", "", 0},
		{"http://127.0.0.1:81", "http://127.0.0.1:82", "", 0},
		{"https://a.example", "https://a.example", "ayse:gizli", 3},
		{"https://a.example", "https://www.a.example", "ayse:gizli", 0},
		{"http://127.0.0.1", "https://127.0.0.1", "ayse:gizli", 0},
	} {
		site := &redirectingSite{at: test.at}
		g, err := get.New(get.Config{BaseURL: test.base, APIKey: test.key, Basic: true, Transport: site, SameSite: true})
		if err != nil {
			t.Fatal(err)
		}
		for range 3 {
			if _, err = g.GetJSON(t.Context(), "/x", url.Values{"a": {"b c"}}, get.ObjectWith("a")); err != nil {
				break
			}
		}
		if test.requests == 0 && (!errors.Is(err, get.ErrRedirect) || len(site.seen) != 1) || test.requests > 0 && (err != nil || len(site.seen) != test.requests) {
			t.Errorf("%s to %s: %v, %q", test.base, test.at, err, site.seen)
		}
		for _, seen := range site.seen {
			if !strings.HasPrefix(seen, test.base+" ") && !strings.HasSuffix(seen, " ") {
				t.Errorf("the key went to %s", seen)
			}
		}
	}
}
