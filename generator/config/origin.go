package config

import (
	"net/url"
	"path"
	"strings"
)

// The archives that site.yaml need not name. The sample has one of its own, so
// that nothing of it is left in the mirror of a real service.
const (
	defaultArchive = ".ayna/archive.db"
	sampleArchive  = ".ayna/sample/archive.db"
)

// Origin names the service that the source is: [Sample], or host, port and path
// of its address, ending in a slash. Two spellings of one address have the same
// origin. The scheme is left out: it is https but on this machine, and one host
// does not run two services on one port.
func (s *Source) Origin() string {
	if s.URL == Sample {
		return Sample
	}
	u, err := url.Parse(s.URL)
	if err != nil { // checked before
		return s.URL
	}
	port := map[string]string{"http": ":80", "https": ":443"}[u.Scheme]
	host := strings.TrimSuffix(strings.TrimSuffix(strings.ToLower(u.Host), port), ":")
	host = strings.TrimSuffix(host, ".")
	return host + strings.TrimSuffix((&url.URL{Path: path.Clean("/" + u.Path)}).EscapedPath(), "/") + "/"
}
