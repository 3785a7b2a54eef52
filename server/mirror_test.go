package server_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"ayna/archive"
	"ayna/archive/database"
	"ayna/record"
	"ayna/server"
	"ayna/testrun"
	"ayna/testrun/fakepaper"
)

// article is one record as a list and a single operation send it.
func article(title string) string {
	return `{"Id":"41000001","CreatedDate":"2026-03-01T08:00:00Z","Path":"/gundem/","Title":"` + title + `"}`
}

// write puts an article into the archive at path, and makes it if need be.
func write(t *testing.T, path, title string) {
	t.Helper()
	a := fakepaper.Open(t, path)
	defer a.Close()
	fakepaper.Update(t, a, func(tx *archive.Tx) error { return putArticle(tx, title) })
}

func putArticle(tx *archive.Tx, title string) error {
	now := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	return store(tx, fakepaper.Raw(record.Article, article(title), article(title)), now)
}

func follow(t *testing.T, path string) (*server.Mirror, http.Handler) {
	t.Helper()
	m, err := server.OpenMirror(t.Context(), path, server.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.Close)
	return m, server.Health(map[string]server.Component{"archive": m}, func(string, error) {})
}

// becomes waits until /healthz reports a status.
func becomes(t *testing.T, health http.Handler, want string) {
	t.Helper()
	var got struct{ Status string }
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if err := json.Unmarshal(get(health, "GET", "/healthz").Body.Bytes(), &got); err != nil {
			t.Fatal(err)
		}
		if got.Status == want {
			return
		}
	}
	t.Fatalf("/healthz says %s, want %s", got.Status, want)
}

func serves(t *testing.T, h http.Handler, title string) {
	t.Helper()
	for _, target := range []string{"/v1/articles/41000001", "/v1/articles"} {
		if w := get(h, "GET", target); w.Code != 200 || !strings.Contains(w.Body.String(), article(title)) {
			t.Errorf("%s: %d %s, want %s", target, w.Code, w.Body, title)
		}
	}
}

// replace puts another file in the place of an archive, as a restored copy does.
func replace(t *testing.T, path string, with func(name string)) {
	t.Helper()
	with(path + ".new")
	for _, beside := range []string{"-wal", "-shm"} {
		if err := os.Remove(path + beside); err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
	}
	if err := os.Rename(path+".new", path); err != nil {
		t.Fatal(err)
	}
}

func TestSwapped(t *testing.T) {
	testrun.NotShort(t)
	for name, content := range map[string]string{"no archive": strings.Repeat("bozuk ", 10_000), "empty": "", "half": "SQLite format 3\x00 and no more"} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				path := filepath.Join(t.TempDir(), "archive.db")
				write(t, path, "birinci")
				m, health := follow(t, path)
				becomes(t, health, "ok")
				replace(t, path, func(name string) {
					if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
						t.Fatal(err)
					}
				})
				becomes(t, health, "degraded")
				var clients sync.WaitGroup
				for range 16 {
					clients.Go(func() {
						for range 20 {
							serves(t, m, "birinci")
						}
					})
				}
				clients.Wait()
				replace(t, path, func(name string) { write(t, name, "ikinci") })
				becomes(t, health, "ok")
				serves(t, m, "ikinci")
				if err := os.Remove(path); err != nil {
					t.Fatal(err)
				}
				becomes(t, health, "degraded")
				serves(t, m, "ikinci")
			})
		})
	}
}

// A replaced archive is found by requests alone, without /healthz.
func TestSwappedUnasked(t *testing.T) {
	testrun.NotShort(t)
	synctest.Test(t, func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "archive.db")
		write(t, path, "birinci")
		m, _ := follow(t, path)
		replace(t, path, func(name string) { write(t, name, "ikinci") })
		for end := time.Now().Add(30 * time.Second); !strings.Contains(get(m, "GET", "/v1/articles").Body.String(), "ikinci"); time.Sleep(50 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatal("it goes on with the old archive")
			}
		}
	})
}

// The file is overwritten in place, and then a copy is restored into it.
func TestDamagedInPlace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		path, copied := filepath.Join(dir, "archive.db"), filepath.Join(dir, "copy.db")
		write(t, path, "birinci")
		write(t, copied, "ikinci")
		whole, err := os.ReadFile(copied)
		if err != nil {
			t.Fatal(err)
		}
		m, health := follow(t, path)
		serves(t, m, "birinci")
		if err := os.WriteFile(path, make([]byte, len(whole)), 0o644); err != nil {
			t.Fatal(err)
		}
		becomes(t, health, "degraded")
		if w := get(m, "GET", "/v1/articles"); w.Code != 200 && w.Code != 500 {
			t.Errorf("%d %s", w.Code, w.Body)
		}
		if err := os.WriteFile(path, whole, 0o644); err != nil {
			t.Fatal(err)
		}
		becomes(t, health, "ok")
		serves(t, m, "ikinci")
	})
}

// While a build writes, readers see what was committed.
func TestWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "archive.db")
	write(t, path, "eski")
	m, health := follow(t, path)
	build := fakepaper.Open(t, path)
	defer build.Close()
	inside, leave := make(chan struct{}), make(chan struct{})
	var writing sync.WaitGroup
	writing.Go(func() {
		err := build.Update(context.Background(), func(tx *archive.Tx) error {
			err := putArticle(tx, "yeni")
			close(inside)
			<-leave
			return err
		})
		if err != nil {
			t.Error(err)
		}
	})
	<-inside
	serves(t, m, "eski")
	becomes(t, health, "ok")
	close(leave)
	writing.Wait()
	serves(t, m, "yeni")
}

// An archive that the first build makes is found without a restart.
func TestFollowBeforeTheFirstBuild(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "archive.db")
		m, health := follow(t, path)
		if w := get(m, "GET", "/v1/articles"); w.Code != 503 || w.Header().Get("Retry-After") != "10" || !strings.Contains(w.Body.String(), `"Message":"there is no archive yet`) {
			t.Errorf("%d %s", w.Code, w.Body)
		}
		becomes(t, health, "degraded")
		if err := m.Read(nil); !errors.Is(err, database.ErrMissing) || !errors.Is(m.Err(), database.ErrMissing) {
			t.Errorf("%v, %v", err, m.Err())
		}
		write(t, path, "birinci")
		time.Sleep(2 * time.Second)
		serves(t, m, "birinci")
		becomes(t, health, "ok")
	})
}
