package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"sync"
	"time"

	"ayna/archive"
)

// Mirror answers the Read API from an archive file. If another file replaces it,
// the Mirror opens that one as soon as it is a sound archive. Until then, and if
// the file is gone, it answers from the one it has.
type Mirror struct {
	path    string
	options Options
	handler http.Handler
	current shared[*source]

	checking sync.Mutex // held during check
	mu       sync.Mutex // guards what follows
	checked  time.Time
	err      error
}

// source is an open archive and the handler that answers from it.
type source struct {
	archive *archive.Archive
	handler http.Handler
	file    os.FileInfo // nil if a database holds the archive
}

func (s *source) Close() error { return s.archive.Close() }

// openSource opens an archive and reads one record as a trial.
func openSource(ctx context.Context, path string, options Options) (*source, error) {
	file, err := statArchive(path)
	if err != nil {
		return nil, fmt.Errorf("open archive: %w; run build first", err)
	}
	a, err := archive.OpenReader(ctx, path)
	if err != nil {
		return nil, err
	}
	for _, err = range a.List(ctx, archive.Query{Kind: archive.Article, Limit: 1}) {
	}
	var now os.FileInfo
	if err == nil {
		now, err = statArchive(path)
	}
	if err == nil && !sameFile(now, file) {
		err = errors.New("it was replaced at that moment; try again")
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open archive %s: %w", a.Name(), archive.Explain(err)), a.Close())
	}
	return &source{a, newAPI(a, options).routes(), file}, nil
}

// statArchive returns the file of an archive, nil if a database holds it.
func statArchive(path string) (os.FileInfo, error) {
	file, _, err := archive.Places(path)
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

// Follow opens an archive file and returns a handler for the paths below /v1/.
// The caller closes it after its last request.
func Follow(ctx context.Context, path string, options Options) (*Mirror, error) {
	m := &Mirror{path: path, options: options, checked: time.Now()}
	first, err := openSource(ctx, path, options)
	if err != nil {
		return nil, err
	}
	m.current.replace(first)
	m.handler = middleware(http.HandlerFunc(m.answer), options)
	return m, nil
}

// ServeHTTP implements [http.Handler].
func (m *Mirror) ServeHTTP(w http.ResponseWriter, r *http.Request) { m.handler.ServeHTTP(w, r) }

func (m *Mirror) answer(w http.ResponseWriter, r *http.Request) {
	now, done := m.current.use()
	if now.archive.Outdated() {
		done()
		m.check()
		now, done = m.current.use()
	} else if m.due() {
		go m.check()
	}
	defer done()
	now.handler.ServeHTTP(w, r)
}

// Err returns what is wrong with the archive file, or nil.
func (m *Mirror) Err() error {
	if m.due() {
		m.check()
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.err
}

// Close closes the archive.
func (m *Mirror) Close() {
	m.checking.Lock() // no check replaces it any more
	m.current.close()
}

// due reports whether it is time to check the file.
func (m *Mirror) due() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return time.Since(m.checked) >= checkInterval
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
	failed := m.err != nil
	m.err, m.checked = err, time.Now()
	m.mu.Unlock()
	if err != nil {
		return
	}
	now, done := m.current.use()
	same := sameFile(now.file, next.file) && !now.archive.Outdated()
	done()
	if same && !failed {
		next.Close()
		return
	}
	m.current.replace(next)
}

// shared is a value that is replaced while requests use it. The old one is
// closed after the last of its requests.
type shared[T io.Closer] struct {
	mu      sync.Mutex
	current *refCount[T]
}

type refCount[T io.Closer] struct {
	value T
	users sync.WaitGroup
}

// use returns the value and what to call after its use.
func (s *shared[T]) use() (value T, done func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.current.users.Add(1)
	return s.current.value, s.current.users.Done
}

func (s *shared[T]) replace(value T) {
	s.mu.Lock()
	old := s.current
	s.current = &refCount[T]{value: value}
	s.mu.Unlock()
	if old != nil {
		go func() {
			old.users.Wait()
			old.value.Close() // it was only read, so an error loses nothing
		}()
	}
}

// close closes the value. Nobody may use it afterwards.
func (s *shared[T]) close() {
	s.current.users.Wait()
	s.current.value.Close()
}
