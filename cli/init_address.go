package cli

import (
	"fmt"
	"net/netip"
	"net/url"
	"regexp"
	"strings"

	"ayna/generator/config"
)

// misspelt is the scheme of an address without its colon or slashes.
var misspelt = regexp.MustCompile(`(?i)^https?(:|//)/*`)

// addressesOf returns the addresses of a source that somebody may have meant, the likeliest
// first: with encryption and without, unless https is typed. Its errors show no password.
func addressesOf(typed string) ([]string, error) {
	typed = strings.TrimSpace(typed)
	if typed == config.Sample {
		return []string{typed}, nil
	}
	scheme, rest, hasScheme := strings.Cut(typed, "://")
	if scheme = strings.ToLower(scheme); !hasScheme {
		scheme, rest = "", typed
	}
	rest = misspelt.ReplaceAllString(rest, "")
	u, err := url.Parse("https://" + rest)
	switch {
	case err != nil || u.Hostname() == "" || strings.ContainsAny(u.Host, " \t"):
		return nil, usagef("this is not the address of a site; write it as https://kiyi.example")
	case u.User != nil:
		return nil, usagef("the address has a user name or a password; leave them out, a key is asked for later")
	case scheme != "" && scheme != "http" && scheme != "https":
		return nil, usagef("%s:// is no scheme of the web; write https://%s", scheme, rest)
	case !hasScheme && rest != typed:
		return nil, usagef("%s is not the address of a site; write it as https://%s", typed, rest)
	case strings.ContainsAny(rest, "?#"):
		return nil, usagef("the address has a part after ? or #; leave that out")
	}
	rest = strings.ToLower(u.Host) + strings.TrimRight(strings.TrimSuffix(strings.TrimRight(u.EscapedPath(), "/"), "/v1"), "/")
	switch scheme {
	case "https":
		return []string{"https://" + rest}, nil
	case "http":
		return []string{"http://" + rest, "https://" + rest}, nil
	}
	return []string{"https://" + rest, "http://" + rest}, nil
}

// hostOf returns the host of an address, without a port.
func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Hostname()
}

// isSameSite reports whether two addresses are of one host and port, with or without www.
func isSameSite(a, b string) bool {
	name := func(address string) string {
		u, err := url.Parse(address)
		if err != nil {
			return address
		}
		return strings.TrimPrefix(strings.ToLower(u.Host), "www.")
	}
	return name(a) == name(b)
}

// isOpen reports whether others on the way can read what goes to an address and comes from it.
func isOpen(address string) bool {
	ip, err := netip.ParseAddr(hostOf(address))
	isHere := hostOf(address) == "localhost" || err == nil && ip.IsLoopback()
	return strings.HasPrefix(address, "http://") && !isHere
}

// leadsTo describes a page that another address led to.
func leadsTo(from, to string) string {
	if to == "" || isSameSite(from, to) {
		return from
	}
	return fmt.Sprintf("%s leads to %s, which", from, to)
}
