package prose

import (
	"net/url"
	"strings"

	"golang.org/x/net/idna"
)

// maxAddress is the length in bytes above which an address is refused.
const maxAddress = 2000

// SafeURL returns an address in a form that may be written into a page or feed, or
// false. Only absolute http and https addresses with a host and without user
// information pass. Characters that RFC 3986 does not allow are percent-encoded,
// never twice; a host in another script is written in ASCII (RFC 5891). Control
// characters are dropped, as browsers drop tabs and line breaks.
func SafeURL(s string) (string, bool) {
	if len(s) > maxAddress {
		return "", false
	}
	u, err := url.Parse(encode(s))
	if err != nil ||
		u.Scheme != "http" && u.Scheme != "https" ||
		u.User != nil ||
		u.Opaque != "" {
		return "", false
	}
	// A zone names a network of the machine that wrote it, and may hold what would
	// not be encoded (RFC 6874).
	if u.Host, err = asciiHost(u.Host); err != nil || u.Hostname() == "" || strings.Contains(u.Host, "%") {
		return "", false
	}
	safe := u.String()
	return safe, len(safe) <= maxAddress
}

// StrictURL percent-encodes the brackets that [SafeURL] lets through, but for those around
// a host: XML readers refuse what RFC 3986 does not allow. SafeURL must not begin to do
// so, because archives know pictures by its results.
func StrictURL(safe string) string {
	_, rest, _ := strings.Cut(safe, "://")
	path := strings.IndexAny(rest, "/?#")
	if path < 0 {
		return safe
	}
	return safe[:len(safe)-len(rest)+path] + brackets.Replace(rest[path:])
}

var brackets = strings.NewReplacer("[", "%5B", "]", "%5D")

func asciiHost(host string) (string, error) {
	for i := range len(host) {
		if host[i] >= 0x80 {
			return idna.Lookup.ToASCII(host)
		}
	}
	return strings.ToLower(host), nil
}

// encode percent-encodes every byte that RFC 3986 does not allow in an
// address, and "%" where no two digits follow. Control characters are dropped.
func encode(s string) string {
	const hex = "0123456789ABCDEF"
	const allowed = "-._~:/?#[]@!$&'()*+,;="
	s = strings.TrimFunc(s, func(r rune) bool { return r <= ' ' || r == 0xA0 || r == 0xFEFF })
	var b strings.Builder
	for i := range len(s) {
		c := s[i]
		switch {
		case c < ' ' || c == 0x7F:
		case isLetterOrDigit(c), strings.IndexByte(allowed, c) >= 0, c == '%' && isEncoded(s[i:]):
			b.WriteByte(c)
		default:
			b.Write([]byte{'%', hex[c>>4], hex[c&15]})
		}
	}
	return b.String()
}

func isLetterOrDigit(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// isEncoded reports whether s begins with a percent-encoded byte.
func isEncoded(s string) bool { return len(s) > 2 && isHex(s[1]) && isHex(s[2]) }

func isHex(c byte) bool { return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f' }

// resolve makes an address of a text absolute, against the address of its record,
// and safe. It refuses a link into the same text, see [fragmentOf].
func resolve(base *url.URL, address string) (string, bool) {
	address = encode(address)
	if address == "" || address[0] == '#' || len(address) > maxAddress {
		return "", false
	}
	u, err := url.Parse(address)
	if err != nil {
		return "", false
	}
	if base != nil {
		u = base.ResolveReference(u)
	} else if u.Scheme == "" && u.Host != "" {
		u.Scheme = "https"
	}
	return SafeURL(u.String())
}

// Resolve makes an address in a record absolute, against the record's own address,
// and safe as [SafeURL] does. base may be empty.
func Resolve(base, address string) (string, bool) { return resolve(parseBase(base), address) }

// parseBase returns nil for an address that is not safe.
func parseBase(address string) *url.URL {
	if safe, ok := SafeURL(address); ok {
		if base, err := url.Parse(safe); err == nil {
			return base
		}
	}
	return nil
}
