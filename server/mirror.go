package server

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"sync"
	"time"

	"ayna/archive"
	"ayna/archive/database"
	"ayna/archive/query"
	"ayna/record"
)

// Mirror answers the Read API from an archive file. If another file takes its place,
// Mirror switches to that as soon as it is a readable archive. Until then, and if the
// file is gone, Mirror answers from the archive that is open, and with 503 before there is one.
type Mirror struct {
	path    string
	options Options
	guard   *guard

	checking sync.Mutex // held during check
	mu       sync.Mutex // guards what follows
	current  *source    // nil before there is an archive
	checked  time.Time
	err      error
}

// source is an open archive and the handler that answers from it.
type source struct {
	archive *archive.Archive
	api     *api
	file    os.FileInfo    // nil if a database holds the archive
	users   sync.WaitGroup // requests that read it
}

// close closes the archive after the last of its requests.
func (s *source) close() {
	s.users.Wait()
	s.archive.Close() // it was only read, so an error loses nothing
}

// openSource opens an archive and reads one record as a trial.
func openSource(ctx context.Context, path string, options Options) (*source, error) {
	// Another file that takes its place from here on is found by the next check.
	file, err := statArchive(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("open archive: %w", err)
	}
	a, err := archive.OpenReadOnly(ctx, path)
	if err != nil {
		return nil, err
	}
	reader := a.Reader()
	rows, err := reader.Rows(ctx, query.Query{Kind: record.Article, Limit: 1})
	if err == nil {
		_, err = reader.Lists(ctx, rows, 1)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open archive %s: %w", a.Name(), database.Classify(err)), a.Close())
	}
	return &source{archive: a, api: newAPI(a, options), file: file}, nil
}

// statArchive returns the file of an archive, nil if a database holds it.
func statArchive(path string) (os.FileInfo, error) {
	file, _, err := database.Locate(path)
	if err != nil || file == "" {
		return nil, err
	}
	return os.Stat(file)
}

func sameFile(a, b os.FileInfo) bool {
	return a == nil && b == nil || a != nil && b != nil && os.SameFile(a, b)
}

// checkInterval is how often the file is checked while requests come.
const checkInterval = 2 * time.Second

// OpenMirror opens an archive file, which may not exist yet, and returns a handler for the
// paths below /v1/. The caller closes it after its last request.
func OpenMirror(ctx context.Context, path string, options Options) (*Mirror, error) {
	first, err := openSource(ctx, path, options)
	if err != nil && !errors.Is(err, database.ErrMissing) {
		return nil, err
	}
	m := &Mirror{path: path, options: options, current: first, checked: time.Now(), err: err}
	m.guard = newGuard(http.HandlerFunc(m.answer), options)
	return m, nil
}

// ServeHTTP implements [http.Handler].
func (m *Mirror) ServeHTTP(w http.ResponseWriter, r *http.Request) { m.guard.ServeHTTP(w, r) }

func (m *Mirror) answer(w http.ResponseWriter, r *http.Request) {
	now := m.newest()
	if now == nil {
		fail(w, errNoArchive)
		return
	}
	defer now.users.Done()
	now.api.ServeHTTP(w, r)
}

// Read calls read with the archive that is open. Without one the error is
// [database.ErrMissing].
func (m *Mirror) Read(read func(*archive.Archive) error) error {
	now := m.newest()
	if now == nil {
		return database.ErrMissing
	}
	defer now.users.Done()
	return read(now.archive)
}

// newest returns the current source, nil before there is an archive, and checks the file
// if it is time to. The caller calls users.Done.
func (m *Mirror) newest() *source {
	now, due := m.use()
	switch {
	case now == nil && due:
		m.check()
		now, _ = m.use()
	case now == nil:
	case now.archive.Outdated():
		now.users.Done()
		m.check()
		now, _ = m.use()
	case due:
		go m.check()
	}
	return now
}

// use returns the current source, and whether it is time to check the file. The
// caller calls users.Done.
func (m *Mirror) use() (now *source, due bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.current != nil {
		m.current.users.Add(1)
	}
	return m.current, time.Since(m.checked) >= checkInterval
}

// Err returns what is wrong with the archive file, or nil.
func (m *Mirror) Err() error {
	now, due := m.use()
	if now != nil {
		now.users.Done()
	}
	if due {
		m.check()
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.err
}

// Close closes the archive.
func (m *Mirror) Close() {
	m.checking.Lock() // no check replaces it any more
	if m.current != nil {
		m.current.close()
	}
}

// check opens the file again. The new source replaces the current one if the
// file is another one, if the open archive is outdated, or if the last check
// failed. Only one check runs at a time.
func (m *Mirror) check() {
	if !m.checking.TryLock() {
		return
	}
	defer m.checking.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), 15*time.Second)
	defer cancel()
	next, err := openSource(ctx, m.path, m.options)
	m.mu.Lock()
	defer m.mu.Unlock()
	failed := m.err != nil
	m.err, m.checked = err, time.Now()
	if err != nil {
		return
	}
	before := m.current
	if before != nil && sameFile(before.file, next.file) && !before.archive.Outdated() && !failed {
		go next.close()
		return
	}
	if m.current = next; before != nil {
		go before.close()
	}
}
