package main

import (
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"ayna/testrun"
	"ayna/testrun/fakepaper"
)

// giants are answers for single records that are larger than any machine likes.
// Those that are held are published, as far as the limits go; the others are
// stale. Plain runs try the first two, long ones the last three as well: the tests
// of package prose have the same texts.
var giants = []struct {
	name string
	held bool
	send func(w http.ResponseWriter, id string)
}{
	{"gzip bomb", false, func(w http.ResponseWriter, id string) {
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		repeat(z, `{"Id":"`+id+`","Text":"`, " ", 80<<20, `"}`)
		z.Close()
	}},
	{"endless body", false, func(w http.ResponseWriter, id string) { repeat(w, `{"Id":"`+id+`","Text":"`, "x", 1<<40, "") }},
	{"50 MB of text", true, func(w http.ResponseWriter, id string) {
		repeat(w, `{"Id":"`+id+`","Title":"Uzun","Text":"`, "<p>Bir söz.</p>", 50_000_000, `"}`)
	}},
	{"a million tags, each another", true, func(w http.ResponseWriter, id string) {
		io.WriteString(w, `{"Id":"`+id+`","Title":"Etiketli","Tags":["e"`)
		for i := range 1_000_000 {
			fmt.Fprintf(w, `,"e%d"`, i)
		}
		io.WriteString(w, `]}`)
	}},
	{"10,001 deep", false, func(w http.ResponseWriter, id string) {
		io.WriteString(w, `{"Id":"`+id+`","x":`+strings.Repeat("[", 10_001)+strings.Repeat("]", 10_001)+`}`)
	}},
	{"elements 10,001 deep", true, func(w http.ResponseWriter, id string) {
		repeat(w, `{"Id":"`+id+`","Title":"Derin","Text":"`, "<div><b>", 8*10_001, `"}`)
	}},
	{"text that takes quadratic time", true, func(w http.ResponseWriter, id string) {
		repeat(w, `{"Id":"`+id+`","Title":"Yavaş","Text":"`, "<a><table><b>", 10_000_000, `"}`)
	}},
	{"text whose Markdown takes quadratic time", true, func(w http.ResponseWriter, id string) {
		repeat(w, `{"Id":"`+id+`","Title":"Köşeli","Text":"`, "[", 1_000_000, `"}`)
	}},
	{"text whose Markdown takes quadratic memory", true, func(w http.ResponseWriter, id string) {
		repeat(w, `{"Id":"`+id+`","Title":"Geniş","Text":"<table>`, "<tr><td rowspan=99 colspan=99>a<td rowspan=99 colspan=99>a", 500_000, `"}`)
	}},
}

// repeat writes a text over and over, size bytes of it, until nobody listens.
func repeat(w io.Writer, before, text string, size int, after string) {
	io.WriteString(w, before)
	block := strings.Repeat(text, 1+1<<16/len(text))
	for size > 0 {
		n, err := io.WriteString(w, block[:min(len(block), max(size/len(text), 1)*len(text))])
		if err != nil {
			return
		}
		size -= n
	}
	io.WriteString(w, after)
}

// mostMiB is what a run may take with such a source, however many requests are
// in flight.
const mostMiB = 512

// Giants are cut, counted or left out; the others are published, in a bounded
// memory.
func TestBounded(t *testing.T) {
	testrun.NotShort(t)
	t.Parallel()
	s := startUpstream(t, fakepaper.Options{Items: 20})
	byID := make(map[string]int)
	tried := testrun.Counts{Plain: 2, Slow: len(giants) - 3, Long: len(giants)}.Now()
	for _, r := range s.Records() {
		if r.Group == "articles" && len(byID) < tried {
			byID[r.ID] = len(byID)
		}
	}
	s.Server.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:]
		if i, ok := byID[id]; ok {
			w.Header().Set("Content-Type", "application/json")
			giants[i].send(w, id)
			return
		}
		s.ServeHTTP(w, r)
	})
	p := newWorkdir(t, s, concurrency, "media: link\n"+fewFiles)
	p.env = usualMemory
	runs := 1
	if testrun.Long() {
		runs = 2 // the second one tries what is stale again, and renders nothing else
	}
	for range runs {
		c := p.start(t)
		over, peak := make(chan struct{}), make(chan int)
		go func() { peak <- c.watchMemory(over) }()
		code := c.wait(t, 4*time.Minute)
		close(over)
		if code != exitPartial && code != exitOK {
			t.Fatalf("exit code %d, want %d\n%s%s", code, exitPartial, c.out, c.err)
		}
		if megabytes := <-peak; megabytes > mostMiB {
			t.Errorf("%d MiB, want %d at most", megabytes, mostMiB)
		} else {
			t.Logf("%d MiB, exit code %d", megabytes, code)
		}
	}
	a := fakepaper.Read(t, p.archivePath())
	pages := p.tree(t, "public")
	for _, r := range s.Records() {
		record, err := a.Records.Get(t.Context(), r.Kind(), r.ID)
		if err != nil {
			t.Fatal(err)
		}
		i, giant := byID[r.ID]
		if held := record.Single != nil; giant && held != giants[i].held || !giant && !held {
			t.Errorf("%s %s: the single record is held: %t", r.Group, r.ID, held)
		}
		if page, ok := pages[record.Address]; record.Address != "" && (!ok || !strings.HasSuffix(strings.TrimSpace(page), "</html>") || len(page) > 16<<20) {
			t.Errorf("%s %s: the page is there: %t, %d bytes", r.Group, r.ID, ok, len(page))
		}
		if len(record.Tags) > 200 {
			t.Errorf("%s: %d tags", r.ID, len(record.Tags))
		}
	}
}
