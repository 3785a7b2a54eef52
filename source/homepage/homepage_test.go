package homepage_test

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"ayna/source/get"
	"ayna/source/homepage"
)

// A movedSite redirects to one address, and answers there.
type movedSite string

func (s movedSite) RoundTrip(r *http.Request) (*http.Response, error) {
	answer := &http.Response{StatusCode: http.StatusOK, Header: make(http.Header), Body: io.NopCloser(strings.NewReader("<html>")), Request: r}
	if string(s) != r.URL.String() {
		answer.StatusCode = http.StatusMovedPermanently
		answer.Header.Set("Location", string(s))
	}
	return answer, nil
}

// Redirects are followed everywhere, or within the site.
func TestRedirects(t *testing.T) {
	for to, isSame := range map[string]bool{
		"https://kiyi.example/": true, "https://www.kiyi.example/x": true, "http://kiyi.example/y": true,
		"https://baska.example/": false, "http://kiyi.example:81/": false, "http://127.0.0.1/admin/x": false,
	} {
		for _, sameSite := range []bool{false, true} {
			page, err := homepage.Reader{Transport: movedSite(to), SameSite: sameSite}.Read(t.Context(), "http://kiyi.example/")
			if isFollowed := isSame || !sameSite; isFollowed && (err != nil || page.URL.String() != to) || !isFollowed && !errors.Is(err, get.ErrRedirect) {
				t.Errorf("%s, within the site %t: %v, %v", to, sameSite, page.URL, err)
			}
		}
	}
}
