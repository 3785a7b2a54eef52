package server

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"reflect"
	"strings"
	"time"

	"ayna/generator/lru"
)

// version identifies the bytes of a file for conditional requests.
type version struct {
	tag      string    // digest of the bytes
	size     int64     // in bytes
	modified time.Time // in whole seconds
}

// versions remembers the versions of files, so that each file is digested once
// and its time of modification never goes back.
type versions struct {
	lru.Cache[string, fileVersion]
}

// fileVersion is a version with the state of its file at that time.
type fileVersion struct {
	version
	info    fs.FileInfo
	settled time.Time // from then on a change shows in the file's times
}

// maxVersions is how many versions are kept in each of two generations: about
// 20 MB together.
const maxVersions = 1 << 15

// of returns the version of an open file. Other bytes of a name get a later time
// of modification, even if a build brings an older file back or publishes twice
// in a second.
func (v *versions) of(name string, f *os.File) (version, error) {
	info, err := f.Stat()
	if err != nil {
		return version{}, err
	}
	before, ok := v.Get(name)
	now := time.Now()
	if ok && now.After(before.settled) && sameState(before.info, info) {
		return before.version, nil
	}
	tag, err := digest(f)
	if err != nil {
		return version{}, fmt.Errorf("digest %s: %w", name, err)
	}
	next := version{tag, info.Size(), info.ModTime().Truncate(time.Second)}
	if next.modified.After(now) {
		next.modified = now.Truncate(time.Second)
	}
	switch {
	case ok && before.tag == tag:
		next.modified = before.modified
	case ok && !next.modified.After(before.modified):
		next.modified = before.modified.Add(time.Second)
	}
	v.Put(name, fileVersion{next, info, info.ModTime().Add(2 * time.Second)})
	return next, nil
}

// sameState compares all that the system reports of two files. That includes the inode
// and the time of the last change, which no build can set.
func sameState(a, b fs.FileInfo) bool { return reflect.DeepEqual(a.Sys(), b.Sys()) }

func digest(f *os.File) (string, error) {
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	_, err := f.Seek(0, io.SeekStart)
	return base64.RawURLEncoding.EncodeToString(h.Sum(nil)[:16]), err
}

// maxRanges is how many ranges of a file are sent in one answer. A request for
// more gets the whole file.
const maxRanges = 10

// serve answers with the bytes of this version, or ranges of it, or 304.
func (v version) serve(w http.ResponseWriter, r *http.Request, content io.ReadSeeker) {
	if w.Header().Get("ETag") == "" {
		w.Header().Set("ETag", `"`+v.tag+`"`)
	}
	r = r.Clone(r.Context())
	if strings.Count(r.Header.Get("Range"), ",") >= maxRanges {
		r.Header.Del("Range")
	}
	// Unlike a tag, a date does not identify bytes: it counts only if it is exactly
	// the one that was sent before.
	if since, err := http.ParseTime(r.Header.Get("If-Modified-Since")); err != nil || !since.Equal(v.modified) {
		r.Header.Del("If-Modified-Since")
	}
	http.ServeContent(w, r, "", v.modified, content)
}

// maxCompressed is the size in bytes up to which a file is compressed for each
// request. A build can compress larger files beforehand.
const maxCompressed = 1 << 20

// serveCompressed answers with the file compressed with gzip, if the client
// accepts that and the file is small. The tag is weak, since another version of
// gzip writes other bytes.
func (v version) serveCompressed(w http.ResponseWriter, r *http.Request, f *os.File) bool {
	if v.size > maxCompressed || !accepts(r, "gzip") {
		return false
	}
	content, err := io.ReadAll(f)
	if err != nil || int64(len(content)) != v.size {
		panic(http.ErrAbortHandler) // the file was truncated meanwhile; the client must notice
	}
	w.Header().Set("Content-Encoding", "gzip")
	w.Header().Set("ETag", `W/"`+v.tag+`-gzip"`)
	v.serve(w, r, bytes.NewReader(gzipped(content)))
	return true
}
