package sync_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"ayna/client/clienttest"
)

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
func TestD47Spellings(t *testing.T) {
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
		command := exec.Command(os.Args[0], "-test.run=^TestD47Spellings$", "-test.v", "-test.timeout=2m")
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
	n := serve(t, clienttest.Options{Key: key})
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
	show(n.newsroom, "50000001", addresses...)
	report := n.mustRun(t)
	if report.Pictures.Fetched != 0 || visits.Load() != 0 {
		t.Errorf("%d pictures, %d connections", report.Pictures.Fetched, visits.Load())
	}
	if report.Pictures.Failed < len(spellings) {
		t.Errorf("only %d addresses were refused", report.Pictures.Failed)
	}
	t.Logf("%d spellings tried, as such and by a redirect", len(spellings))
}
