package server_test

import (
	"bufio"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ayna/server"
	"ayna/testrun"
)

// Five hundred clients that never end their headers do not keep others
// waiting, and are sent away.
func TestSlowHeaders(t *testing.T) {
	testrun.NotShort(t)
	synctest.Test(t, func(t *testing.T) {
		p, _ := startPipes(t, server.Middleware{}, site(t))
		var slow []io.Reader
		for range 500 {
			slow = append(slow, p.send(t, "GET / HTTP/1.1\r\nHost: localhost\r\nX: "))
		}
		begun, client := time.Now(), p.client()
		defer client.CloseIdleConnections()
		for range 300 {
			response, err := client.Get("http://localhost/")
			if err != nil {
				t.Fatal(err)
			}
			io.Copy(io.Discard, response.Body)
			response.Body.Close()
			if response.StatusCode != 200 {
				t.Fatalf("status %d", response.StatusCode)
			}
		}
		if took := time.Since(begun); took > 0 {
			t.Errorf("others waited %v", took)
		}
		for _, c := range slow {
			if _, err := io.ReadAll(c); err != nil {
				t.Fatal(err)
			}
		}
		if took := time.Since(begun); took != 5*time.Second {
			t.Errorf("slow clients were sent away after %v", took)
		}
	})
}

// Readers that take nothing of a large file lose their slots, and one that
// takes it gets the whole.
func TestSlowReaders(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		large := strings.Repeat("0123456789abcdef", 1<<16)
		put(t, filepath.Join(dir, "a.bin"), large, time.Now())
		p, _ := startPipes(t, server.Middleware{InFlight: 9}, preview(t, dir))
		const request = "GET /a.bin HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
		for range 8 {
			p.send(t, request)
		}
		// It needs longer for the whole than a chunk may take.
		response, err := http.ReadResponse(bufio.NewReader(p.send(t, request)), nil)
		if err != nil {
			t.Fatal(err)
		}
		begun := time.Now()
		var body strings.Builder
		for err == nil {
			time.Sleep(time.Second)
			_, err = io.CopyN(&body, response.Body, 64<<10)
		}
		if body.String() != large || time.Since(begun) < 15*time.Second {
			t.Errorf("a steady reader gets %d bytes in %v: %v", body.Len(), time.Since(begun), err)
		}
		// Every slot is free again, since the slow ones have been given up.
		synctest.Wait()
		for range 9 {
			response, err := http.ReadResponse(bufio.NewReader(p.send(t, request)), nil)
			if err != nil || response.StatusCode != 200 {
				t.Errorf("a slow reader keeps its slot: %v, %v", response, err)
			}
		}
	})
}

// cutting cuts a file off at the first byte of an answer.
type cutting struct {
	http.ResponseWriter
	name string
}

func (c cutting) Write(b []byte) (int, error) {
	os.Truncate(c.name, 100)
	return c.ResponseWriter.Write(b)
}

// A file that is cut off while it is sent does not pass for a whole one.
func TestCutOffFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.bin")
	put(t, name, strings.Repeat("0123456789abcdef", 1<<14), old)
	p := preview(t, filepath.Dir(name))
	live := httptest.NewServer(server.Middleware{}.Wrap(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.ServeHTTP(cutting{w, name}, r)
	})))
	defer live.Close()
	response, err := http.Get(live.URL + "/a.bin")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if n, err := io.Copy(io.Discard, response.Body); err == nil {
		t.Errorf("%d bytes pass for the whole", n)
	}
}
