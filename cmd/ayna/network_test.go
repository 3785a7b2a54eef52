package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"io"
	"io/fs"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"ayna/testrun"
	"ayna/testrun/fakepaper"
)

// startTLS starts a news service that speaks HTTP/2, and writes its certificate
// to a file: the one that is given, or one for 127.0.0.1 and example.com.
func startTLS(t *testing.T, o fakepaper.Options, own *tls.Certificate) (s *fakepaper.Service, server *httptest.Server, certificate string) {
	t.Helper()
	server = httptest.NewUnstartedServer(nil)
	server.Config.ErrorLog = log.New(io.Discard, "", 0) // of handshakes that fail
	if own != nil {
		server.TLS = &tls.Config{Certificates: []tls.Certificate{*own}}
	}
	o.Base, o.Key = "https://"+server.Listener.Addr().String(), canary
	s = fakepaper.New(o)
	server.Config.Handler = s
	server.EnableHTTP2 = true
	server.StartTLS()
	t.Cleanup(server.Close)
	certificate = filepath.Join(t.TempDir(), "certificate.pem")
	block := &pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}
	if err := os.WriteFile(certificate, pem.EncodeToMemory(block), 0o644); err != nil {
		t.Fatal(err)
	}
	return s, server, certificate
}

// Streams that the server resets, and connections that it says goodbye to: what
// was asked for is asked for again, on a new connection where that is needed.
func TestStreamsResetAndConnectionsClosed(t *testing.T) {
	testrun.NotShort(t)
	t.Parallel()
	s, server, certificate := startTLS(t, fakepaper.Options{Items: 40, Faults: func(c fakepaper.Call) *fakepaper.Fault {
		switch {
		case c.Attempt > 1:
			return nil
		case strings.HasSuffix(c.ID, "3"):
			return &fakepaper.Fault{Cut: true} // RST_STREAM
		case strings.HasSuffix(c.ID, "7"):
			return &fakepaper.Fault{Header: http.Header{"Connection": {"close"}}} // GOAWAY
		}
		return nil
	}}, nil)
	var mu sync.Mutex
	connections, older := make(map[string]bool), 0
	server.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		connections[r.RemoteAddr] = true
		if r.ProtoMajor < 2 {
			older++
		}
		mu.Unlock()
		s.ServeHTTP(w, r)
	})
	p := newWorkdir(t, s, concurrency, "media: link\n"+fewFiles)
	p.env = []string{"SSL_CERT_FILE=" + certificate, "GODEBUG=http2debug=2"} // Logs every header
	p.mustBuild(t)
	a := fakepaper.Read(t, p.archivePath())
	for _, r := range s.Records() {
		if record, err := a.Records.Get(t.Context(), r.Kind(), r.ID); err != nil || record.Single == nil {
			t.Errorf("%s %s is not there: %v", r.Group, r.ID, err)
		}
	}
	resets := s.Count(func(r fakepaper.Request) bool { return r.Attempt > 1 && strings.HasSuffix(r.ID, "3") })
	if older > 0 || len(connections) < 4 || resets < 4 {
		t.Errorf("%d connections, %d requests asked again after a reset, %d not by HTTP/2: nothing was tested", len(connections), resets, older)
	}
}

// A certificate that does not prove who answers is no matter of waiting.
func TestCertificates(t *testing.T) {
	testrun.NotShort(t)
	t.Parallel()
	good, _, trusted := startTLS(t, fakepaper.Options{Items: 3}, nil)
	outdated, _, trustedOnce := startTLS(t, fakepaper.Options{Items: 3}, expired(t))
	for _, test := range []struct {
		name, base, trusted, text string
	}{
		{"unknown authority", good.Base, os.DevNull, "certificate"},
		{"another host", strings.Replace(good.Base, "127.0.0.1", "localhost", 1), trusted, "localhost"},
		{"expired", outdated.Base, trustedOnce, "expired"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			p := newWorkdir(t, fakepaper.New(fakepaper.Options{Base: test.base}), 1, "content: {kinds: [article]}\n")
			p.env = []string{"SSL_CERT_FILE=" + test.trusted, "SSL_CERT_DIR=" + os.DevNull}
			c := p.start(t)
			if code := c.wait(t, time.Minute); code != exitDown || !strings.Contains(c.err.String(), test.text) {
				t.Errorf("exit code %d, want %d and a word of %q\n%s", code, exitDown, test.text, c.err)
			}
			var report struct {
				Sync struct{ Requests struct{ Sent int } }
			}
			text, err := os.ReadFile(filepath.Join(p.dir, "report-1.json"))
			if err := errors.Join(err, json.Unmarshal(text, &report)); err != nil {
				t.Fatal(err)
			}
			if sent := report.Sync.Requests.Sent; sent != 3 {
				t.Errorf("%d requests, want one for each of three lists", sent)
			}
			if _, err := os.Stat(filepath.Join(p.dir, "public", "index.html")); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("a site was published: %v", err)
			}
		})
	}
}

// expired makes a certificate for 127.0.0.1 that is of no use any more.
func expired(t *testing.T) *tls.Certificate {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Unix(0, 0), NotAfter: time.Unix(1, 0),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	if err != nil {
		t.Fatal(err)
	}
	return &tls.Certificate{Certificate: [][]byte{der}, PrivateKey: private}
}

// The environment's proxy is used for the source, and sees no key.
func TestProxyFromTheEnvironment(t *testing.T) {
	t.Parallel()
	s, server, trusted := startTLS(t, fakepaper.Options{Items: 10}, nil)
	through := &proxy{target: server.Listener.Addr().String()}
	front := httptest.NewServer(through)
	t.Cleanup(front.Close)
	// Nobody here knows this name: only the proxy leads there.
	p := newWorkdir(t, fakepaper.New(fakepaper.Options{Base: "https://example.com"}), concurrency, "media: link\n"+fewFiles)
	p.env = []string{"SSL_CERT_FILE=" + trusted, "HTTPS_PROXY=" + front.URL, "NO_PROXY=", "no_proxy=", "https_proxy="}
	p.mustBuild(t)
	p.checkSecret(t)
	if arrived := s.Count(func(r fakepaper.Request) bool { return r.Key == canary }); arrived < len(s.Records()) {
		t.Errorf("%d requests arrived with the key, for %d records", arrived, len(s.Records()))
	}
	through.mu.Lock()
	defer through.mu.Unlock()
	if len(through.heads) == 0 {
		t.Error("the proxy was not used")
	}
	for _, head := range through.heads {
		if !strings.HasPrefix(head, "CONNECT example.com:443 ") || strings.Contains(head, canary) || strings.Contains(strings.ToLower(head), "apikey") {
			t.Errorf("the proxy was told\n%s", head)
		}
	}
}

// proxy passes on what it is asked to connect to, all to one address, and keeps
// the heads of the requests.
type proxy struct {
	target string
	mu     sync.Mutex
	heads  []string
}

func (p *proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	head, err := httputil.DumpRequest(r, false)
	p.mu.Lock()
	p.heads = append(p.heads, string(head))
	p.mu.Unlock()
	if err != nil || r.Method != http.MethodConnect {
		http.Error(w, "connect only", http.StatusMethodNotAllowed)
		return
	}
	server, err := net.Dial("tcp", p.target)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	defer server.Close()
	client, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	defer client.Close()
	io.WriteString(client, "HTTP/1.1 200 Connected\r\n\r\n")
	go func() {
		io.Copy(server, buffered)
		server.(*net.TCPConn).CloseWrite()
	}()
	io.Copy(client, server)
}
