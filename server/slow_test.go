package server_test

import (
	"bufio"
	"encoding/hex"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"ayna/server"
)

// Five hundred clients that never end their headers do not keep others
// waiting, and are sent away.
func TestV01SlowHeaders(t *testing.T) {
	address, stop := start(t, server.Frame{}, site(t))
	var slow []net.Conn
	for range 500 {
		c, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		if _, err := io.WriteString(c, "GET / HTTP/1.1\r\nHost: localhost\r\nX: "); err != nil {
			t.Fatal(err)
		}
		slow = append(slow, c)
	}
	client := &http.Client{Timeout: 30 * time.Second}
	defer client.CloseIdleConnections()
	var took []time.Duration
	for range 300 {
		began := time.Now()
		response, err := client.Get("http://" + address + "/")
		if err != nil {
			t.Fatal(err)
		}
		io.Copy(io.Discard, response.Body)
		response.Body.Close()
		took = append(took, time.Since(began))
		if response.StatusCode != 200 {
			t.Fatalf("status %d", response.StatusCode)
		}
	}
	slices.Sort(took)
	t.Logf("beside 500 slow clients: p50 %v, p99 %v", took[150], took[297])
	for _, c := range slow {
		c.SetReadDeadline(time.Now().Add(60 * time.Second))
		if _, err := io.ReadAll(c); errors.Is(err, os.ErrDeadlineExceeded) {
			t.Fatal("a slow client is never sent away")
		}
	}
	client.CloseIdleConnections()
	stop()
}

// Readers that take nothing of a large file lose their places, and one that
// takes it gets the whole.
func TestV02SlowReaders(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for the time-out of a piece")
	}
	t.Parallel()
	dir := t.TempDir()
	large := strings.Repeat("0123456789abcdef", 1<<20)
	put(t, filepath.Join(dir, "a.bin"), large, old)
	address, stop := start(t, server.Frame{InFlight: 9}, preview(t, dir))
	for range 8 {
		c, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		c.(*net.TCPConn).SetReadBuffer(4 << 10)
		io.WriteString(c, "GET /a.bin HTTP/1.1\r\nHost: localhost\r\n\r\n")
	}
	// It needs longer for the whole than a piece may take.
	steady, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer steady.Close()
	steady.(*net.TCPConn).SetReadBuffer(64 << 10)
	io.WriteString(steady, "GET /a.bin HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
	response, err := http.ReadResponse(bufio.NewReader(steady), nil)
	if err != nil {
		t.Fatal(err)
	}
	var body strings.Builder
	for err == nil {
		time.Sleep(time.Second)
		_, err = io.CopyN(&body, response.Body, 1<<20)
	}
	if body.String() != large {
		t.Errorf("a steady reader gets %d bytes: %v", body.Len(), err)
	}
	// Every place is free again once the slow ones have been given up.
	for end := time.Now().Add(60 * time.Second); ; time.Sleep(200 * time.Millisecond) {
		if busy(t, address, 9) == 0 {
			break
		}
		if time.Now().After(end) {
			t.Fatal("slow readers keep their places")
		}
	}
	stop()
}

// busy returns how many of n requests at the same time find no place.
func busy(t *testing.T, address string, n int) int {
	t.Helper()
	var conns []net.Conn
	refused := 0
	for range n {
		c, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		io.WriteString(c, "GET /a.bin HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
		conns = append(conns, c)
	}
	for _, c := range conns {
		response, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil || response.StatusCode != 200 {
			refused++
		}
	}
	return refused
}

// A file that is cut off while it is sent does not pass for a whole one.
func TestCutOffFile(t *testing.T) {
	dir := t.TempDir()
	random := make([]byte, 12<<20)
	rand.NewChaCha8([32]byte{}).Read(random)
	put(t, filepath.Join(dir, "a.txt"), hex.EncodeToString(random), old)
	address, stop := start(t, server.Frame{}, preview(t, dir))
	for _, accept := range []string{"gzip", "identity"} {
		put(t, filepath.Join(dir, "a.txt"), hex.EncodeToString(random), old)
		c, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		c.(*net.TCPConn).SetReadBuffer(4 << 10)
		io.WriteString(c, "GET /a.txt HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAccept-Encoding: "+accept+"\r\n\r\n")
		response, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(filepath.Join(dir, "a.txt"), 100); err != nil {
			t.Fatal(err)
		}
		if n, err := io.Copy(io.Discard, response.Body); err == nil {
			t.Errorf("%s: %d bytes pass for the whole", accept, n)
		}
	}
	stop()
}
