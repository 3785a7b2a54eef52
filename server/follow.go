package server

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"sync"
	"time"

	"ayna/archive"
)

// Mirror answers the Read API from the archive in a file. If another file
// takes its place, answers come from that, as soon as it proves to be a sound
// archive; until then, and if the file is gone, they go on coming from the one
// before.
type Mirror struct {
	path    string
	options Options
	handler http.Handler
	current shared[*reading]

	looking sync.Mutex // held by the one who looks at the file
	mu      sync.Mutex // guards what follows
	looked  time.Time
	trouble error
}

// reading is an open archive and what answers from it.
type reading struct {
	archive *archive.Archive
	api     http.Handler
	file    os.FileInfo // nil if a database holds the archive
}

func (r *reading) Close() error { return r.archive.Close() }

// openReading opens an archive and reads one record, to see that it can.
func openReading(ctx context.Context, path string, options Options) (*reading, error) {
	file, err := fileOf(path)
	if err != nil {
		return nil, fmt.Errorf("open archive: %w; run build first", err)
	}
	a, err := archive.OpenReader(ctx, path)
	if err != nil {
		return nil, err
	}
	for _, err = range a.List(ctx, archive.Query{Kind: archive.Article, Limit: 1}) {
	}
	if err == nil {
		err = stillThere(path, file)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open archive %s: %w", a.Name(), archive.Explain(err)), a.Close())
	}
	return &reading{a, newAPI(a, options), file}, nil
}

// stillThere makes sure that the file was not replaced while it was opened.
func stillThere(path string, file os.FileInfo) error {
	now, err := fileOf(path)
	if err == nil && !sameFile(now, file) {
		err = errors.New("it was replaced at that moment; try again")
	}
	return err
}

// fileOf returns the file of an archive, nil if a database holds it.
func fileOf(path string) (os.FileInfo, error) {
	file, _, err := archive.Places(path)
	if err != nil || file == "" {
		return nil, err
	}
	return os.Stat(file)
}

func sameFile(a, b os.FileInfo) bool {
	return a == nil && b == nil || a != nil && b != nil && os.SameFile(a, b)
}

// recheck is how often the file is looked at while requests come.
const recheck = 2 * time.Second

// Follow opens the archive in the file path and returns a handler for the
// paths below /v1/. The caller closes it after its last request.
func Follow(ctx context.Context, path string, options Options) (*Mirror, error) {
	m := &Mirror{path: path, options: options, looked: time.Now()}
	first, err := openReading(ctx, path, options)
	if err != nil {
		return nil, err
	}
	m.current.replace(first)
	m.handler = admit(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		now, done := m.current.use()
		if now.archive.Outdated() {
			done()
			m.look()
			now, done = m.current.use()
		} else if m.due() {
			go m.look()
		}
		defer done()
		now.api.ServeHTTP(w, r)
	}), options)
	return m, nil
}

// ServeHTTP implements [http.Handler].
func (m *Mirror) ServeHTTP(w http.ResponseWriter, r *http.Request) { m.handler.ServeHTTP(w, r) }

// Close closes the archive.
func (m *Mirror) Close() {
	m.looking.Lock() // nobody replaces it any more
	m.current.close()
}

// due reports whether it is time to look at the file again.
func (m *Mirror) due() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return time.Since(m.looked) >= recheck
}

// look opens the file anew, and takes it over if it is another one, if it was
// open in a way that no longer serves, or if something was wrong with it before. One look at a time is enough.
func (m *Mirror) look() {
	if !m.looking.TryLock() {
		return
	}
	defer m.looking.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), 15*time.Second)
	defer cancel()
	next, err := openReading(ctx, m.path, m.options)
	before := m.note(err)
	if err != nil {
		return
	}
	now, done := m.current.use()
	same := sameFile(now.file, next.file) && !now.archive.Outdated()
	done()
	if same && before == nil {
		next.Close()
		return
	}
	m.current.replace(next)
}

// note keeps what a look found, and returns what the one before it did.
func (m *Mirror) note(trouble error) (before error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	before, m.trouble, m.looked = m.trouble, trouble, time.Now()
	return before
}

// Trouble returns what is wrong with the archive's file, nil if nothing is.
func (m *Mirror) Trouble() error {
	if m.due() {
		m.look()
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.trouble
}
