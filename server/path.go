package server

import (
	"net/url"
	"strings"
)

// segments splits an escaped path and decodes each segment. An escaped slash is part of
// its segment. A segment that cannot be decoded stays as it is, and empty segments are
// ignored. v1/articles('41'), as OData writes it, has the segments of v1/articles/41.
func segments(path string) []string {
	var segments []string
	for segment := range strings.FieldsFuncSeq(path, func(c rune) bool { return c == '/' }) {
		if decoded, err := url.PathUnescape(segment); err == nil {
			segment = decoded
		}
		segments = append(segments, segment)
	}
	if last := len(segments) - 1; last > 0 && strings.EqualFold(segments[last-1], "v1") {
		if name, id, found := cutKey(segments[last]); found {
			segments = append(segments[:last], name, id)
		}
	}
	return segments
}

// cutKey splits the name of a group with an OData key: articles('41'), articles(41) or
// articles(Id='41').
func cutKey(segment string) (name, id string, found bool) {
	name, key, found := strings.Cut(segment, "(")
	if !found || !strings.HasSuffix(key, ")") {
		return "", "", false
	}
	key = strings.TrimSpace(strings.TrimSuffix(key, ")"))
	if property, value, named := strings.Cut(key, "="); named && strings.EqualFold(strings.TrimSpace(property), "Id") {
		key = strings.TrimSpace(value)
	}
	if len(key) >= 2 && key[0] == '\'' && key[len(key)-1] == '\'' {
		key = strings.ReplaceAll(key[1:len(key)-1], "''", "'")
	}
	return name, key, key != ""
}
