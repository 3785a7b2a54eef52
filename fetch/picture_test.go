package fetch_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"image"
	"image/png"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"ayna/fetch"
	"ayna/record"
	"ayna/testrun"
	"ayna/testrun/fakepaper"
)

// show makes an article that shows pictures.
func show(n *mirror, id string, addresses ...string) {
	n.Add(fakepaper.Record{Group: "articles", ID: id, Title: "Resimli", Path: "/spor/", Pictures: addresses,
		Created: time.Date(2026, 11, 2, 0, 0, 0, 0, time.UTC)})
}

func (n *mirror) pictureNames(t *testing.T) []string {
	t.Helper()
	entries, err := os.ReadDir(n.archive.Pictures.Dir())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func (n *mirror) pictureRequests() []fakepaper.Request {
	return slices.DeleteFunc(n.Requests(), func(r fakepaper.Request) bool { return r.Operation != "picture" })
}

// problem is why there is no picture at an address, "" if there is one.
func problem(t *testing.T, report *fetch.Report, address string) string {
	t.Helper()
	for _, f := range report.Failed {
		if f.Operation == "picture" && f.ID == address {
			return f.Reason
		}
	}
	return ""
}

func TestPicturesAreMirroredOnce(t *testing.T) {
	withClock(t, func(t *testing.T) {
		n := open(t, fakepaper.Options{Items: 8})
		n.withPictures(t)
		var b bytes.Buffer
		if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 7, 5))); err != nil {
			t.Fatal(err)
		}
		n.Handle("GET /ayni/", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html") // its bytes say what it is
			w.Write(b.Bytes())
		})
		shared := n.Base + "/resim/ortak.png"
		for i := range 20 {
			show(n, fmt.Sprint(50_000_000+i), shared, fmt.Sprintf("%s/ayni/%d.jfif", n.Base, i))
		}
		report := n.mustRun(t)
		requests := n.pictureRequests()
		if len(requests) != 3 { // 2 of the 8 items show one each
			t.Errorf("%d requests for pictures of the service, want 3", len(requests))
		}
		for _, r := range requests {
			if r.Key != "" {
				t.Errorf("%s was sent with the key", r.URI)
			}
		}
		if report.Pictures.Fetched != 23 || report.Pictures.Failed != 0 {
			t.Errorf("pictures: %+v, want 23", report.Pictures)
		}
		names := n.pictureNames(t)
		if len(names) != 4 { // The 20 that are the same are one file
			t.Errorf("%d files: %v, want 4", len(names), names)
		}
		stored, err := n.archive.Records.Get(t.Context(), record.Article, "50000003")
		if err != nil {
			t.Fatal(err)
		}
		media, err := n.archive.Pictures.Of(t.Context(), stored.Row)
		got := media[n.Base+"/ayni/3.jfif"]
		if err != nil || got.Type != "image/png" || got.Width != 7 || got.Height != 5 || !slices.Contains(names, got.Name) || !strings.HasSuffix(got.Name, ".png") {
			t.Errorf("media %+v, %v", got, err)
		}
		n.mustRun(t)
		if again := len(n.pictureRequests()); again != 0 {
			t.Errorf("%d requests for pictures that are there", again)
		}
	})
}

// A picture has the size in which it is shown.
func TestTurnedPictures(t *testing.T) {
	withClock(t, func(t *testing.T) {
		n := open(t, fakepaper.Options{})
		n.withPictures(t)
		content := fakepaper.TurnedJPEG(7, 5)
		n.Handle("GET /dik/", func(w http.ResponseWriter, r *http.Request) { w.Write(content) })
		var addresses []string
		for i := range 6 {
			var ours []string
			for j := range 5 {
				ours = append(ours, fmt.Sprintf("%s/dik/%d-%d.jpg", n.Base, i, j))
			}
			show(n, fmt.Sprint(50_000_001+i), ours...)
			addresses = append(addresses, ours...)
		}
		n.mustRun(t)
		shown := 0
		for r, err := range n.archive.Catalog.Scan(t.Context(), record.Article) {
			if err != nil {
				t.Fatal(err)
			}
			media, err := n.archive.Pictures.Of(t.Context(), r.Row)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range media {
				if shown++; m.Width != 5 || m.Height != 7 {
					t.Errorf("%s is %d × %d, want 5 × 7", m.URL, m.Width, m.Height)
				}
			}
		}
		if shown != len(addresses) {
			t.Errorf("%d pictures, want %d", shown, len(addresses))
		}
	})
}

func TestNoPicturesUnlessAsked(t *testing.T) {
	withClock(t, func(t *testing.T) {
		n := open(t, fakepaper.Options{Items: 4})
		n.mustRun(t)
		if got := len(n.pictureRequests()); got != 0 {
			t.Errorf("%d requests for pictures", got)
		}
	})
}

func TestPictureIsTriedAgainAfterADay(t *testing.T) {
	withClock(t, func(t *testing.T) {
		n := open(t, fakepaper.Options{Items: 4, Faults: meeting(fakepaper.Status(http.StatusInternalServerError), func(c fakepaper.Call) bool { return c.Operation == "picture" })})
		n.withPictures(t)
		steps := []struct {
			forward  time.Duration
			requests int
		}{{0, 1}, {time.Minute, 0}, {23 * time.Hour, 0}, {time.Hour, 1}, {23 * time.Hour, 0}}
		for i, step := range steps {
			time.Sleep(step.forward)
			n.mustRun(t)
			if got := len(n.pictureRequests()); got != step.requests {
				t.Errorf("step %d: %d requests, want %d", i, got, step.requests)
			}
		}
		n.Faults = nil
		time.Sleep(2 * time.Hour)
		if report := n.mustRun(t); report.Pictures.Fetched != 1 || len(n.pictureNames(t)) != 1 {
			t.Errorf("pictures: %+v", report.Pictures)
		}
	})
}

// header is the start of a PNG of some size: enough to tell it.
func header(width, height uint32) []byte {
	chunk := binary.BigEndian.AppendUint32([]byte("IHDR"), width)
	chunk = append(binary.BigEndian.AppendUint32(chunk, height), 8, 2, 0, 0, 0)
	b := append([]byte("\x89PNG\r\n\x1a\n"), 0, 0, 0, 13)
	return binary.BigEndian.AppendUint32(append(b, chunk...), crc32.ChecksumIEEE(chunk))
}

func TestBadPictures(t *testing.T) {
	testrun.NotShort(t)
	t.Parallel()
	tests := []struct{ name, body, want string }{
		{"svg.svg", `<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`, "no JPEG, PNG, GIF or WebP"},
		{"html.jpg", `<!DOCTYPE html><script>alert(1)</script>`, "no JPEG, PNG, GIF or WebP"},
		{"empty.png", ``, "no JPEG, PNG, GIF or WebP"},
		{"start.png", "\x89PNG\r\n\x1a\n", "no JPEG, PNG, GIF or WebP"},
		{"huge.png", string(header(50000, 50000)), "50000 × 50000 pixels"},
		{"nothing.png", string(header(0, 5)), "no JPEG, PNG, GIF or WebP"},
		{"heavy.png", string(header(5, 5)) + strings.Repeat("\x00", 15<<20), "larger than 15 MiB"},
	}
	synctest.Test(t, func(t *testing.T) {
		n := open(t, fakepaper.Options{})
		n.withPictures(t)
		var addresses []string
		for _, test := range tests {
			n.Handle("GET /kotu/"+test.name, func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "image/png")
				w.Write([]byte(test.body))
			})
			addresses = append(addresses, n.Base+"/kotu/"+test.name)
		}
		show(n, "50000001", addresses...)
		report := n.mustRun(t)
		for i, test := range tests {
			if got := problem(t, report, addresses[i]); !strings.Contains(got, test.want) {
				t.Errorf("%s: %q, want %q", test.name, got, test.want)
			}
		}
		if names := n.pictureNames(t); len(names) != 0 {
			t.Errorf("stored: %v", names)
		}
		if report.Pictures.Failed != len(tests) {
			t.Errorf("pictures: %+v", report.Pictures)
		}
	})
}

// Pictures come from public addresses, or from the source itself. TestSpellings has more
// addresses.
func TestPrivateAddressesAreRefused(t *testing.T) {
	t.Parallel()
	var visits atomic.Int64
	private := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { visits.Add(1) }))
	t.Cleanup(private.Close)
	n := serve(t, fakepaper.Options{Key: key})
	n.withPictures(t)
	n.options.Timeout = 2 * time.Second
	redirects := map[string]string{
		"port":     private.URL + "/x.png",
		"metadata": "http://169.254.169.254/latest/meta-data/",
		"loopback": "http://127.0.0.1/x.png",
		"file":     "file:///etc/passwd",
		"gopher":   "gopher://127.0.0.1/",
		"loop":     n.Base + "/git/loop",
	}
	n.Handle("GET /git/{to}", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, redirects[r.PathValue("to")], http.StatusFound)
	})
	tests := []struct{ address, want string }{
		{private.URL + "/x.png", "from port"},
		{"http://127.0.0.1/x.png", "no public address"},
		{"http://169.254.169.254/latest/meta-data/", "no public address"},
		{"http://192.168.1.1:443/x.png", "no public address"},
		{n.Base + "/git/port", "from port"},
		{n.Base + "/git/metadata", "no public address"},
		{n.Base + "/git/loopback", "no public address"},
		{n.Base + "/git/file", `by "file"`},
		{n.Base + "/git/gopher", `by "gopher"`},
		{n.Base + "/git/loop", "more than three times"},
	}
	own := n.Base + "/resim/kendi.png"
	addresses := []string{own}
	for _, test := range tests {
		addresses = append(addresses, test.address)
	}
	show(n, "50000001", addresses...)
	report := n.mustRun(t)
	for _, test := range tests {
		if got := problem(t, report, test.address); got == "" || !strings.Contains(got, test.want) {
			t.Errorf("%s: %q, want %q", test.address, got, test.want)
		}
	}
	if got := problem(t, report, own); got != "" || report.Pictures.Fetched != 1 {
		t.Errorf("the source's own picture: %q, %+v", got, report.Pictures)
	}
	if visits.Load() != 0 {
		t.Errorf("%d visits to a private address", visits.Load())
	}
}

// At most three redirects are followed.
func TestPictureRedirects(t *testing.T) {
	t.Parallel()
	n := serve(t, fakepaper.Options{Items: 1})
	n.withPictures(t)
	n.Handle("GET /git/{left}", func(w http.ResponseWriter, r *http.Request) {
		if left, _ := strconv.Atoi(r.PathValue("left")); left > 0 {
			http.Redirect(w, r, fmt.Sprint("/git/", left-1), http.StatusFound)
			return
		}
		w.Write(header(5, 5))
	})
	three, four := n.Base+"/git/3", n.Base+"/git/4"
	show(n, "50000001", three, four)
	report := n.mustRun(t)
	if got := problem(t, report, three); got != "" {
		t.Errorf("three redirects: %s", got)
	}
	if got := problem(t, report, four); !strings.Contains(got, "more than three times") {
		t.Errorf("four redirects: %q", got)
	}
}

// A broken connection leaves no file.
func TestTruncatedPicture(t *testing.T) {
	t.Parallel()
	n := serve(t, fakepaper.Options{Items: 1})
	n.withPictures(t)
	n.Handle("GET /yarim.png", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "5000")
		w.Write(header(5, 5))
		panic(http.ErrAbortHandler)
	})
	show(n, "50000001", n.Base+"/yarim.png")
	report := n.mustRun(t)
	if got := problem(t, report, n.Base+"/yarim.png"); !strings.Contains(got, "EOF") {
		t.Errorf("truncated picture: %q", got)
	}
	if names := n.pictureNames(t); len(names) != 1 {
		t.Errorf("stored: %v, want the one that is whole", names)
	}
}
