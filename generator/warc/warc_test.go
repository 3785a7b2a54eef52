package warc_test

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/andybalholm/brotli"

	"ayna/generator/warc"
)

// record returns a record of WARC/1.0 with fields as written.
func record(fields, content string) string {
	if !strings.Contains(fields, "WARC-Date") {
		fields += "WARC-Date: 2026-11-22T10:00:00Z\r\n"
	}
	if !strings.Contains(fields, "Content-Length") {
		fields += fmt.Sprintf("Content-Length: %d\r\n", len(content))
	}
	return "WARC/1.0\r\nWARC-Target-URI: http://api.example/" + content[:min(1, len(content))] + "\r\n" + fields + "\r\n" + content + "\r\n\r\n"
}

func resource(content string) string { return record("WARC-Type: resource\r\n", content) }

func zipped(parts ...string) string {
	var b bytes.Buffer
	for _, part := range parts {
		z := gzip.NewWriter(&b)
		io.WriteString(z, part)
		z.Close()
	}
	return b.String()
}

const limit = 1 << 20

// read returns the contents of a file's records, and the errors: "record" for those of
// one record, "file" for what ends the file.
func read(file io.Reader) string {
	var got []string
	for r, err := range warc.Records(file, limit) {
		var text []byte
		if err == nil {
			text, err = io.ReadAll(r.Content)
		}
		var one *warc.RecordError
		switch {
		case errors.As(err, &one):
			got = append(got, "record")
		case err != nil:
			got = append(got, "file")
		default:
			got = append(got, string(text))
		}
	}
	return strings.Join(got, " ")
}

func TestRecords(t *testing.T) {
	a, b, c := resource("a"), resource("b"), resource("c")
	long := record("WARC-Type: resource\r\nContent-Length: 2000\r\n", "x")
	short := record("WARC-Type: resource\r\nContent-Length: 1\r\n", "xyz")
	huge := record("WARC-Type: resource\r\nContent-Length: 9223372036854775807\r\n", "x")
	bomb := resource(strings.Repeat("0", 2*limit))
	cut := zipped(b)
	cut = cut[:len(cut)/2]
	bad := []byte(zipped(b))
	bad[len(bad)/2] ^= 0x55
	unbounded := "WARC/1.0\r\n" + strings.Repeat("X-Field: 0\r\n", 1<<14)
	digested := func(d string) string { return record("WARC-Type: resource\r\n"+d+"\r\n", "a") }
	for _, test := range []struct{ name, file, want string }{
		{"empty", "", ""},
		{"plain", a + b, "a b"},
		{"one member", zipped(a + b + c), "a b c"},
		{"a member for each", zipped(a, b, c), "a b c"},
		{"empty members", zipped("", a, "", b, ""), "a b"},
		{"version 1.1", strings.Replace(a, "WARC/1.0", "WARC/1.1", 1), "a"},
		{"no lines between records", strings.TrimSpace(a) + b, "a b"},
		{"cut blank lines", strings.TrimSpace(a), "a"},
		{"neither WARC nor gzip", "<html>\n\n", "file"},
		{"gzip of something else", zipped("<html>"), "file"},
		{"header without end", unbounded, "file"},
		{"header without end in a member", zipped(a, unbounded, c), "a record c"},
		{"one line without end", "WARC/1.0" + strings.Repeat("x", 1<<20), "file"},
		{"length too long", a + long, "a record file"},
		{"length too long in a member", zipped(a, long, c), "a record c"},
		{"length too long in the only member", zipped(a + long + c), "a record file"},
		{"length too short", short + c, "x file"},
		{"length too short in a member", zipped(a, short, c), "a x record c"},
		{"length beyond the limit", huge + a, "record file"},
		{"length beyond the limit in a member", zipped(a, huge, c), "a record c"},
		{"negative length", record("WARC-Type: resource\r\nContent-Length: -1\r\n", "x") + a, "file"},
		{"negative length in a member", zipped(a, record("WARC-Type: resource\r\nContent-Length: -1\r\n", "x"), c), "a record c"},
		{"length that is no number", record("WARC-Type: resource\r\nContent-Length: 0x1\r\n", "x"), "file"},
		{"larger than the limit", a + bomb + c, "a record c"},
		{"larger than the limit in a member", zipped(a, bomb, c), "a record c"},
		{"truncated member at the end", zipped(a) + cut, "a file"},
		{"truncated member before others", zipped(a) + cut + zipped("", c, "", a, c), "a record c a c"},
		{"damaged member", zipped(a) + string(bad) + zipped(c), "a record c"},
		{"damaged first member", string(bad) + zipped(c), "record c"},
		{"garbage between members", zipped(a) + strings.Repeat("garbage\x1f\x8b\x08\xff", 1000) + zipped(c), "a record c"},
		{"garbage at the end", zipped(a) + "garbage", "a file"},
		{"no date", record("WARC-Type: resource\r\nWARC-Date: soon\r\n", "x") + a, "record a"},
		{"wrong sha1 in base32", digested("WARC-Block-Digest: sha1:Q334I4CXOMGKN7NQPZ6ZI7D3YTE5FDNE"), "record"},
		{"right sha1 in base32", digested("WARC-Block-Digest: sha1:Q336IN72UWT7ZYK5DXOLT2XK5I3XMZ5Y"), "a"},
		{"right sha1 in hexadecimal", digested("WARC-Block-Digest: SHA1:86f7e437faa5a7fce15d1ddcb9eaeaea377667b8"), "a"},
		{"right sha256", digested("WARC-Payload-Digest: sha256:ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"), "a"},
		{"wrong sha256", digested("WARC-Payload-Digest: sha256:ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bc") + a, "record a"},
		{"unknown digest", digested("WARC-Block-Digest: blake3:00"), "a"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := read(strings.NewReader(test.file)); got != test.want {
				t.Errorf("records %.200q, want %q", got, test.want)
			}
			if got := read(iotest.OneByteReader(strings.NewReader(test.file))); got != test.want {
				t.Errorf("byte by byte %.200q, want %q", got, test.want)
			}
		})
	}
}

// TestUnread: content that is not read is skipped, and cannot be read later.
func TestUnread(t *testing.T) {
	var contents []io.Reader
	for r, err := range warc.Records(strings.NewReader(resource("a")+resource("b")), limit) {
		if err != nil {
			t.Fatal(err)
		}
		contents = append(contents, r.Content)
	}
	if len(contents) != 2 {
		t.Fatalf("%d records", len(contents))
	}
	if text, err := io.ReadAll(contents[0]); err == nil {
		t.Errorf("stale content is %q", text)
	}
}

// TestSourceFails: the error of the source ends the file and can be recognized.
func TestSourceFails(t *testing.T) {
	broken := errors.New("broken")
	for _, file := range []string{resource("a"), zipped(resource("a"))} {
		var last error
		for _, err := range warc.Records(io.MultiReader(strings.NewReader(file[:len(file)-6]), iotest.ErrReader(broken)), limit) {
			last = err
		}
		if !errors.Is(last, broken) {
			t.Errorf("error %v", last)
		}
	}
}

func TestResponse(t *testing.T) {
	const text = `{"Id":"1"}`
	encoded := func(encode func(io.Writer) io.WriteCloser) string {
		var b bytes.Buffer
		w := encode(&b)
		io.WriteString(w, text)
		w.Close()
		return b.String()
	}
	deflated := encoded(func(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) })
	brotlied := encoded(func(w io.Writer) io.WriteCloser { return brotli.NewWriter(w) })
	chunked := fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", len(text), text)
	digest := "WARC-Payload-Digest: sha256:4d8a4a5fdd5de3ba1aa8e0eeb3f5a7f03e8dd3e4b7d31bf1d4bd39bb8ee5ac44\r\n"
	for _, test := range []struct{ name, fields, head, body, want string }{
		{"plain", "", "HTTP/1.1 200 OK\r\n", text, text},
		{"HTTP/2 without a reason", "", "HTTP/2 200\r\n", text, text},
		{"no headers, bare line ends", "", "HTTP/1.0 200 OK\n", text, text},
		{"chunked", "", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n", chunked, text},
		{"stored without chunks", "", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n", text, text},
		{"gzip", "", "HTTP/1.1 200 OK\r\ncontent-encoding: GZIP\r\n", zipped(text), text},
		{"stored without gzip", "", "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n", text, text},
		{"deflate", "", "HTTP/1.1 200 OK\r\nContent-Encoding: deflate\r\n", deflated, text},
		{"brotli", "", "HTTP/1.1 200 OK\r\nContent-Encoding: br\r\n", brotlied, text},
		{"stored without brotli", "", "HTTP/1.1 200 OK\r\nContent-Encoding: br\r\n", text, text},
		{"two encodings", "", "HTTP/1.1 200 OK\r\nContent-Encoding: deflate, gzip\r\n", zipped(deflated), text},
		{"too many encodings", "", "HTTP/1.1 200 OK\r\nContent-Encoding: gzip" + strings.Repeat(", gzip", 9) + "\r\n", text, ""},
		{"unknown encoding", "", "HTTP/1.1 200 OK\r\nContent-Encoding: pigeon\r\n", text, ""},
		{"bomb", "", "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n", zipped(strings.Repeat("0", 2*limit)), ""},
		{"truncated gzip", "", "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n", zipped(text)[:20], ""},
		{"wrong payload digest", digest, "HTTP/1.1 200 OK\r\n", text, ""},
		{"payload digest of a revisit", "WARC-Type: revisit\r\n" + digest, "HTTP/1.1 200 OK\r\n", "", ""},
		{"no response", "", "GET / HTTP/1.1\r\n", text, ""},
		{"no status", "", "HTTP/1.1 two OK\r\n", text, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			fields := test.fields
			if !strings.Contains(fields, "WARC-Type") {
				fields += "WARC-Type: response\r\n"
			}
			for r, err := range warc.Records(strings.NewReader(record(fields, test.head+"\r\n"+test.body)), limit) {
				if err != nil {
					t.Fatal(err)
				}
				response, err := r.Response()
				var one *warc.RecordError
				switch {
				case err != nil && !errors.As(err, &one):
					t.Errorf("%v is not the error of a record", err)
				case test.want == "" && err == nil && len(response.Body) > 0:
					t.Errorf("body %q, want an error", response.Body)
				case test.want != "" && err != nil:
					t.Error(err)
				case test.want != "" && (string(response.Body) != test.want || response.Status != 200):
					t.Errorf("status %d, body %q", response.Status, response.Body)
				}
			}
		})
	}
}

func TestWriter(t *testing.T) {
	write := func() (string, []warc.Place) {
		var file bytes.Buffer
		w := warc.NewWriter(&file)
		var places []warc.Place
		for i, body := range []string{"<p>", "", strings.Repeat("ş", 1<<16)} {
			r := &warc.Record{
				Type: "response", URI: fmt.Sprintf("http://site.example/%d", i), Date: time.Date(2026, 11, 22, 13, 0, 0, 5, time.FixedZone("", 3*3600)),
				Header: map[string][]string{"Content-Type": {"application/http;msgtype=response"}, "Warc-Concurrent-To": {"<urn:x>"}},
			}
			place, err := w.Write(r, []byte("HTTP/1.1 200 OK\r\n\r\n"), func(w io.Writer) error { _, err := io.WriteString(w, body); return err })
			if err != nil {
				t.Fatal(err)
			}
			places = append(places, place)
		}
		return file.String(), places
	}
	file, places := write()
	if again, _ := write(); again != file {
		t.Error("two files of the same records differ")
	}
	ids := make(map[string]bool)
	for i, place := range places {
		for r, err := range warc.Records(strings.NewReader(file[place.Offset:][:place.Length]), limit) {
			if err != nil {
				t.Fatal(err)
			}
			ids[r.ID] = true
			response, err := r.Response()
			if err != nil {
				t.Fatal(err)
			}
			if want := fmt.Sprintf("http://site.example/%d", i); r.URI != want || r.Type != "response" || response.Status != 200 ||
				r.Date.Format(time.RFC3339) != "2026-11-22T10:00:00Z" || r.Header.Get("WARC-Concurrent-To") != "<urn:x>" {
				t.Errorf("record %+v, response %d", r, response.Status)
			}
		}
	}
	if len(ids) != len(places) {
		t.Errorf("%d ids for %d records", len(ids), len(places))
	}
}

func TestWriterRefuses(t *testing.T) {
	for _, r := range []warc.Record{
		{Type: "resource", URI: "http://site.example/\r\nWARC-Type: warcinfo"},
		{Type: "resource", URI: "http://site.example/", Header: map[string][]string{"Content-Type": {"text/html\nX: y"}}},
	} {
		if _, err := warc.NewWriter(io.Discard).Write(&r, nil, func(io.Writer) error { return nil }); err == nil {
			t.Errorf("%+v was written", r)
		}
	}
}

// A body that changes between its two calls is refused, and the error says how.
func TestWriterRefusesOtherBody(t *testing.T) {
	calls := 0
	_, err := warc.NewWriter(io.Discard).Write(&warc.Record{Type: "resource"}, nil, func(w io.Writer) error {
		calls++
		_, err := io.WriteString(w, strings.Repeat("x", calls))
		return err
	})
	if err == nil || strings.Contains(err.Error(), "%!") || !strings.Contains(err.Error(), "had 1 bytes and now has 2") {
		t.Error(err)
	}
}

// FuzzRecords: no file makes the reader panic, run on, or hand out more than a record
// may have.
func FuzzRecords(f *testing.F) {
	a := record("WARC-Type: response\r\nWARC-Payload-Digest: sha1:86f7e437faa5a7fce15d1ddcb9eaeaea377667b8\r\n",
		"HTTP/1.1 200 OK\r\nContent-Encoding: gzip, br\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n")
	for _, file := range []string{a + a, zipped(a, a), zipped(a + a), zipped(a) + "garbage" + zipped(a)} {
		f.Add([]byte(file))
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		const limit = 1 << 12
		records := 0
		for r, err := range warc.Records(bytes.NewReader(file), limit) {
			if records++; records > len(file)+1 {
				t.Fatal("more records than bytes")
			}
			if err != nil {
				continue
			}
			if response, err := r.Response(); err == nil && len(response.Body) > limit {
				t.Errorf("a body of %d bytes", len(response.Body))
			}
		}
	})
}
