package main

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"ayna/cli"
	"ayna/testrun"
	"ayna/testrun/fakepaper"
)

// specialKey has letters that encodings escape.
const specialKey = "kanarya+anahtar/<12345>&67890=="

// keyForms returns a key as programs commonly encode it.
func keyForms(key string) []string {
	quoted, _ := json.Marshal(key)
	return []string{
		key, strings.Trim(string(quoted), `"`), strings.ReplaceAll(key, "/", `\/`), url.QueryEscape(key), url.PathEscape(key),
		base64.RawStdEncoding.EncodeToString([]byte(key)), base64.RawURLEncoding.EncodeToString([]byte(key)),
	}
}

// startTalkative serves records over TCP, and after each body, beyond its
// Content-Length, repeats the key. It returns the address, and the number of
// requests that held the key.
func startTalkative(t *testing.T) (address string, keys *atomic.Int64) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	address, keys = "http://"+listener.Addr().String(), new(atomic.Int64)
	news := fakepaper.New(fakepaper.Options{Items: 20, Base: address, Key: specialKey})
	answer := func(conn net.Conn) {
		defer conn.Close()
		for in := bufio.NewReader(conn); ; {
			r, err := http.ReadRequest(in)
			if err != nil {
				return
			}
			key := r.Header.Get("apikey")
			if key != "" {
				keys.Add(1)
			}
			w := httptest.NewRecorder()
			news.ServeHTTP(w, r)
			w.Header().Set("Content-Length", fmt.Sprint(w.Body.Len()))
			fmt.Fprintf(conn, "HTTP/1.1 %d OK\r\n", w.Code)
			w.Header().Write(conn)
			fmt.Fprintf(conn, "\r\n%sDenied for apikey %s", w.Body, specialKey)
		}
	}
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go answer(conn)
		}
	}()
	return address, keys
}

// A source that repeats the key where no answer is expected: net/http writes
// such bytes to the standard logger.
func TestBytesBeyondTheAnswer(t *testing.T) {
	testrun.NotShort(t)
	t.Parallel()
	for _, flag := range []string{"-v", "--quiet"} {
		t.Run(flag, func(t *testing.T) {
			t.Parallel()
			address, keys := startTalkative(t)
			p := newWorkdir(t, fakepaper.New(fakepaper.Options{Base: address}), concurrency, "searches: [liman]\n"+fewFiles)
			p.key = specialKey
			c := p.startCommand(t, "build", flag, "--report", "report.json")
			if code := c.wait(t, time.Minute); code != exitOK {
				t.Errorf("exit code %d\n%s", code, c.err)
			}
			if keys.Load() == 0 {
				t.Error("no request held the key")
			}
			if flag == "--quiet" && c.err.Len() > 0 {
				t.Errorf("stderr: %s", c.err)
			}
			if strings.Contains(c.err.String(), "Unsolicited") {
				t.Errorf("stderr has words of another logger: %s", c.err)
			}
			printed := map[string]string{"stdout": c.out.String(), "stderr": c.err.String()}
			for name, content := range p.tree(t, ".") {
				printed[name] = content
			}
			if _, err := os.Stat(filepath.Join(p.dir, "public", "index.html")); err != nil {
				t.Error(err)
			}
			for name, content := range printed {
				for _, form := range keyForms(specialKey) {
					if strings.Contains(content, form) {
						t.Errorf("%s holds the key as %s", name, form)
					}
				}
			}
		})
	}
}

// Whatever a dependency logs stays out of stderr.
func TestStandardLoggerIsSilent(t *testing.T) {
	var logged strings.Builder
	before := log.Writer()
	log.SetOutput(&logged)
	t.Cleanup(func() { log.SetOutput(before) })
	for _, command := range []string{"serve", "pack", "build"} {
		if code := cli.Ayna([]string{command, "--help"}, io.Discard, io.Discard); code != exitOK {
			t.Fatalf("exit code %d", code)
		}
	}
	log.Print("from net/http")
	slog.Error("from slog")
	if logged.Len() > 0 {
		t.Errorf("logged: %s", &logged)
	}
}
