package sync

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"syscall"
	"time"

	"ayna/client"
)

// publicTransport connects to public addresses only, and to the origin of the
// source. The check is made on the address that is being connected to, so a
// name that resolves differently a second time gains nothing. It uses no proxy:
// behind one the address could not be checked.
func publicTransport(origin *url.URL) http.RoundTripper {
	public := &net.Dialer{Timeout: 10 * time.Second, Control: func(_, address string, _ syscall.RawConn) error {
		return checkPublic(address)
	}}
	plain := &net.Dialer{Timeout: 10 * time.Second}
	own := hostPort(origin)
	transport := client.NewTransport()
	transport.Proxy = nil
	transport.MaxIdleConnsPerHost = 8
	transport.MaxConnsPerHost = 8
	transport.ResponseHeaderTimeout = 30 * time.Second
	transport.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		if address == own {
			return plain.DialContext(ctx, network, address)
		}
		return public.DialContext(ctx, network, address)
	}
	return transport
}

func hostPort(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return net.JoinHostPort(u.Hostname(), port)
}

// special are the ranges that are not the public internet: the IANA registries
// of special-purpose addresses for IPv4 and IPv6, multicast, and the ranges
// that embed an IPv4 address.
var special = prefixes(
	"0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
	"192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
	"224.0.0.0/4", "240.0.0.0/4",
	"::/96", "::ffff:0:0/96", "64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "2001::/23", "2001:db8::/32", "2002::/16",
	"3fff::/20", "5f00::/16", "fc00::/7", "fe80::/10", "fec0::/10", "ff00::/8",
)

func prefixes(texts ...string) []netip.Prefix {
	list := make([]netip.Prefix, len(texts))
	for i, text := range texts {
		list[i] = netip.MustParsePrefix(text)
	}
	return list
}

// checkPublic refuses an address, as host:port of a socket, that is not public.
func checkPublic(address string) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("pictures are not fetched from %s: %w", address, err)
	}
	ip := at.Addr().WithZone("").Unmap()
	for _, prefix := range special {
		if prefix.Contains(ip) {
			return fmt.Errorf("pictures are not fetched from %s: it is no public address", ip)
		}
	}
	return nil
}
