package fetch_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"runtime/debug"
	"slices"
	"strings"
	gosync "sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/net/dns/dnsmessage"

	"ayna/fetch"
	"ayna/testrun"
	"ayna/testrun/fakepaper"
)

// A name resolves to a public address at first and to a private one later: the address of
// each connection is checked. Two addresses of this machine are used for them.
func TestNameThatChanges(t *testing.T) {
	const public, private = "127.0.0.2", "127.0.0.1"
	answer := func(text string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, text) }
	}
	port := listenAt(t, net.JoinHostPort(public, "0"), answer("public"))
	listenAt(t, net.JoinHostPort(private, port), answer("private"))
	resolve(t, public, private)
	pictures := fetch.PicturesForTest(t, private+"/32")
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

// resolve resolves names to one address after the other, and in the end to the
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

// The site of a source is reached wherever its name leads, and another host, to which its answers
// lead, only at public addresses.
func TestSourceReachesItsSite(t *testing.T) {
	var visits atomic.Int64
	port := listenAt(t, "127.0.0.1:0", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { visits.Add(1) }))
	resolve(t, "127.0.0.1")
	site, err := url.Parse("http://haber.example:" + port)
	if err != nil {
		t.Fatal(err)
	}
	for host, want := range map[string]error{
		"haber.example:" + port: nil, "www.haber.example:" + port: nil, "admin.example:" + port: fetch.ErrPrivate, "127.0.0.1:" + port: fetch.ErrPrivate,
	} {
		before := visits.Load()
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+host+"/", nil)
		if err != nil {
			t.Fatal(err)
		}
		response, err := fetch.NewTransport(site).RoundTrip(request)
		if err == nil {
			response.Body.Close()
		}
		if !errors.Is(err, want) || (visits.Load() > before) != (want == nil) {
			t.Errorf("%s: %v, %d visits", host, err, visits.Load()-before)
		}
	}
}

// spellings are addresses of this machine and of private networks, as people and
// attackers write them.
var spellings = []string{
	"127.0.0.1", "127.0.0.1:80", "127.0.0.2", "127.1.2.3", "127.255.255.254", "127.1", "127.0.1", "0", "0.0.0.0", "0.0.0.1", "000.000.000.000",
	"2130706433", "0x7f000001", "0x7F.0x0.0x0.0x1", "0x7f.1", "017700000001", "0177.0.0.1", "0177.1", "127.0.0.01", "127.000.000.001", "127.0.0.1.", "127.0.0.0x1",
	"localhost", "LOCALHOST", "localhost.", "localhost.localdomain", "ip6-localhost", "ip6-loopback", "a.localhost",
	"[::1]", "[::]", "[0:0:0:0:0:0:0:1]", "[0000:0000:0000:0000:0000:0000:0000:0001]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::127.0.0.1]", "[::7f00:1]",
	"[0:0:0:0:0:ffff:127.0.0.1]", "[64:ff9b::127.0.0.1]", "[64:ff9b::7f00:1]", "[64:ff9b:1::7f00:1]", "[2002:7f00:1::]", "[2001::7f00:1]", "[fe80::1]", "[fe80::1%25lo]", "[::1%25lo]",
	"[fec0::1]", "[fc00::1]", "[fd00::1]", "[fd12:3456:789a::1]", "[ff02::1]", "[100::1]", "[2001:db8::1]", "[::ffff:10.0.0.1]", "[::ffff:169.254.169.254]",
	"10.0.0.1", "10.255.255.255", "10.1", "172.16.0.1", "172.31.255.255", "192.168.0.1", "192.168.1.1", "0xc0.0xa8.0.1", "3232235521", "169.254.169.254", "0xa9fea9fe", "2852039166",
	"100.64.0.1", "100.127.255.255", "192.0.0.1", "192.0.2.1", "198.18.0.1", "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.250", "240.0.0.1", "255.255.255.255",
	"１２７.0.0.1", "127。0。0。1", "①②⑦.0.0.1", "loc\u00adalhost", "user:pass@127.0.0.1", "127.0.0.1%00.example", "127.0.0.1#.example", "127.0.0.1\\@haber.example",
}

// No spelling of a private address is connected to, whichever resolver reads it:
// Go's own, or the system's where the program is built with cgo.
func TestSpellings(t *testing.T) {
	testrun.NotShort(t)
	t.Parallel()
	if len(spellings) < 60 {
		t.Fatalf("only %d spellings", len(spellings))
	}
	if os.Getenv("AYNA_RESOLVER") != "" {
		trySpellings(t)
		return
	}
	resolvers := []string{"go"}
	if info, ok := debug.ReadBuildInfo(); ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "CGO_ENABLED", Value: "1"}) {
		resolvers = append(resolvers, "cgo")
	}
	for _, resolver := range resolvers {
		command := exec.Command(os.Args[0], "-test.run=^TestSpellings$", "-test.v", "-test.timeout=2m")
		command.Env = append(os.Environ(), "AYNA_RESOLVER="+resolver, "GODEBUG=netdns="+resolver)
		out, err := command.CombinedOutput()
		if err != nil || !strings.Contains(string(out), "spellings tried") {
			t.Errorf("resolver %s: %v\n%s", resolver, err, out)
		}
	}
}

func trySpellings(t *testing.T) {
	var visits atomic.Int64
	visited := http.HandlerFunc(func(http.ResponseWriter, *http.Request) { visits.Add(1) })
	for _, address := range []string{"127.0.0.1:80", "[::1]:80"} { // where that is allowed
		if listener, err := net.Listen("tcp", address); err == nil {
			server := &http.Server{Handler: visited, ConnState: func(net.Conn, http.ConnState) { visits.Add(1) }}
			go server.Serve(listener)
			t.Cleanup(func() { server.Close() })
		}
	}
	n := serve(t, fakepaper.Options{Key: key})
	n.withPictures(t)
	n.options.Timeout = 2 * time.Second
	n.Handle("GET /git/{number}", func(w http.ResponseWriter, r *http.Request) {
		var number int
		fmt.Sscan(r.PathValue("number"), &number)
		w.Header().Set("Location", "http://"+spellings[number]+"/x.png")
		w.WriteHeader(http.StatusFound)
		io.WriteString(w, "moved")
	})
	var addresses []string
	for i, spelling := range spellings {
		addresses = append(addresses, "http://"+spelling+"/x.png", fmt.Sprintf("%s/git/%d", n.Base, i))
	}
	show(n, "50000001", addresses...)
	report := n.mustRun(t)
	if report.Pictures.Fetched != 0 || visits.Load() != 0 {
		t.Errorf("%d pictures, %d connections", report.Pictures.Fetched, visits.Load())
	}
	if report.Pictures.Failed < len(spellings) {
		t.Errorf("only %d addresses were refused", report.Pictures.Failed)
	}
	t.Logf("%d spellings tried, as such and by a redirect", len(spellings))
}
