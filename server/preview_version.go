package server

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"reflect"
	"strings"
	"sync"
	"time"
)

// version is what clients are told about the bytes of a file, so that they can
// ask whether theirs are still the same.
type version struct {
	tag      string    // digest of the bytes
	modified time.Time // in whole seconds
}

// versions remembers the versions of files, so that a file is digested once.
type versions struct {
	mu    sync.Mutex
	known map[string]known
}

// known is a version with all that the system told of its file.
type known struct {
	version
	info   fs.FileInfo
	settle time.Time // before then the file could change and look the same
}

// mostKnown bounds what is remembered; about 20 MB.
const mostKnown = 1 << 16

// of returns the version of an open file. The time of modification of a name
// never goes back, and other bytes have a later one, even if a build brings an
// older file back or publishes twice in a second.
func (v *versions) of(name string, f *os.File) (version, error) {
	info, err := f.Stat()
	if err != nil {
		return version{}, err
	}
	before, ok := v.get(name)
	now := time.Now()
	if ok && now.After(before.settle) && sameState(before.info, info) {
		return before.version, nil
	}
	tag, err := digest(f)
	if err != nil {
		return version{}, fmt.Errorf("digest %s: %w", name, err)
	}
	next := version{tag, info.ModTime().Truncate(time.Second)}
	if next.modified.After(now) {
		next.modified = now.Truncate(time.Second)
	}
	switch {
	case ok && before.tag == tag:
		next.modified = before.modified
	case ok && !next.modified.After(before.modified):
		next.modified = before.modified.Add(time.Second)
	}
	v.put(name, known{next, info, info.ModTime().Add(2 * time.Second)})
	return next, nil
}

// sameState compares all that the system tells of two files: the number of the
// file and the time of its last change among it, which no build can set.
func sameState(a, b fs.FileInfo) bool { return reflect.DeepEqual(a.Sys(), b.Sys()) }

func digest(f *os.File) (string, error) {
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	_, err := f.Seek(0, io.SeekStart)
	return base64.RawURLEncoding.EncodeToString(h.Sum(nil)[:16]), err
}

func (v *versions) get(name string) (known, bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	k, ok := v.known[name]
	return k, ok
}

func (v *versions) put(name string, k known) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.known == nil || len(v.known) >= mostKnown {
		v.known = make(map[string]known)
	}
	v.known[name] = k
}

// mostRanges is how many parts of a file are sent at once. Whoever asks for
// more gets the whole.
const mostRanges = 10

// serve answers with the bytes of this version, or the parts that are asked
// for, or not at all if the client has them.
func (v version) serve(w http.ResponseWriter, r *http.Request, content io.ReadSeeker) {
	if w.Header().Get("ETag") == "" {
		w.Header().Set("ETag", `"`+v.tag+`"`)
	}
	r = r.Clone(r.Context())
	if strings.Count(r.Header.Get("Range"), ",") >= mostRanges {
		r.Header.Del("Range")
	}
	// A date tells less than a tag: it counts only if it is the very date that
	// was told before.
	if since, err := http.ParseTime(r.Header.Get("If-Modified-Since")); err != nil || !since.Equal(v.modified) {
		r.Header.Del("If-Modified-Since")
	}
	http.ServeContent(w, r, "", v.modified, content)
}
