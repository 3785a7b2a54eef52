// Package warc writes web archives in the WARC format (ISO 28500, version 1.1). Begin with
// [Writer].
package warc

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"maps"
	"net/textproto"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/klauspost/compress/gzip"
)

// Record is one record of a WARC file.
type Record struct {
	Type   string               // "response", "resource", …
	URI    string               // WARC-Target-URI
	ID     string               // WARC-Record-ID, without angle brackets
	Date   time.Time            // WARC-Date
	Header textproto.MIMEHeader // other named fields
}

// Writer writes records to a file, each as one gzip member. Equal records have equal bytes.
type Writer struct {
	file counter
	zip  *gzip.Writer
}

// NewWriter returns a writer to a file.
func NewWriter(to io.Writer) *Writer {
	return &Writer{counter{to: to}, gzip.NewWriter(nil)}
}

// Place is where a record is in its file, in bytes.
type Place struct{ Offset, Length int64 }

// Write writes a record with the Type, URI, Date and Header of r. Its content is head and
// what body writes, which is the payload; body is called twice. Write sets r.ID, which
// derives from all of these, and the digest of the payload in r.Header.
func (w *Writer) Write(r *Record, head []byte, body func(io.Writer) error) (Place, error) {
	start := w.file.n
	if err := w.write(r, head, body); err != nil {
		return Place{}, fmt.Errorf("write the WARC record of %.200q: %w", r.URI, err)
	}
	return Place{start, w.file.n - start}, nil
}

func (w *Writer) write(r *Record, head []byte, body func(io.Writer) error) error {
	block, payload, size := sha256.New(), sha256.New(), counter{to: io.Discard}
	block.Write(head)
	if err := body(io.MultiWriter(block, payload, &size)); err != nil {
		return err
	}
	const digest = "Warc-Payload-Digest"
	if r.Header = maps.Clone(r.Header); r.Header == nil {
		r.Header = make(textproto.MIMEHeader)
	}
	if r.Header[digest] == nil { // that of a revisit is of another record
		r.Header.Set(digest, fmt.Sprintf("sha256:%x", payload.Sum(nil)))
	}
	fields := [][2]string{{"WARC-Type", r.Type}, {"WARC-Target-URI", r.URI}, {"WARC-Date", r.Date.UTC().Format(time.RFC3339Nano)}}
	for _, name := range slices.Sorted(maps.Keys(r.Header)) {
		fields = append(fields, [2]string{strings.Replace(name, "Warc-", "WARC-", 1), r.Header.Get(name)})
	}
	fields = append(fields, [][2]string{
		{"WARC-Block-Digest", fmt.Sprintf("sha256:%x", block.Sum(nil))},
		{"Content-Length", fmt.Sprint(int64(len(head)) + size.n)},
	}...)
	var text bytes.Buffer
	for _, f := range fields {
		if strings.ContainsFunc(f[0]+f[1], unicode.IsControl) {
			return fmt.Errorf("the field %.40q has a control character", f[0])
		}
		if f[1] != "" {
			fmt.Fprintf(&text, "%s: %s\r\n", f[0], f[1])
		}
	}
	u := sha256.Sum256(text.Bytes()) // for a UUID of version 8 (RFC 9562)
	u[6], u[8] = u[6]&0x0f|0x80, u[8]&0x3f|0x80
	r.ID = fmt.Sprintf("urn:uuid:%x-%x-%x-%x-%x", u[:4], u[4:6], u[6:8], u[8:10], u[10:16])
	w.zip.Reset(&w.file)
	fmt.Fprintf(w.zip, "WARC/1.1\r\nWARC-Record-ID: <%s>\r\n%s\r\n%s", r.ID, &text, head) // Close returns its error
	again := counter{to: w.zip}
	if err := body(&again); err != nil {
		return err
	}
	if again.n != size.n {
		return fmt.Errorf("its content had %d bytes and now has %d", size.n, again.n)
	}
	io.WriteString(w.zip, "\r\n\r\n")
	return w.zip.Close()
}

// counter counts what is written.
type counter struct {
	to io.Writer
	n  int64
}

func (c *counter) Write(p []byte) (int, error) {
	n, err := c.to.Write(p)
	c.n += int64(n)
	return n, err
}
