package get

import (
	"net/netip"
	"net/url"
	"strings"
)

// IsSameSite reports whether an address belongs to the site of another one: the same host and
// port, with or without www., by the same scheme or by https instead of http. Sites redirect to
// such addresses when they are asked for others.
func IsSameSite(site, address *url.URL) bool {
	isUpgrade := site.Scheme == "http" && address.Scheme == "https"
	if address.Scheme != site.Scheme && !isUpgrade || address.User != nil {
		return false
	}
	hosts := [2]string{strings.ToLower(site.Hostname()), strings.ToLower(address.Hostname())}
	_, err := netip.ParseAddr(hosts[0])
	if isName := err != nil; isName {
		hosts[0], hosts[1] = strings.TrimPrefix(hosts[0], "www."), strings.TrimPrefix(hosts[1], "www.")
	}
	hasUsualPorts := isUsualPort(site) && isUsualPort(address)
	return hosts[0] == hosts[1] && (site.Port() == address.Port() || hasUsualPorts)
}

func isUsualPort(u *url.URL) bool {
	return u.Port() == "" || u.Port() == usualPorts[u.Scheme]
}

var usualPorts = map[string]string{"http": "80", "https": "443"}

// IsPrivate reports whether a host is that of this machine or of a private network by its name
// alone. What another name resolves to is not known.
func IsPrivate(host string) bool {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	ip, err := netip.ParseAddr(host)
	if err != nil {
		return host == "localhost" || strings.HasSuffix(host, ".localhost")
	}
	ip = ip.Unmap()
	return !ip.IsGlobalUnicast() || ip.IsPrivate()
}
