package server

import (
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"strings"
)

// askForKey lets requests through that send the key, in the header apikey or
// in a parameter of that name, as the real service took it. How long a refusal
// takes tells nothing of the key.
func askForKey(next http.Handler, key string) http.Handler {
	if key == "" {
		return next
	}
	want := sha256.Sum256([]byte(key))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got := sha256.Sum256([]byte(keyOf(r)))
		if subtle.ConstantTimeCompare(got[:], want[:]) != 1 {
			fail(w, refuse(http.StatusUnauthorized, "the API key is missing or wrong; send it in the header apikey"))
			return
		}
		next.ServeHTTP(w, r)
	})
}

// keyOf returns the key that a request sends. The header counts if there are
// both.
func keyOf(r *http.Request) string {
	if key := r.Header.Get("apikey"); key != "" {
		return key
	}
	for name, values := range r.URL.Query() {
		if strings.EqualFold(name, "apikey") && values[0] != "" {
			return values[0]
		}
	}
	return ""
}
