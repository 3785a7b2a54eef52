package warc_test

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"
	"time"

	"ayna/generator/warc"
)

// Each record is a gzip member of its own, and equal records have equal bytes.
func TestWriter(t *testing.T) {
	const httpHead = "HTTP/1.1 200 OK\r\n\r\n"
	bodies := []string{"<p>", "", strings.Repeat("ş", 1<<16)}
	ids := make(map[string]bool)
	write := func() (string, []warc.Place) {
		var file bytes.Buffer
		w := warc.NewWriter(&file)
		var places []warc.Place
		for i, body := range bodies {
			r := &warc.Record{
				Type: "response", URI: fmt.Sprintf("http://site.example/%d", i), Date: time.Date(2026, 11, 22, 13, 0, 0, 5, time.FixedZone("", 3*3600)),
				Header: map[string][]string{"Content-Type": {"application/http;msgtype=response"}, "Warc-Concurrent-To": {"<urn:x>"}},
			}
			place, err := w.Write(r, []byte(httpHead), func(w io.Writer) error { _, err := io.WriteString(w, body); return err })
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
	for i, place := range places {
		text := unzip(t, file[place.Offset:][:place.Length])
		head, rest, _ := strings.Cut(text, "\r\n\r\n")
		block, ok := strings.CutSuffix(rest, "\r\n\r\n")
		payload := strings.TrimPrefix(block, httpHead)
		id := regexp.MustCompile("WARC-Record-ID: <urn:uuid:[0-9a-f-]{36}>").FindString(head)
		want := fmt.Sprintf(strings.ReplaceAll(`WARC/1.1
%s
WARC-Type: response
WARC-Target-URI: http://site.example/%d
WARC-Date: 2026-11-22T10:00:00.000000005Z
Content-Type: application/http;msgtype=response
WARC-Concurrent-To: <urn:x>
WARC-Payload-Digest: sha256:%x
WARC-Block-Digest: sha256:%x
Content-Length: %d`, "\n", "\r\n"), id, i, sha256.Sum256([]byte(payload)), sha256.Sum256([]byte(block)), len(block))
		if head != want || !ok || payload != bodies[i] {
			t.Errorf("record %d is\n%s\nwant\n%s", i, head, want)
		}
		ids[id] = true
	}
	if len(ids) != len(places) {
		t.Errorf("%d ids for %d records", len(ids), len(places))
	}
}

func unzip(t *testing.T, member string) string {
	t.Helper()
	z, err := gzip.NewReader(strings.NewReader(member))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
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
