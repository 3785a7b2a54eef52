package sync_test

import (
	"context"
	"encoding/binary"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	gosync "sync"
	"testing"

	"golang.org/x/net/dns/dnsmessage"

	"ayna/generator/sync"
)

// A name that stands for a public address when it is looked up first, and for a
// private one from then on: what is connected to is what is checked, each time.
// Two addresses of this machine stand for them.
func TestT40NameThatChanges(t *testing.T) {
	const public, private = "127.0.0.2", "127.0.0.1"
	answer := func(text string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, text) }
	}
	port := listenAt(t, net.JoinHostPort(public, "0"), answer("public"))
	listenAt(t, net.JoinHostPort(private, port), answer("private"))
	resolve(t, public, private)
	pictures := sync.PicturesForTest(t, private+"/32")
	for i, want := range []string{"public", "no public address", "no public address"} {
		got := func() string {
			defer pictures.CloseIdleConnections() // so that the name is looked up again
			response, err := pictures.Get("http://resim.example:" + port + "/x.png")
			if err != nil {
				return err.Error()
			}
			defer response.Body.Close()
			body, err := io.ReadAll(response.Body)
			if err != nil {
				t.Error(err)
			}
			return string(body)
		}()
		if !strings.Contains(got, want) {
			t.Errorf("request %d: %q, want %q", i, got, want)
		}
	}
}

// listenAt serves at an address, and returns its port.
func listenAt(t *testing.T, address string, handler http.Handler) (port string) {
	t.Helper()
	listener, err := net.Listen("tcp", address)
	if err != nil {
		t.Skipf("SKIPPED: this machine has no address %s: %v", address, err)
	}
	server := &httptest.Server{Listener: listener, Config: &http.Server{Handler: handler}}
	server.Start()
	t.Cleanup(server.Close)
	_, port, _ = net.SplitHostPort(listener.Addr().String())
	return port
}

// resolve has names stand for one address after the other, and in the end for the
// last one, until the test ends. Tests beside it would be answered, too.
func resolve(t *testing.T, addresses ...string) {
	usual := net.DefaultResolver
	t.Cleanup(func() { net.DefaultResolver = usual })
	var mu gosync.Mutex
	next := func() net.IP {
		mu.Lock()
		defer mu.Unlock()
		ip := net.ParseIP(addresses[0])
		addresses = addresses[min(1, len(addresses)-1):]
		return ip.To4()
	}
	net.DefaultResolver = &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		here, there := net.Pipe()
		go func() {
			defer there.Close()
			for answerName(there, next) == nil {
			}
		}()
		return here, nil
	}}
}

// answerName answers a question for the address of a name, as over TCP.
func answerName(c net.Conn, next func() net.IP) error {
	var size uint16
	if err := binary.Read(c, binary.BigEndian, &size); err != nil {
		return err
	}
	text := make([]byte, size)
	if _, err := io.ReadFull(c, text); err != nil {
		return err
	}
	var message dnsmessage.Message
	if err := message.Unpack(text); err != nil {
		return err
	}
	message.Response, message.Additionals = true, nil
	if q := message.Questions[0]; q.Type == dnsmessage.TypeA {
		message.Answers = []dnsmessage.Resource{{
			Header: dnsmessage.ResourceHeader{Name: q.Name, Type: q.Type, Class: q.Class},
			Body:   &dnsmessage.AResource{A: [4]byte(next())},
		}}
	}
	text, err := message.Pack()
	if err != nil {
		return err
	}
	_, err = c.Write(append(binary.BigEndian.AppendUint16(nil, uint16(len(text))), text...))
	return err
}
