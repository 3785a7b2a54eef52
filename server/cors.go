package server

import (
	"net/http"
	"slices"
)

// shareWith lets the scripts of other origins read the answers. It stands
// before the key: a browser asks without it whether it may send it.
func shareWith(next http.Handler, origins []string) http.Handler {
	if len(origins) == 0 {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Add("Vary", "Origin")
		origin := r.Header.Get("Origin")
		if !slices.Contains(origins, origin) {
			next.ServeHTTP(w, r)
			return
		}
		h.Set("Access-Control-Allow-Origin", origin)
		if r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") != "" {
			h.Set("Access-Control-Allow-Methods", "GET, HEAD")
			h.Set("Access-Control-Allow-Headers", "apikey")
			h.Set("Access-Control-Max-Age", "600")
			w.WriteHeader(http.StatusNoContent)
			return
		}
		h.Set("Access-Control-Expose-Headers", "Retry-After, "+totalHeader+", X-RateLimit-Limit-second, X-RateLimit-Remaining-second, X-RateLimit-Limit-hour, X-RateLimit-Remaining-hour")
		next.ServeHTTP(w, r)
	})
}
