package server

import (
	"context"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"sync"
	"testing"
	"testing/synctest"

	"ayna/archive"
	"ayna/testrun/fakepaper"
)

// While lists fill all their slots, a single record is answered at once, further
// lists wait, and above the limit they get status 503.
func TestSinglesPassWaitingLists(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := fakepaper.Archive(t)
		s := newAPI(a, Options{})
		get := func(target string) *httptest.ResponseRecorder {
			w := httptest.NewRecorder()
			s.ServeHTTP(w, httptest.NewRequest(http.MethodGet, target, nil))
			return w
		}
		var leave []func()
		for range maxWorking {
			done, err := s.gate.enter(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			leave = append(leave, done)
		}
		lists := make(chan int)
		for _, target := range []string{"/v1/articles", "/v1/articles?$skip=1&$count=true", "/v1/search/kar"} {
			go func() { lists <- get(target).Code }()
		}
		synctest.Wait()
		if n := len(s.gate.waiting); n != maxWorking+3 {
			t.Errorf("%d of 3 lists wait", n-maxWorking)
		}
		for _, target := range []string{"/v1/articles/1", "/v1/articles?Id=1", "/v1/date", "/v1/articles?$top=x"} {
			if w := get(target); w.Code >= 500 {
				t.Errorf("%s: %d %s", target, w.Code, w.Body)
			}
		}
		for _, done := range leave {
			done()
		}
		for range 3 {
			if status := <-lists; status != http.StatusOK {
				t.Errorf("a list that waited: %d", status)
			}
		}
		for range maxWaiting {
			s.gate.waiting <- struct{}{}
		}
		if w := get("/v1/articles"); w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") != "1" {
			t.Errorf("one too many: %d %v", w.Code, w.Header())
		}
		if w := get("/v1/date"); w.Code != http.StatusOK {
			t.Errorf("the date: %d", w.Code)
		}
	})
}

// What was read while the archive changed is read again in one transaction, and no
// client may hold that for a known state.
func TestReadsAgainAfterAChange(t *testing.T) {
	for _, changes := range []int{0, 1, 9} {
		a := fakepaper.Open(t, filepath.Join(t.TempDir(), "archive.db"))
		s, reads := newAPI(a, Options{}), 0
		d, err := s.consistent(httptest.NewRequest(http.MethodGet, "/", nil), func(_ context.Context, v view) (document, error) {
			if reads++; reads <= changes {
				if err := a.Update(t.Context(), func(tx *archive.Tx) error { return tx.Hits.Put("1", []byte{byte('0' + reads)}) }); err != nil {
					t.Error(err)
				}
			}
			if v.snapshot != (reads == 2) {
				t.Errorf("%d changes, read %d: snapshot: %t", changes, reads, v.snapshot)
			}
			return document{}, nil
		})
		version, failed := a.Changes(t.Context())
		wantTag, wantReads := s.tag(version), 1
		if changes > 0 {
			wantTag, wantReads = "", 2
		}
		if err != nil || failed != nil || reads != wantReads || d.tag != wantTag {
			t.Errorf("%d changes: %d reads, tag %q, want %q, %v, %v", changes, reads, d.tag, wantTag, err, failed)
		}
	}
}

// Equal requests for rows that are not cached read them once, also if the client of
// the first one leaves.
func TestRowsAreReadOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newAPI(fakepaper.Archive(t), Options{})
		version, err := s.archive.Changes(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		reads, proceed := 0, make(chan struct{})
		ctx, leave := context.WithCancel(t.Context())
		find := func() (rows, error) {
			return s.rows(ctx, view{version: version}, "key", func(ctx context.Context) (rows, error) {
				reads++
				<-proceed
				return rows{7}, ctx.Err()
			})
		}
		var equal sync.WaitGroup
		for range 4 {
			equal.Go(func() {
				if found, err := find(); err != nil || len(found) != 1 {
					t.Errorf("%v, %v", found, err)
				}
			})
		}
		synctest.Wait()
		leave()
		close(proceed)
		equal.Wait()
		if _, err := find(); err != nil || reads != 1 {
			t.Errorf("%d readings, %v", reads, err)
		}
	})
}

// Rows that were read while the archive changed are of no known state.
func TestRowsOfNoStateAreNotCached(t *testing.T) {
	a := fakepaper.Open(t, filepath.Join(t.TempDir(), "archive.db"))
	s, reads := newAPI(a, Options{}), 0
	version, err := a.Changes(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		_, err := s.rows(t.Context(), view{version: version}, "key", func(context.Context) (rows, error) {
			reads++
			return rows{7}, a.Update(t.Context(), func(tx *archive.Tx) error { return tx.Hits.Put("1", []byte{byte('0' + reads)}) })
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if reads != 2 {
		t.Errorf("%d readings: the first one's rows were cached", reads)
	}
}
