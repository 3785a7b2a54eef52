package server_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"ayna/archive/postgrestest"
	"ayna/server"
)

// An archive in PostgreSQL has no file that another one could take the place of.
func TestFollowPostgres(t *testing.T) {
	name := postgrestest.Address(t)
	if _, err := server.Follow(t.Context(), name, server.Options{}); err == nil {
		t.Fatal("an archive that is not made yet is served")
	}
	write(t, name, "İlk")
	m, health := follow(t, name)
	for _, title := range []string{"İlk", "İkinci"} {
		write(t, name, title)
		w := httptest.NewRecorder()
		m.ServeHTTP(w, httptest.NewRequest("GET", "/v1/articles/41000001", nil))
		if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), title) {
			t.Errorf("%d %s, want %s", w.Code, w.Body, title)
		}
	}
	if err := m.Trouble(); err != nil {
		t.Errorf("in trouble: %v", err)
	}
	becomes(t, health, "ok")
}
