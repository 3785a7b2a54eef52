// Package warc reads and writes web archives in the WARC format (ISO 28500, versions 1.0
// and 1.1). Begin with [Records] and [Writer].
package warc

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/textproto"
	"strconv"
	"strings"
	"time"

	"github.com/klauspost/compress/gzip"
)

// Record is one record of a WARC file.
type Record struct {
	Type    string               // "response", "resource", "metadata", …
	URI     string               // WARC-Target-URI
	ID      string               // WARC-Record-ID, without angle brackets
	Date    time.Time            // WARC-Date
	Header  textproto.MIMEHeader // all named fields
	Content io.Reader            // valid until the next record is read

	number int   // in the file, from 1
	limit  int64 // of its size in bytes
}

// RecordError is the error of one record. Reading continues with the next one.
type RecordError struct {
	Number int // of the record in the file, from 1
	URI    string
	Err    error
}

func (e *RecordError) Error() string {
	return fmt.Sprintf("WARC record %d (%.200q): %v", e.Number, e.URI, e.Err)
}

func (e *RecordError) Unwrap() error { return e.Err }

func isOfRecord(err error) bool {
	var one *RecordError
	return errors.As(err, &one)
}

// Records yields the records of a file: not compressed, or gzip with a member for each
// record or for all. Content that the caller has not read is skipped. Reading Content to
// its end verifies its digest.
//
// A [RecordError] comes with a nil record, or from Content, and concerns one record: it
// is damaged, or larger than limit bytes. Any other error ends the file.
func Records(from io.Reader, limit int64) iter.Seq2[*Record, error] {
	return func(yield func(*Record, error) bool) {
		r := &reader{file: bufio.NewReaderSize(from, 1<<16), limit: limit}
		for {
			record, err := r.next()
			if err == io.EOF || !yield(record, err) || err != nil && !isOfRecord(err) {
				return
			}
		}
	}
}

type reader struct {
	file     *bufio.Reader
	zip      *gzip.Reader  // nil if the file is not compressed
	stream   *bufio.Reader // file, or the current member; nil before the first
	limit    int64
	number   int // of the current record
	members  int // begun
	inMember int // records begun in the current member
	open     *content
}

func (r *reader) next() (*Record, error) {
	if err := r.finish(); err != nil {
		return nil, err
	}
	for {
		if r.stream != nil {
			b, err := r.stream.ReadByte()
			switch {
			case err == nil && (b == '\r' || b == '\n'):
				continue
			case err == nil:
				r.stream.UnreadByte()
				return r.record()
			case err != io.EOF:
				return nil, r.recover("", err)
			case r.zip == nil:
				return nil, io.EOF
			}
		}
		if err := r.begin(); err != nil {
			return nil, err
		}
	}
}

var magic = []byte{0x1f, 0x8b, 8} // of gzip

// begin begins the file, or its next member.
func (r *reader) begin() error {
	first, err := r.file.Peek(len(magic))
	if len(first) == 0 {
		return err
	}
	if r.zip == nil {
		if !bytes.Equal(first, magic) {
			r.stream = r.file
			return nil
		}
		r.zip, r.stream = new(gzip.Reader), bufio.NewReader(bytes.NewReader(nil))
	}
	r.members, r.inMember = r.members+1, 0
	if err := r.zip.Reset(r.file); err != nil {
		return r.recover("", err)
	}
	r.zip.Multistream(false)
	r.stream.Reset(r.zip)
	return nil
}

var errStale = errors.New("the content of a WARC record was read after the next record")

// finish skips the rest of the current record. What nobody reads is not verified.
func (r *reader) finish() error {
	c := r.open
	if c == nil {
		return nil
	}
	r.open = nil
	reported := c.reported
	c.sums = nil
	io.Copy(io.Discard, c)
	err := c.err
	c.err = errStale
	if c.left == 0 {
		return nil
	}
	if err = r.recover(c.uri, errors.Unwrap(err)); reported && isOfRecord(err) {
		return nil
	}
	return err
}

// recover moves to the next member after an error that leaves the place of the next
// record unknown. Its result is a [RecordError] if there is a next member, or if only
// the last record is lost.
func (r *reader) recover(uri string, err error) error {
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	if r.zip != nil {
		_, rest := io.Copy(io.Discard, struct{ io.Reader }{r.stream})
		if rest == nil && r.inMember == 1 && r.members > 1 || r.scan() {
			r.stream.Reset(bytes.NewReader(nil)) // so that next begins a member
			return &RecordError{r.number, uri, err}
		}
	}
	return fmt.Errorf("the WARC file cannot be read beyond record %d: %w", r.number, err)
}

// scan moves to the next gzip member that begins with a record.
func (r *reader) scan() bool {
	var probe gzip.Reader
	for {
		window, _ := r.file.Peek(4096)
		i := bytes.Index(window, magic)
		switch {
		case i > 0:
			r.file.Discard(i)
		case i == 0:
			begin := make([]byte, len("WARC/"))
			if probe.Reset(bytes.NewReader(window)) == nil {
				io.ReadFull(&probe, begin)
			}
			if string(begin) == "WARC/" {
				return true
			}
			r.file.Discard(1)
		case len(window) < len(magic):
			return false
		default:
			r.file.Discard(len(window) - len(magic) + 1)
		}
	}
}

// record reads the header of a record.
func (r *reader) record() (*Record, error) {
	r.number++
	r.inMember++
	version, header, err := readHeader(r.stream)
	if err == nil && !strings.HasPrefix(version, "WARC/") {
		err = fmt.Errorf("%.40q is not the beginning of a record", version)
	}
	if err != nil {
		return nil, r.recover("", err)
	}
	uri := strings.Trim(header.Get("WARC-Target-URI"), "<>")
	length, err := strconv.ParseInt(header.Get("Content-Length"), 10, 64)
	if err != nil || length < 0 {
		return nil, r.recover(uri, fmt.Errorf("Content-Length %.40q is not a number of bytes", header.Get("Content-Length")))
	}
	r.open = &content{reader: r, left: length, uri: uri, reported: length > r.limit}
	if length > r.limit {
		return nil, &RecordError{r.number, uri, fmt.Errorf("its %d bytes are more than the limit of %d", length, r.limit)}
	}
	record := &Record{
		Type: header.Get("WARC-Type"), URI: uri, ID: strings.Trim(header.Get("WARC-Record-ID"), "<>"),
		Header: header, Content: r.open, number: r.number, limit: r.limit,
	}
	if record.Date, err = time.Parse(time.RFC3339, header.Get("WARC-Date")); err != nil {
		return nil, &RecordError{r.number, uri, fmt.Errorf("WARC-Date: %w", err)}
	}
	r.open.sums = digests(header, "WARC-Block-Digest")
	if record.Type == "resource" { // its payload is its content
		r.open.sums = digests(header, "WARC-Block-Digest", "WARC-Payload-Digest")
	}
	return record, nil
}

// readHeader reads a first line and named fields, up to an empty line. It skips lines
// that are no fields.
func readHeader(from *bufio.Reader) (first string, fields textproto.MIMEHeader, err error) {
	const limit = 64 << 10
	var text []byte
	for !bytes.HasSuffix(text, []byte("\n\r\n")) && !bytes.HasSuffix(text, []byte("\n\n")) {
		part, err := from.ReadSlice('\n')
		if text = append(text, part...); len(text) > limit {
			return "", nil, fmt.Errorf("the header has more than %d bytes", limit)
		}
		if err != nil && err != bufio.ErrBufferFull {
			return "", nil, err
		}
	}
	first, rest, _ := strings.Cut(string(text), "\n")
	fields = make(textproto.MIMEHeader)
	for line := range strings.Lines(rest) {
		if name, value, ok := strings.Cut(line, ":"); ok {
			fields.Add(strings.TrimSpace(name), strings.TrimSpace(value))
		}
	}
	return strings.TrimSpace(first), fields, nil
}

// content is the content of the current record.
type content struct {
	reader   *reader
	left     int64
	uri      string
	sums     []digest
	err      error
	reported bool // the caller knows that the record is damaged
}

func (c *content) Read(p []byte) (n int, err error) {
	if c.err != nil {
		return 0, c.err
	}
	fail := func(err error) { c.err, c.reported = &RecordError{c.reader.number, c.uri, err}, true }
	if c.left == 0 {
		c.err = io.EOF
		if err := verify(c.sums); err != nil {
			fail(err)
		}
		return 0, c.err
	}
	n, err = c.reader.stream.Read(p[:min(int64(len(p)), c.left)])
	c.left -= int64(n)
	for _, d := range c.sums {
		d.Write(p[:n])
	}
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	if err != nil && c.left > 0 {
		fail(fmt.Errorf("its content lacks %d bytes: %w", c.left, err))
	}
	return n, c.err
}
