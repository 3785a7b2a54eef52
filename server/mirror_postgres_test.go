package server_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ayna/archive/database"
	"ayna/testrun/postgrestest"
)

// An archive in PostgreSQL has no file that could be replaced.
func TestFollowPostgres(t *testing.T) {
	name := postgrestest.Address(t)
	if m, _ := follow(t, name); !errors.Is(m.Err(), database.ErrMissing) {
		t.Fatalf("an archive that is not made yet is served: %v", m.Err())
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
	if err := m.Err(); err != nil {
		t.Errorf("in trouble: %v", err)
	}
	becomes(t, health, "ok")
}

// Later searches work after a client has left, and after the connections to the
// archive were lost.
func TestSearches(t *testing.T) {
	inFile := func(t *testing.T) string { return filepath.Join(t.TempDir(), "archive.db") }
	inPostgres := func(t *testing.T) string { return named(t, postgrestest.Address(t)) }
	clientsLeave := func(t *testing.T, _ string, h http.Handler) {
		for i := range 200 {
			ctx, leave := context.WithTimeout(t.Context(), time.Duration(i)*10*time.Microsecond)
			h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(ctx, "GET", "/v1/search/ilk", nil))
			leave()
		}
	}
	connectionsAreLost := func(t *testing.T, address string, _ http.Handler) {
		time.Sleep(1100 * time.Millisecond) // those that were used just before are not tried
		postgrestest.Exec(t, address, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = current_schema() AND pid <> pg_backend_pid()`)
	}
	for _, test := range []struct {
		name    string
		address func(*testing.T) string
		disturb func(t *testing.T, address string, h http.Handler)
	}{
		{"clients of a file leave", inFile, clientsLeave},
		{"clients of a server leave", inPostgres, clientsLeave},
		{"connections to a server are lost", inPostgres, connectionsAreLost},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			address := test.address(t)
			write(t, address, "İlk")
			m, _ := follow(t, address)
			search := func(keyword string) {
				t.Helper()
				if w := get(m, "GET", "/v1/search/"+keyword); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), `"Count":1`) {
					t.Errorf("search for %s: %d %s", keyword, w.Code, w.Body)
				}
			}
			search("ilk")
			test.disturb(t, address, m)
			search("ilk")
			write(t, address, "İkinci")
			search("ikinci")
		})
	}
}

// named sets application_name of an archive's connections to the name of its schema.
func named(t *testing.T, address string) string {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	query := u.Query()
	query.Set("application_name", query.Get("search_path"))
	u.RawQuery = query.Encode()
	return u.String()
}
