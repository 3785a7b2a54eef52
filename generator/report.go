package generator

import (
	"time"

	"ayna/archive"
	"ayna/export/importer"
	"ayna/fetch"
	"ayna/generator/output"
	"ayna/record"
)

// Report is the result of a command, and the file that the flag --report writes.
type Report struct {
	Started   time.Time                 `json:"started"`
	Ended     time.Time                 `json:"ended"`
	Program   Program                   `json:"program"`                // set by the command
	Config    string                    `json:"config"`                 // digest of the configuration without secrets, set by the command
	Sync      *fetch.Report             `json:"sync,omitempty"`         // nil without synchronization
	Reread    *fetch.Reread             `json:"reread,omitempty"`       // nil if no record was read again
	Records   map[record.Kind]KindCount `json:"records"`                // what the archive holds
	Unread    *Unread                   `json:"unread_dates,omitempty"` // nil if there are none
	Notes     []archive.Note            `json:"notes,omitempty"`        // what readers of originals have not understood
	Site      *SiteCount                `json:"site,omitempty"`
	Sizes     *SizeCount                `json:"sizes,omitempty"` // nil if none are configured
	Files     *output.Result            `json:"files,omitempty"`
	IDs       *IDs                      `json:"ids,omitempty"` // nil if they are those of the published site
	Import    *importer.Imported        `json:"import,omitempty"`
	Forgotten *Forgotten                `json:"forgotten,omitempty"`
	Check     *Checked                  `json:"check,omitempty"`    // nil without a check
	Hub       *Hub                      `json:"hub,omitempty"`      // nil without a hub to notify
	Warnings  []string                  `json:"warnings,omitempty"` // about the configuration, once the site is arranged
	Seconds   map[string]float64        `json:"seconds"`            // per stage
	Exit      int                       `json:"exit_code"`
}

// Checked is the result of a check.
type Checked struct {
	Records int      `json:"records"`
	Files   int      `json:"files"`
	Archive []string `json:"archive"` // flaws of the archive
	Site    []string `json:"site"`    // flaws of the site

	lost bool // published files differ from the manifest
}

// siteFlaws is what a check of a site has found.
type siteFlaws struct {
	files int // that were checked
	flaws []string
	lost  bool // published files differ from the manifest
}

// add adds what a check of the site has found.
func (c *Checked) add(found siteFlaws) {
	c.Files += found.files
	c.Site = append(c.Site, found.flaws...)
	c.lost = c.lost || found.lost
}

// Forgotten is a record that was removed for good.
type Forgotten struct {
	Kind   record.Kind `json:"kind"`
	ID     string      `json:"id"`
	Stored bool        `json:"stored"`         // the archive had it; in any case it will not be stored again
	Page   string      `json:"page,omitempty"` // its address in the site, if it had one
}

// Program identifies the build of the program.
type Program struct {
	Version  string `json:"version,omitempty"`  // of the module
	Revision string `json:"revision,omitempty"` // of its repository; "+" is appended if files had uncommitted changes
	Go       string `json:"go"`
}

// KindCount counts the records of a kind in the archive.
type KindCount struct {
	Records int `json:"records"`
	Waiting int `json:"waiting"` // records whose single record has not arrived
}

// SiteCount is what the site shows.
type SiteCount struct {
	Items   int `json:"items"`
	Folders int `json:"folders"`
	Writers int `json:"writers"`
	Tags    int `json:"tags"`
	Undated int `json:"undated"` // items without any date, which are in no feed
}

// SizeCount counts smaller versions of pictures.
type SizeCount struct {
	Made int `json:"made"` // in this build
	None int `json:"none"` // that cannot be made
}

// IDs holds the prefix of the ids of all feeds and entries, in the published site
// and in the new one. It is made of feeds.id_authority and feeds.id_date.
type IDs struct {
	Before string `json:"before"`
	Now    string `json:"now"`
}

// Hub is the result of notifying a WebSub hub.
type Hub struct {
	Notified int             `json:"notified"` // changed feeds that it was notified of
	Failed   output.Failures `json:"failed"`   // feeds that it could not be notified of, by address
}

// isEmpty reports whether the archive holds no record that has a page of its own.
func (r *Report) isEmpty() bool {
	for kind, n := range r.Records {
		if n.Records > 0 && kind != record.Writer && kind != record.Folder {
			return false
		}
	}
	return true
}

// Incomplete reports whether records or files are missing or stale, dates cannot be read for
// the first time, or the hub could not be notified.
func (r *Report) Incomplete() bool {
	if r.Files != nil && len(r.Files.Failed) > 0 {
		return true
	}
	if r.Unread != nil && r.Unread.New > 0 {
		return true
	}
	if r.Hub != nil && len(r.Hub.Failed) > 0 {
		return true
	}
	if r.Reread != nil && len(r.Reread.Stale) > 0 {
		return true
	}
	return r.Sync != nil && len(r.Sync.Failed) > 0
}

// Withheld returns the number of records that look gone from the source, but are
// too many to be deleted at once.
func (r *Report) Withheld() int {
	if r.Sync == nil {
		return 0
	}
	return r.Sync.Withheld()
}
