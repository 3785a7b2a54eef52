package export

import (
	"fmt"
	"path"
	"strings"
	"time"

	"ayna/archive"
)

// Part selects records of an archive or items of a site. The zero Part selects all.
type Part struct {
	Path  string         // folder with its sub-folders, like "/ekonomi/"; "" and "/" are all
	Month time.Time      // any moment of the month of publication; zero is all
	Zone  *time.Location // in which months begin

	rows   map[int64]bool // of the items of a writer or a saved search; nil is all
	titles []string       // of these
}

// ParsePart parses a folder's path and a month like 2026-09. Either may be empty.
func ParsePart(folder, month string, zone *time.Location) (Part, error) {
	p := Part{Path: path.Clean("/" + folder), Zone: zone}
	if p.Path != "/" {
		p.Path += "/"
	}
	var err error
	if month != "" {
		if p.Month, err = time.ParseInLocation("2006-01", month, zone); err != nil {
			err = fmt.Errorf("month %q: write it as 2026-09", month)
		}
	}
	return p, err
}

// dir is the directory of the part in the published tree, "" for the root.
func (p Part) dir() string { return strings.Trim(p.Path, "/") }

func (p Part) inMonth(t time.Time) bool {
	if p.Month.IsZero() {
		return true
	}
	t = t.In(p.Zone)
	return t.Year() == p.Month.Year() && t.Month() == p.Month.Month()
}

// holds reports whether a record belongs to the part.
func (p Part) holds(r *archive.Record) bool {
	return (p.dir() == "" || strings.HasPrefix(strings.TrimSuffix(r.Path, "/")+"/", p.Path)) && p.inMonth(r.Published) &&
		(p.rows == nil || p.rows[r.Row])
}
