package server

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

const (
	jsonContent = "application/json; charset=utf-8"
	textContent = "text/plain; charset=utf-8"
)

// totalHeader holds the number of records of a list, without $top and $skip.
const totalHeader = "X-Total-Count"

// document is an answer.
type document struct {
	contentType string // "" is JSON
	body        []byte
	total       *int   // for totalHeader; nil sends none
	tag         string // the entity tag, without quotes; "" is none
	encoding    string // of the body
}

// reply sends an answer, or 304 if the client has it.
func reply(w http.ResponseWriter, r *http.Request, d document) {
	h := w.Header()
	h.Add("Vary", "Accept-Encoding")
	if held := matchingTag(r, d.tag); held != "" {
		h.Set("ETag", held)
		w.WriteHeader(http.StatusNotModified)
		return
	}
	d.compress(r)
	if d.encoding != "" {
		h.Set("Content-Encoding", d.encoding)
	}
	switch {
	case d.tag != "" && d.encoding != "":
		h.Set("ETag", `W/"`+d.tag+"-"+d.encoding+`"`)
	case d.tag != "":
		h.Set("ETag", `"`+d.tag+`"`)
	}
	if d.total != nil {
		h.Set(totalHeader, strconv.Itoa(*d.total))
	}
	h.Set("Content-Type", cmp.Or(d.contentType, jsonContent))
	h.Set("Content-Length", strconv.Itoa(len(d.body)))
	w.Write(d.body)
}

// matchingTag returns the entity tag of If-None-Match that is tag, or tag in one of
// the encodings, "" if there is no such tag (RFC 9110, section 13.1.2).
func matchingTag(r *http.Request, tag string) string {
	if tag == "" {
		return ""
	}
	for sent := range strings.SplitSeq(strings.Join(r.Header.Values("If-None-Match"), ","), ",") {
		sent = strings.TrimSpace(sent)
		switch strings.TrimPrefix(sent, "W/") {
		case `"` + tag + `"`, `"` + tag + `-zstd"`, `"` + tag + `-gzip"`:
			return sent
		}
	}
	return ""
}

// minCompressed is the least size of a body that is compressed: less fits into
// one packet anyway.
const minCompressed = 1400

// compress encodes the body as the client accepts it. It works in memory, so
// that slow readers hold no encoder.
func (d *document) compress(r *http.Request) {
	switch {
	case d.encoding != "" || len(d.body) < minCompressed:
	case accepts(r, "zstd"):
		d.encoding = "zstd"
		d.body = zstdEncoder().EncodeAll(d.body, make([]byte, 0, len(d.body)/3))
	case accepts(r, "gzip"):
		d.encoding = "gzip"
		d.body = gzipped(d.body)
	}
}

func gzipped(body []byte) []byte {
	var b bytes.Buffer
	b.Grow(len(body) / 3)
	z := gzipWriters.Get().(*gzip.Writer)
	defer gzipWriters.Put(z)
	z.Reset(&b)
	z.Write(body) // a buffer takes everything
	z.Close()
	return b.Bytes()
}

// accepts reports whether the client names an encoding in Accept-Encoding
// (RFC 9110, section 12.5.3).
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

var zstdEncoder = sync.OnceValue(func() *zstd.Encoder {
	// An error could only come from an unknown option.
	z, _ := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithWindowSize(256<<10), zstd.WithLowerEncoderMem(true))
	return z
})

// gzipWriters have the fastest level: a build can compress files better beforehand.
var gzipWriters = sync.Pool{New: func() any {
	z, _ := gzip.NewWriterLevel(nil, gzip.BestSpeed) // an error could only come from an unknown level
	return z
}}

// apiError is an error that the client may read.
type apiError struct {
	status     int
	message    string
	retryAfter string // header Retry-After in seconds; "" is none
}

func (e *apiError) Error() string { return e.message }

func badRequest(format string, args ...any) error {
	return &apiError{status: http.StatusBadRequest, message: fmt.Sprintf(format, args...)}
}

// unavailable is the error for a record that the archive cannot show before a
// later build.
func unavailable(format string, args ...any) error {
	return &apiError{http.StatusServiceUnavailable, fmt.Sprintf(format, args...), "3600"}
}

// errNoArchive is the error before the first build.
var errNoArchive = &apiError{http.StatusServiceUnavailable, "there is no archive yet; the first build makes it", "10"}

// errBusy refuses a request that would have to wait too long.
var errBusy = &apiError{http.StatusServiceUnavailable, "too many lists and searches at once; try again", "1"}

// fail answers with an error in the service's form. Clients learn nothing of
// errors that are not an apiError.
func fail(w http.ResponseWriter, err error) {
	if errors.Is(err, context.Canceled) {
		return
	}
	e := &apiError{status: http.StatusInternalServerError, message: "the archive cannot be read"}
	errors.As(err, &e)
	if e.retryAfter != "" {
		w.Header().Set("Retry-After", e.retryAfter)
	}
	body, _ := json.Marshal(struct{ Message, HelpLink string }{e.message, "/v1/"})
	w.Header().Set("Content-Type", jsonContent)
	w.WriteHeader(e.status)
	w.Write(body)
}

// reject answers a request that no handler sees: in JSON below /v1/, where
// programs read it, and else in plain text.
func reject(w http.ResponseWriter, r *http.Request, status int, message string) {
	if isAPI(r.URL.Path) {
		fail(w, &apiError{status: status, message: message})
		return
	}
	http.Error(w, message, status)
}
