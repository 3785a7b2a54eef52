// Package pack makes of a published site what can be taken along: a zip file
// that opens by double click, or a ZIM file for Kiwix; and of an archive the
// records, as lines of JSON or as a table. A part of either is what lies under a
// path, or was published in a month.
package pack

import (
	"fmt"
	"path"
	"strings"
	"time"

	"ayna/archive"
	"ayna/generator/site"
)

// Part is what of a site or an archive is packed; the zero Part is all of it.
type Part struct {
	Path  string         // folder: "/ekonomi/", with its sub-folders; "" or "/" is all
	Month time.Time      // any moment of the month of publication; zero is all
	Zone  *time.Location // in which months begin
}

// ParsePart reads a part as people write it: a path, and a month as 2026-09;
// either may be empty.
func ParsePart(folder, month string, zone *time.Location) (Part, error) {
	p := Part{Path: "/" + strings.Trim(path.Clean("/"+folder), "/"), Zone: zone}
	if p.Path != "/" {
		p.Path += "/"
	}
	if month == "" {
		return p, nil
	}
	var err error
	if p.Month, err = time.ParseInLocation("2006-01", month, zone); err != nil {
		return p, fmt.Errorf("month %q: write it as 2026-09", month)
	}
	return p, nil
}

// whole reports whether nothing is left out.
func (p Part) whole() bool { return p.dir() == "" && p.Month.IsZero() }

// dir is the directory of the part in the published tree, "" for the root.
func (p Part) dir() string { return strings.Trim(p.Path, "/") }

// has reports whether a time is in the month.
func (p Part) has(t time.Time) bool {
	if p.Month.IsZero() {
		return true
	}
	t = t.In(p.Zone)
	return t.Year() == p.Month.Year() && t.Month() == p.Month.Month()
}

// holds reports whether a record belongs to the part.
func (p Part) holds(r *archive.Record) bool {
	return (p.dir() == "" || strings.HasPrefix(strings.TrimSuffix(r.Path, "/")+"/", p.Path)) && p.has(r.Published)
}

// Site is a published site that is packed.
type Site struct {
	Dir      string // where it is published
	BaseURL  string // where it is served; links that lead out of a part go there
	Title    string
	About    string // its description
	Language string // "tr" or "en"
	Source   string // how it names what it mirrors
	Words    site.Words
	Progress func(done, all int) // may be nil
}

func (s *Site) progress(done, all int) {
	if s.Progress != nil {
		s.Progress(done, all)
	}
}
