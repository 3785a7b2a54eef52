package server

import (
	"compress/gzip"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
)

// encodings are those a build may have made of a file, beside it, best first.
var encodings = []struct{ name, extension string }{
	{"zstd", ".zst"},
	{"gzip", ".gz"},
}

// accepts reports whether the client takes an encoding (RFC 9110, section
// 12.5.3). It has to name it.
func accepts(r *http.Request, encoding string) bool {
	for part := range strings.SplitSeq(r.Header.Get("Accept-Encoding"), ",") {
		name, parameter, _ := strings.Cut(part, ";")
		if !strings.EqualFold(strings.TrimSpace(name), encoding) {
			continue
		}
		_, quality, given := strings.Cut(parameter, "=")
		if !given {
			return true
		}
		q, err := strconv.ParseFloat(strings.TrimSpace(quality), 64)
		return err == nil && q > 0
	}
	return false
}

// serveCompressed is [version.serve], compressed while it is sent, if the
// client takes that. The tag is a weak one: another gzip makes other bytes.
func (v version) serveCompressed(w http.ResponseWriter, r *http.Request, f *os.File) {
	info, err := f.Stat()
	if err != nil || !accepts(r, "gzip") {
		v.serve(w, r, f)
		return
	}
	w.Header().Set("Content-Encoding", "gzip")
	w.Header().Set("ETag", `W/"`+v.tag+`-gzip"`)
	z := &gzipWriter{ResponseWriter: w}
	defer z.release()
	v.serve(z, r, f)
	z.finish(info.Size())
}

// gzipWriter compresses the body of an answer, if it has one.
type gzipWriter struct {
	http.ResponseWriter
	gzip *gzip.Writer
	size int64 // of what was compressed
}

// gzips are writers of the quickest level: bytes are dear on long ways only,
// and for those a build can compress beforehand.
var gzips = sync.Pool{New: func() any {
	z, _ := gzip.NewWriterLevel(nil, gzip.BestSpeed) // fails for unknown levels alone
	return z
}}

// Write implements [io.Writer].
func (z *gzipWriter) Write(b []byte) (int, error) {
	if z.gzip == nil {
		z.gzip = gzips.Get().(*gzip.Writer)
		z.gzip.Reset(z.ResponseWriter)
	}
	n, err := z.gzip.Write(b)
	z.size += int64(n)
	return n, err
}

// finish ends a body that has the size it should have. Any other must not pass
// for a whole one, so its connection is cut: the file was cut off meanwhile, or
// the client has gone.
func (z *gzipWriter) finish(size int64) {
	if z.gzip == nil {
		return
	}
	if z.size != size || z.gzip.Close() != nil {
		panic(http.ErrAbortHandler)
	}
}

func (z *gzipWriter) release() {
	if z.gzip != nil {
		gzips.Put(z.gzip)
	}
}
