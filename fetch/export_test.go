package fetch

import (
	"net/http"
	"net/url"
	"testing"
)

// PicturesForTest is what pictures come through, where only these ranges are not
// public. Until the test ends no other may use one.
func PicturesForTest(t *testing.T, ranges ...string) *http.Client {
	all := special
	special = prefixes(ranges...)
	t.Cleanup(func() { special = all })
	return &http.Client{Transport: publicTransport(&url.URL{Scheme: "http", Host: "haber.example"})}
}
