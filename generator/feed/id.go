package feed

import (
	"fmt"
	"io"
	"regexp"
)

// IDs returns what the ids of all feeds and entries begin with, "tag:", the
// authority and the date (RFC 4151).
func (o *Options) IDs() string { return "tag:" + o.Authority + "," + o.Date }

// tagURI returns an id. Whatever it is of, its title, its address and its folder
// may change.
func (r *Renderer) tagURI(specific string) string { return r.options.IDs() + ":" + specific }

// anID matches an id as feeds of any format have it.
var anID = regexp.MustCompile(`(?:<id>|<guid isPermaLink="false">|"id": ")(tag:[0-9a-z.-]+,[0-9-]+):`)

// IDsIn returns what the ids in a feed begin with that was written in any format,
// "" if it has none.
func IDsIn(r io.Reader) (string, error) {
	text, err := io.ReadAll(io.LimitReader(r, 2*maxFeed))
	if err != nil {
		return "", fmt.Errorf("read the ids of a feed: %w", err)
	}
	if found := anID.FindSubmatch(text); found != nil {
		return string(found[1]), nil
	}
	return "", nil
}
