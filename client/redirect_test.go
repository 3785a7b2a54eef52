package client_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"ayna/client"
)

func TestRedirects(t *testing.T) {
	var strayed atomic.Int32
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		strayed.Add(1)
		if r.Header.Get("apikey") != "" {
			t.Error("the key left the origin")
		}
		io.WriteString(w, "[]")
	}))
	defer other.Close()
	hops := func(n int) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("apikey") != canary {
				t.Errorf("%s came without the key", r.URL)
			}
			var hop int
			fmt.Sscanf(r.URL.Path, "/hop/%d", &hop)
			if hop < n {
				http.Redirect(w, r, fmt.Sprintf("/hop/%d?a=b", hop+1), []int{301, 302, 307, 308}[hop%4])
				return
			}
			io.WriteString(w, "[]")
		}
	}
	tests := []struct {
		name    string
		handler http.HandlerFunc
		ok      bool
		message string
	}{
		{"one", hops(1), true, ""},
		{"three", hops(3), true, ""},
		{"four", hops(4), false, "more than 3"},
		{"loop", hops(1000), false, "more than 3"},
		{"other port", answering(302, "", "Location: "+other.URL+"/v1/articles?token=s3cret"), false, other.Listener.Addr().String()},
		{"other host", answering(307, "", "Location: //evil.example/p4th"), false, "evil.example"},
		{"https", answering(302, "", "Location: https://127.0.0.1/"), false, "127.0.0.1"},
		{"file", answering(302, "", "Location: file:///etc/passwd"), false, ""},
		{"gopher", answering(302, "", "Location: gopher://evil.example"), false, "evil.example"},
		{"nowhere", answering(302, ""), false, "cannot be read"},
		{"unreadable", answering(302, "", "Location: http://[s3cret"), false, "cannot be read"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			err := list(connect(t, test.handler))
			if test.ok {
				if err != nil {
					t.Error(err)
				}
				return
			}
			if !errors.Is(err, client.ErrRedirect) || !strings.Contains(err.Error(), test.message) {
				t.Fatalf("got %v, want a refusal with %q", err, test.message)
			}
			for _, leak := range []string{"s3cret", "passwd", "p4th"} {
				if strings.Contains(err.Error(), leak) {
					t.Errorf("%v names more than the host", err)
				}
			}
		})
	}
	if n := strayed.Load(); n != 0 {
		t.Errorf("%d requests went to another origin", n)
	}
}
