package warc

import (
	"bufio"
	"bytes"
	"compress/zlib"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/base32"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"net/http"
	"net/http/httputil"
	"net/textproto"
	"slices"
	"strconv"
	"strings"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
)

// maxEncodings is how many content encodings a response may have: removing each takes time
// and memory up to the limit of a record.
const maxEncodings = 4

// Response is a captured HTTP response.
type Response struct {
	Status int
	Header http.Header // as captured, with encodings that Body no longer has
	Body   []byte      // without its transfer and content encodings
}

// Response parses the content of a response record and verifies its digests. Each error
// is a [RecordError], also if the decoded body is larger than the limit.
func (r *Record) Response() (*Response, error) {
	response, err := r.response()
	if err != nil && !isOfRecord(err) {
		err = &RecordError{r.number, r.URI, err}
	}
	return response, err
}

func (r *Record) response() (*Response, error) {
	from := bufio.NewReader(r.Content)
	line, fields, err := readHeader(from)
	if err != nil {
		return nil, fmt.Errorf("header of the response: %w", err)
	}
	version, rest, _ := strings.Cut(line, " ")
	code, _, _ := strings.Cut(rest, " ")
	status, err := strconv.Atoi(code)
	if err != nil || !strings.HasPrefix(version, "HTTP/") {
		return nil, fmt.Errorf("%.40q is not the beginning of an HTTP response", line)
	}
	captured, err := io.ReadAll(from) // Content is limited
	if err != nil {
		return nil, err
	}
	// Many programs store bodies without encodings, but with their headers.
	body := captured
	if strings.EqualFold(fields.Get("Transfer-Encoding"), "chunked") {
		if plain, err := io.ReadAll(httputil.NewChunkedReader(bytes.NewReader(captured))); err == nil {
			body = plain
		}
	}
	if r.Type != "revisit" { // that has the digest of another record's payload
		stored, plain := digests(r.Header, "WARC-Payload-Digest"), digests(r.Header, "WARC-Payload-Digest")
		for i := range stored { // programs disagree on whether chunks belong to it
			stored[i].Write(captured)
			plain[i].Write(body)
		}
		if err := verify(plain); err != nil && verify(stored) != nil {
			return nil, err
		}
	}
	encodings := strings.Split(strings.ToLower(strings.Join(fields["Content-Encoding"], ",")), ",")
	if len(encodings) > maxEncodings {
		return nil, fmt.Errorf("%d content encodings are more than the limit of %d", len(encodings), maxEncodings)
	}
	for _, encoding := range slices.Backward(encodings) {
		if body, err = decode(body, strings.TrimSpace(encoding), r.limit); err != nil {
			return nil, fmt.Errorf("content encoding %.40q: %w", encoding, err)
		}
	}
	return &Response{status, http.Header(fields), body}, nil
}

// decode removes a content encoding, unless the body does not begin as one.
func decode(body []byte, encoding string, limit int64) ([]byte, error) {
	var from io.Reader
	var err error
	switch encoding {
	case "gzip", "x-gzip":
		if from, err = gzip.NewReader(bytes.NewReader(body)); err != nil {
			return body, nil
		}
	case "deflate":
		if from, err = zlib.NewReader(bytes.NewReader(body)); err != nil {
			return body, nil
		}
	case "br":
		from = brotli.NewReader(bytes.NewReader(body))
	case "", "identity":
		return body, nil
	default:
		return nil, errors.New("it is unknown")
	}
	plain, err := io.ReadAll(io.LimitReader(from, limit+1))
	if int64(len(plain)) > limit {
		err = fmt.Errorf("the body has more than the limit of %d bytes", limit)
	} else if encoding == "br" && len(plain) == 0 { // it has no mark to begin with
		return body, nil
	}
	return plain, err
}

// digest is a hash of what is read, and what it has to be.
type digest struct {
	hash.Hash
	stated []byte
}

// digests parses digests such as "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ", in base32 or
// hexadecimal. It skips unknown forms.
func digests(header textproto.MIMEHeader, names ...string) (all []digest) {
	for _, name := range names {
		algorithm, text, _ := strings.Cut(header.Get(name), ":")
		var d digest
		switch strings.ToLower(algorithm) {
		case "sha1", "sha-1":
			d.Hash = sha1.New()
		case "sha256", "sha-256":
			d.Hash = sha256.New()
		default:
			continue
		}
		var err error
		if len(text) == 2*d.Size() {
			d.stated, err = hex.DecodeString(text)
		} else {
			d.stated, err = base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(strings.ToUpper(strings.TrimRight(text, "=")))
		}
		if err == nil {
			all = append(all, d)
		}
	}
	return all
}

func verify(all []digest) error {
	for _, d := range all {
		if sum := d.Sum(nil); !bytes.Equal(sum, d.stated) {
			return fmt.Errorf("its digest is %x, not %x as stated", sum, d.stated)
		}
	}
	return nil
}
