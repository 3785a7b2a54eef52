package server

import (
	"bytes"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// document is an answer: its body, and what its headers tell of it.
type document struct {
	contentType string // "" is JSON
	body        []byte // nil if the client has it already
	total       *int   // records that there are without $top and $skip, if that was asked for
	tag         string // names these bytes among all that the address may have; "" if nothing does
	encoding    string // of the body
}

// reply sends an answer, or 304 if the client has it.
func reply(w http.ResponseWriter, r *http.Request, d document) {
	h := w.Header()
	h.Add("Vary", "Accept-Encoding")
	if held := holds(r, d.tag); held != "" {
		h.Set("ETag", held)
		w.WriteHeader(http.StatusNotModified)
		return
	}
	d.compress(r)
	switch {
	case d.encoding != "":
		h.Set("Content-Encoding", d.encoding)
		if d.tag != "" {
			h.Set("ETag", `W/"`+d.tag+"-"+d.encoding+`"`)
		}
	case d.tag != "":
		h.Set("ETag", `"`+d.tag+`"`)
	}
	if d.total != nil {
		h.Set(totalHeader, strconv.Itoa(*d.total))
	}
	if d.contentType == "" {
		d.contentType = "application/json; charset=utf-8"
	}
	send(w, d.contentType, d.body)
}

// holds returns the entity tag by which a client says that it holds the answer
// of that tag, in whatever encoding; "" if it does not (RFC 9110, section 13.1.2).
func holds(r *http.Request, tag string) string {
	if tag == "" {
		return ""
	}
	for _, line := range r.Header.Values("If-None-Match") {
		for sent := range strings.SplitSeq(line, ",") {
			sent = strings.TrimSpace(sent)
			rest, found := strings.CutPrefix(strings.TrimPrefix(sent, "W/"), `"`+tag)
			if found && (rest == `"` || rest == `-zstd"` || rest == `-gzip"`) {
				return sent
			}
		}
	}
	return ""
}

// leastCompressed is the size from which on answers are compressed: less fits
// into one packet in any case.
const leastCompressed = 1400

// compress encodes the body as the client accepts it. It does so in memory, so
// that a client that reads slowly holds no compressor.
func (d *document) compress(r *http.Request) {
	if d.encoding != "" || len(d.body) < leastCompressed || r.Header.Get("Accept-Encoding") == "" {
		return
	}
	switch {
	case accepts(r, "zstd"):
		d.encoding = "zstd"
		d.body = zstdEncoder().EncodeAll(d.body, make([]byte, 0, len(d.body)/3))
	case accepts(r, "gzip"):
		d.encoding = "gzip"
		var b bytes.Buffer
		b.Grow(len(d.body) / 3)
		z := gzipEncoders.Get().(*gzip.Writer)
		defer gzipEncoders.Put(z)
		z.Reset(&b)
		z.Write(d.body) // to memory, which takes everything
		z.Close()
		d.body = b.Bytes()
	}
}

// zstdEncoder compresses a body at a time on each processor.
var zstdEncoder = sync.OnceValue(func() *zstd.Encoder {
	z, _ := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithWindowSize(256<<10), zstd.WithLowerEncoderMem(true)) // fails for unknown options alone
	return z
})

var gzipEncoders = sync.Pool{New: func() any {
	z, _ := gzip.NewWriterLevel(nil, gzip.BestSpeed) // fails for unknown levels alone
	return z
}}
