package generator

import (
	"time"

	"ayna/archive"
	"ayna/generator/output"
	"ayna/generator/pack"
	"ayna/generator/sync"
)

// Report says what a build did. Its JSON form is that of the flag -report.
type Report struct {
	Started   time.Time             `json:"started"`
	Ended     time.Time             `json:"ended"`
	Program   Program               `json:"program"`        // set by the command
	Config    string                `json:"config"`         // digest of the configuration without secrets, set by the command
	Sync      *sync.Report          `json:"sync,omitempty"` // nil if no request was to be made
	Records   map[archive.Kind]Held `json:"records"`        // what the archive holds
	Site      *SiteCount            `json:"site,omitempty"`
	Sizes     *SizeCount            `json:"sizes,omitempty"` // nil if none were asked for
	Files     *output.Result        `json:"files,omitempty"`
	IDs       *IDs                  `json:"ids,omitempty"` // nil if they stay what they are in the published site
	Import    *pack.Imported        `json:"import,omitempty"`
	Forgotten *Forgotten            `json:"forgotten,omitempty"`
	Check     *Checked              `json:"check,omitempty"` // nil if none was asked for
	Hub       *Hub                  `json:"hub,omitempty"`   // nil without a hub to notify
	Seconds   map[string]float64    `json:"seconds"`         // per stage
	Exit      int                   `json:"exit_code"`
}

// Checked is what a check looked at, and what it found.
type Checked struct {
	Records int      `json:"records"`
	Files   int      `json:"files"`
	Archive []string `json:"archive"` // what is wrong there
	Site    []string `json:"site"`

	lost bool // files of the site are not as they were written
}

// Forgotten is a record that was taken out.
type Forgotten struct {
	Kind archive.Kind `json:"kind"`
	ID   string       `json:"id"`
	Held bool         `json:"held"` // the archive had it; if not, it will not be stored should it come
}

// Program identifies the build of the program.
type Program struct {
	Version  string `json:"version,omitempty"`  // of the module
	Revision string `json:"revision,omitempty"` // of its repository, "+" appended if files had been changed
	Go       string `json:"go"`
}

// Held is what the archive holds of a kind.
type Held struct {
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

// SizeCount is what became of smaller pictures.
type SizeCount struct {
	Made int `json:"made"` // in this build
	None int `json:"none"` // of pictures that could not be made smaller
}

// IDs is what all ids of feeds and entries began with, and begin with now:
// feeds.id_authority and feeds.id_date.
type IDs struct {
	Before string `json:"before"`
	Now    string `json:"now"`
}

// Hub is the result of notifying a WebSub hub.
type Hub struct {
	Told   int             `json:"told"`   // changed feeds that it was notified of
	Failed output.Failures `json:"failed"` // feeds that it could not be notified of, by address
}

// Incomplete reports whether records or files are missing that should be
// there.
func (r *Report) Incomplete() bool {
	if r.Files != nil && len(r.Files.Failed)+r.Files.InShards > 0 {
		return true
	}
	if r.Hub != nil && len(r.Hub.Failed) > 0 {
		return true
	}
	return r.Sync != nil && (len(r.Sync.Failed) > 0 || r.Sync.Doubted() > 0)
}

// Withheld returns the number of records that look gone from the source, but
// are too many to be believed.
func (r *Report) Withheld() int {
	if r.Sync == nil {
		return 0
	}
	return r.Sync.Withheld()
}
