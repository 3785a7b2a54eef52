package homepage_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"ayna/source/homepage"
)

func TestFeedHome(t *testing.T) {
	body := ""
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte(body)) }))
	defer server.Close()
	for name, test := range map[string]struct{ body, want string }{
		"RSS":           {`<?xml version="1.0"?><rss><channel><title>K</title><link> HOST/blog/ </link><item><link>HOST/1</link></item></channel></rss>`, "HOST/blog"},
		"RDF":           {`<rdf:RDF xmlns:rdf="r"><channel><link>HOST/blog</link></channel></rdf:RDF>`, "HOST/blog"},
		"Atom":          {`<feed xmlns="a"><link rel="self" href="HOST/a.xml"/><link href="/blog/"/><entry><link href="/1"/></entry></feed>`, "HOST/blog"},
		"entries alone": {`<feed xmlns="a"><entry><link href="/1"/></entry></feed>`, "HOST"},
		"JSON Feed":     {`{"version": "https://jsonfeed.org/version/1.1", "items": []}`, "HOST"},
		"another host":  {`<rss><channel><link>https://evil.example/</link></channel></rss>`, "HOST"},
		"a password":    {strings.Replace(`<rss><channel><link>HOST/</link></channel></rss>`, "HOST", "http://a:b@"+strings.TrimPrefix(server.URL, "http://"), 1), "HOST"},
		"a page":        {`<!DOCTYPE html><link rel="alternate" type="application/rss+xml" href="/feed.xml"><p>{"version": 1}`, ""},
		"JSON":          {`{"a": 1}`, ""},
		"nothing":       {"", ""},
	} {
		body = strings.ReplaceAll(test.body, "HOST", server.URL)
		page, err := homepage.Reader{}.Read(t.Context(), server.URL+"/feed.xml?a=b")
		if got := page.FeedHome(); err != nil || got != strings.ReplaceAll(test.want, "HOST", server.URL) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}
