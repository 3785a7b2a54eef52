package warc

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/klauspost/compress/gzip"
)

// Writer writes records to a file, each as one gzip member. Equal records have equal bytes.
type Writer struct {
	to     io.Writer
	offset int64
	zip    *gzip.Writer
}

// NewWriter returns a writer to a file.
func NewWriter(to io.Writer) *Writer {
	w := &Writer{to: to}
	w.zip = gzip.NewWriter(nil)
	return w
}

// Place is where a record is in its file, in bytes.
type Place struct{ Offset, Length int64 }

// Write writes a record with the Type, URI, Date and Header of r. Its content is head and
// body; body is the payload and is read twice. Write sets r.ID, which derives from all of
// these.
func (w *Writer) Write(r *Record, head []byte, body io.ReadSeeker) (Place, error) {
	start := w.offset
	if err := w.write(r, head, body); err != nil {
		return Place{}, fmt.Errorf("write the WARC record of %.200q: %w", r.URI, err)
	}
	return Place{start, w.offset - start}, nil
}

func (w *Writer) write(r *Record, head []byte, body io.ReadSeeker) error {
	block, payload := sha256.New(), sha256.New()
	block.Write(head)
	size, err := io.Copy(io.MultiWriter(block, payload), body)
	if err != nil {
		return err
	}
	if _, err := body.Seek(0, io.SeekStart); err != nil {
		return err
	}
	fields := [][2]string{{"WARC-Type", r.Type}, {"WARC-Target-URI", r.URI}, {"WARC-Date", r.Date.UTC().Format(time.RFC3339)}}
	for _, name := range slices.Sorted(maps.Keys(r.Header)) {
		fields = append(fields, [2]string{strings.Replace(name, "Warc-", "WARC-", 1), r.Header.Get(name)})
	}
	fields = append(fields, [][2]string{
		{"WARC-Block-Digest", fmt.Sprintf("sha256:%x", block.Sum(nil))},
		{"WARC-Payload-Digest", fmt.Sprintf("sha256:%x", payload.Sum(nil))},
		{"Content-Length", fmt.Sprint(int64(len(head)) + size)},
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
	w.zip.Reset(counter{w})
	fmt.Fprintf(w.zip, "WARC/1.1\r\nWARC-Record-ID: <%s>\r\n%s\r\n%s", r.ID, &text, head) // Close returns its error
	if written, err := io.Copy(w.zip, body); err != nil || written != size {
		return fmt.Errorf("its content had %d bytes and now has %d: %w", size, written, err)
	}
	io.WriteString(w.zip, "\r\n\r\n")
	return w.zip.Close()
}

// counter writes to a Writer's file and counts.
type counter struct{ *Writer }

func (c counter) Write(p []byte) (int, error) {
	n, err := c.to.Write(p)
	c.offset += int64(n)
	return n, err
}
