package markup

import (
	"net/url"
	"path"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// PlayerAddress returns the address of what an <iframe>, <embed> or other player shows. Scripts
// that load it late, or after a reader's consent, keep the address in an attribute of
// any name. It is "" if no attribute has an address.
func PlayerAddress(attr []html.Attribute) string {
	best, least := "", notAnAddress
	for _, a := range attr {
		if value := strings.TrimSpace(a.Val); !isPlaceholder(value) {
			if rank := rankOf(a.Key, value); rank < least {
				best, least = value, rank
			}
		}
	}
	return best
}

const notAnAddress = 3

// rankOf ranks attributes of a player. The real address is in an attribute for a script
// rather than in src.
func rankOf(key, value string) int {
	switch {
	case key == "src" || key == "data":
		return 1
	case slices.ContainsFunc(besides, func(part string) bool { return strings.Contains(key+"=", part) }):
	case key == "data-src", strings.Contains(key, "src") && IsAbsolute(value):
		return 0
	case IsAbsolute(value):
		return 2
	}
	return notAnAddress
}

// besides are parts of the names of attributes whose addresses are not what a player shows.
var besides = []string{
	"poster", "thumb", "image", "preview", "srcset", "srcdoc", "pluginspage", "codebase", "classid", "longdesc", "xmlns", "style", "cite", "ping", "itemtype", "data-origin=",
}

// isPlaceholder reports whether an address shows nothing.
func isPlaceholder(address string) bool {
	address = strings.TrimSpace(address)
	scheme, _, _ := strings.Cut(strings.ToLower(address), ":")
	if address == "" || slices.Contains([]string{"about", "data", "javascript", "blob"}, scheme) {
		return true
	}
	address, _, _ = strings.Cut(address, "?")
	name := strings.ToLower(path.Base(address))
	return slices.Contains([]string{"blank", "empty", "placeholder"}, strings.TrimSuffix(name, path.Ext(name)))
}

// IsAbsolute reports whether an address names a host.
func IsAbsolute(address string) bool {
	for _, begin := range []string{"https://", "http://", "//"} {
		if rest, ok := cutPrefixFold(address, begin); ok && rest != "" && !strings.ContainsAny(rest, " \t\n<>\"") {
			u, err := url.Parse("//" + rest)
			return err == nil && u.Hostname() != ""
		}
	}
	return false
}

func cutPrefixFold(s, prefix string) (rest string, ok bool) {
	if len(s) < len(prefix) || !strings.EqualFold(s[:len(prefix)], prefix) {
		return s, false
	}
	return s[len(prefix):], true
}

// Resolve makes an address absolute against another one. It returns the address as it is if
// that other one is not absolute.
func Resolve(base, address string) string { return resolve(parseBase(base), address) }

// parseBase returns nil for an address that names no host.
func parseBase(address string) *url.URL {
	u, err := url.Parse(address)
	if err != nil || !IsAbsolute(address) {
		return nil
	}
	return u
}

func resolve(base *url.URL, address string) string {
	trimmed := strings.TrimSpace(address)
	if base == nil || trimmed == "" || trimmed[0] == '#' {
		return address
	}
	u, err := url.Parse(trimmed)
	if err != nil || u.Scheme != "" {
		return address
	}
	return strings.ReplaceAll(base.ResolveReference(u).String(), " ", "%20") // in a query
}
