package fetch_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"ayna/attachment"
	"ayna/fetch"
	"ayna/record"
	"ayna/testrun/fakepaper"
)

// attached opens a service over the network, and an archive that mirrors attachments.
func attached(t *testing.T) *mirror {
	t.Helper()
	n := serve(t, fakepaper.Options{Key: key})
	n.onDisk(t)
	n.options.Timeout = time.Second
	n.options.Attachments = fetch.Attachments{Kinds: []attachment.Kind{attachment.Document, attachment.Audio}, Largest: 2 << 20, PerRun: 8 << 20}
	return n
}

// linking adds an article that links an address.
func (n *mirror) linking(id, address string) {
	n.Add(fakepaper.Record{Group: "articles", ID: id, Title: "Ekli", Path: "/spor/", Text: `<p>Bak: <a href="` + address + `">ek</a></p>`,
		URL: n.Base + "/spor/" + id, Created: time.Date(2026, 11, 2, 0, 0, 0, 0, time.UTC)})
}

// file is the mirrored file of an attachment, "" if there is none: its name without the digest,
// and its content.
func (n *mirror) file(t *testing.T, id, address string) (ending string, content []byte) {
	t.Helper()
	stored, err := n.archive.Records.Get(t.Context(), record.Article, id)
	if err != nil {
		t.Fatal(err)
	}
	media, err := n.archive.Pictures.Of(t.Context(), stored.Row)
	if err != nil || media[address].Name == "" {
		return "", nil
	}
	content, err = os.ReadFile(filepath.Join(n.archive.Pictures.Dir(), media[address].Name))
	if err != nil || int64(len(content)) != media[address].Bytes {
		t.Errorf("%s: %d bytes, want %d (%v)", address, len(content), media[address].Bytes, err)
	}
	return filepath.Ext(media[address].Name), content
}

// cutter serves a content with an ETag, and ends each answer after so many bytes.
func cutter(content []byte, etag func(request int) string, most int) http.HandlerFunc {
	requests := 0
	return func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			requests++
		}
		w.Header().Set("ETag", etag(requests))
		http.ServeContent(&limited{w, r.Method, most}, r, "", time.Time{}, bytes.NewReader(content))
	}
}

// limited is an answer that ends early.
type limited struct {
	http.ResponseWriter
	method string
	left   int
}

func (l *limited) Write(p []byte) (int, error) {
	n, err := l.ResponseWriter.Write(p[:min(len(p), l.left)])
	if l.left -= n; l.left == 0 {
		l.ResponseWriter.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}
	return n, err
}

func TestAttachments(t *testing.T) {
	t.Parallel()
	pdf := append([]byte("%PDF-1.7\n"), bytes.Repeat([]byte("rapor "), 100_000)...)
	send := func(content string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, content) }
	}
	status := func(code int) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(code) }
	}
	endless := func(w http.ResponseWriter, r *http.Request) {
		for chunk := append([]byte("ID3"), make([]byte, 10_000)...); r.Method == http.MethodGet; {
			if _, err := w.Write(chunk); err != nil {
				return
			}
		}
	}
	one := func(int) string { return `"bir"` }
	for _, test := range []struct {
		name, path string
		handler    http.HandlerFunc
		problem    string // of the report, "" if the file is mirrored
		ending     string
		most       int // requests
	}{
		{"a document", "/a/rapor.pdf", send(string(pdf)), "", ".pdf", 2},
		{"a sound that is called a document", "/a/ses.pdf", send("ID3 " + strings.Repeat("a", 5000)), "", ".mp3", 2},
		{"a page that is called a document", "/a/sayfa.pdf", send("\n<!DOCTYPE html><title>Yok</title>"), "page of HTML", "", 2},
		{"a page that is called a text", "/a/sayfa.txt", send("<html><script>alert(1)</script>"), "page of HTML", "", 2},
		{"a program", "/a/kur.zip", send("MZ\x90\x00" + strings.Repeat("\x00", 5000)), "no format", "", 2},
		{"a drawing that runs", "/a/x.csv", send(`<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>`), "page of HTML", "", 2},
		{"an installer that is called a document", "/a/kur.pdf", send("\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1" + strings.Repeat("\x00", 5000)), "no format", "", 2},
		{"nothing", "/a/bos.pdf", send(""), "empty", "", 2},
		{"what never ends", "/a/sonsuz.mp3", endless, "larger than", "", 2},
		{"100 GB", "/a/dev.pdf", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", "100000000000")
			if r.Method == http.MethodGet {
				t.Error("100 GB are fetched")
			}
		}, "larger than", "", 1},
		{"100 GB without HEAD", "/a/dev2.pdf", func(w http.ResponseWriter, r *http.Request) {
			if w.Header().Set("Content-Length", "100000000000"); r.Method == http.MethodHead {
				w.Header().Del("Content-Length")
				w.WriteHeader(http.StatusMethodNotAllowed)
			}
		}, "larger than", "", 2},
		{"a file that is cut off thrice", "/a/kesik.pdf", cutter(pdf, one, 180_000), "", ".pdf", 5},
		{"a file that is cut off and then has changed", "/a/degisen.pdf", func() http.HandlerFunc {
			old, now := cutter(bytes.ToUpper(pdf), one, 300_000), cutter(pdf, func(int) string { return `"iki"` }, len(pdf)+1)
			return func(w http.ResponseWriter, r *http.Request) {
				if r.Header.Get("Range") == "" {
					old(w, r)
					return
				}
				now(w, r)
			}
		}(), "", ".pdf", 3},
		{"a range of another version", "/a/yalan.pdf", func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Range") != "" {
				w.Header().Set("ETag", `"iki"`)
				w.Header().Set("Content-Range", fmt.Sprintf("bytes 300000-%d/%d", len(pdf)-1, len(pdf)))
				w.WriteHeader(http.StatusPartialContent)
				return
			}
			cutter(pdf, one, 300_000)(w, r)
		}, "has changed", "", 8},
		{"no range for what is left", "/a/416.pdf", func() http.HandlerFunc {
			first := true
			return func(w http.ResponseWriter, r *http.Request) {
				switch {
				case r.Method == http.MethodGet && first:
					first = false
					cutter(pdf, one, 300_000)(w, r)
				case r.Header.Get("Range") != "":
					w.WriteHeader(http.StatusRequestedRangeNotSatisfiable)
				default:
					cutter(pdf, one, len(pdf)+1)(w, r)
				}
			}
		}(), "", ".pdf", 4},
		{"fewer bytes than announced", "/a/eksik.pdf", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", fmt.Sprint(len(pdf)))
			w.Write(pdf[:1000])
		}, "ended before", "", 6},
		{"a stalled answer", "/a/yavas.pdf", func(w http.ResponseWriter, r *http.Request) {
			if w.Write(pdf[:70_000]); r.Method == http.MethodGet {
				w.(http.Flusher).Flush()
				<-r.Context().Done()
			}
		}, "too slow", "", 5},
		{"what is encoded", "/a/sikis.pdf", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Encoding", "br")
			w.Write(pdf)
		}, "encoded as", "", 2},
		{"a redirect to this machine", "/a/git.pdf", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://127.0.0.1/x.pdf", http.StatusFound)
		}, "no public address", "", 1},
		{"what is not there", "/a/yok.pdf", status(http.StatusNotFound), "status 404", "", 1},
		{"a zip file that holds too much", "/a/bomba.zip", send("PK\x03\x04" + strings.Repeat("\x00", 100_000)), "", ".zip", 2},
		{"a name of 300 letters", "/a/" + strings.Repeat("u", 300) + ".pdf", send(string(pdf)), "", ".pdf", 2},
		{"a name that leads up", "/a/..%2F..%2Fsite.pdf", send(string(pdf)), "", ".pdf", 2},
		{"a name with a zero byte", "/a/a%00.pdf", send(string(pdf)), "", ".pdf", 2},
		{"a sound that is no one's", "/a/ses.ogg", send("OggS" + strings.Repeat("\x00", 100)), "", ".ogg", 2},
		{"a film, which is not asked for", "/a/film.mp4", status(http.StatusTeapot), "", "", 0},
		{"what has no name of a file", "/a/rapor", status(http.StatusTeapot), "", "", 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			n := attached(t)
			requests := 0
			n.Handle("/a/", func(w http.ResponseWriter, r *http.Request) {
				if requests++; r.Header.Get("apikey") != "" {
					t.Error("the key is sent")
				}
				test.handler(w, r)
			})
			address := n.Base + test.path
			n.linking("50000001", address)
			report := n.mustRun(t)
			reason := ""
			for _, f := range report.Failed {
				reason += f.Operation + " " + f.Reason
			}
			if report.Attachments.TooLarge > 0 {
				reason += " larger than"
			}
			ending, content := n.file(t, "50000001", address)
			if test.problem == "" && reason != "" || !strings.Contains(reason, test.problem) || ending != test.ending {
				t.Errorf("%q, %q, want %q, %q", reason, ending, test.problem, test.ending)
			}
			if ending == ".pdf" && !bytes.Equal(content, pdf) {
				t.Errorf("%d bytes are others", len(content))
			}
			if requests > test.most || report.Attachments.Requests > test.most+1 {
				t.Errorf("%d requests, %+v, want at most %d", requests, report.Attachments, test.most)
			}
			if most := int64(3 << 20); report.Attachments.Bytes > most {
				t.Errorf("%d bytes were read", report.Attachments.Bytes)
			}
			parts, _ := os.ReadDir(filepath.Dir(n.archive.Attachments.Partial("")))
			if want := strings.HasPrefix(test.problem, "ended") || strings.HasPrefix(test.problem, "too slow"); (len(parts) > 0) != want {
				t.Errorf("parts: %v, want some: %v", parts, want)
			}
		})
	}
}

// A mirrored file is asked for again ever more rarely, and fetched only if it has changed; a run
// that is cut off goes on in the next one.
func TestAttachmentsAgain(t *testing.T) {
	t.Parallel()
	n := attached(t)
	content, etag, most := append([]byte("%PDF-"), bytes.Repeat([]byte("1.7 rapor "), 75_000)...), `"bir"`, 1<<30
	var log []string
	n.Handle("/a/", func(w http.ResponseWriter, r *http.Request) {
		log = append(log, strings.TrimSpace(r.Method+" "+r.Header.Get("Range")+r.Header.Get("If-None-Match")))
		cutter(content, func(int) string { return etag }, most)(w, r)
	})
	address, now := n.Base+"/a/rapor.pdf", time.Now()
	n.options.Now = func() time.Time { return now }
	n.linking("50000001", address)
	for i, step := range []struct {
		days  int
		does  func()
		want  []string
		waits int
	}{
		{0, func() {}, []string{"HEAD", "GET"}, 0},
		{0, func() {}, nil, 0},
		{1, func() {}, []string{`GET "bir"`}, 0},
		{1, func() {}, []string{`GET "bir"`}, 0},
		{1, func() {}, nil, 0},
		{1, func() {}, []string{`GET "bir"`}, 0},
		{2, func() { content, etag = bytes.ToUpper(content), `"iki"` }, nil, 0},
		{2, func() { most = 100_000 }, []string{`GET "bir"`, `GET bytes=100000-`}, 0}, // per_run ends it
		{0, func() { n.options.Attachments.PerRun, most = 8<<20, 1<<30 }, []string{`GET bytes=165536-`}, 0},
		{0, func() { os.RemoveAll(n.archive.Pictures.Dir()) }, []string{"GET"}, 0},
		{1, func() { content, etag, most = append(slices.Clone(content), "son"...), `"uc"`, 0 }, []string{`GET "iki"`, "GET", "GET"}, 0}, // not one byte comes
		{1, func() { most = 1 << 30 }, []string{"GET"}, 0},
	} {
		now, log = now.AddDate(0, 0, step.days), nil
		step.does()
		if most == 100_000 {
			n.options.Attachments.PerRun = 150_000
		}
		n.mustRun(t)
		if !slices.Equal(log, step.want) {
			t.Errorf("step %d: %q, want %q", i, log, step.want)
		}
	}
	if _, got := n.file(t, "50000001", address); !bytes.Equal(got, content) {
		t.Error("the file is not the latest")
	}
	if files := n.pictureNames(t); len(files) != 2 { // and .partial
		t.Errorf("files: %q", files)
	}
	if parts, err := os.ReadDir(filepath.Dir(n.archive.Attachments.Partial(""))); err != nil || len(parts) > 0 {
		t.Errorf("parts: %v, %v", parts, err)
	}
}

// Only what fits is begun, at the source's own hosts.
func TestAttachmentsThatDoNotFit(t *testing.T) {
	t.Parallel()
	n := attached(t)
	content := append([]byte("%PDF-"), make([]byte, 1<<20)...)
	n.Handle("/a/", cutter(content, func(int) string { return `"bir"` }, 1<<30))
	for i := range 5 {
		n.linking(fmt.Sprint(50_000_001+i), fmt.Sprintf("%s/a/%d.pdf", n.Base, i))
	}
	n.linking("50000009", "https://baska.example/a.pdf")
	free := uint64(0)
	n.options.Attachments.Free = func(string) (uint64, error) { return free, nil }
	var notes []string
	n.options.Progress = func(p fetch.Progress) {
		if p.Note != "" {
			notes = append(notes, p.Note)
		}
	}
	report, err := n.run(t)
	if !errors.Is(err, fetch.ErrRoom) || report.Attachments.Waiting != 5 || len(notes) != 1 || !strings.Contains(notes[0], "5 files to fetch, 5.2 MB; 0.0 MB are free") {
		t.Errorf("%v, %+v, %q", err, report.Attachments, notes)
	}
	free, n.options.Attachments.PerRun = 1<<40, 3<<20
	for i, want := range []fetch.AttachmentCount{{Fetched: 2, Waiting: 3}, {Fetched: 2, Waiting: 1}, {Fetched: 1}, {}} {
		got := n.mustRun(t).Attachments
		if got.Fetched != want.Fetched || got.Waiting != want.Waiting || got.Failed > 0 {
			t.Errorf("run %d: %+v", i, got)
		}
	}
}
