package site

import "time"

// ChangeAnchor is the anchor of the changes on an item's page.
const ChangeAnchor = "change"

// Change is one change of an item's words.
type Change struct {
	When      time.Time // the source's date, or when the archive first saw it; UTC
	Fields    [3][]Run  // of title, spot and text; nil where no word changed
	Truncated bool      // more words changed than are shown
}

// Run is a run of words.
type Run struct {
	Op   Op
	Text string // words with a blank between them; "…" stands for words left out
}

// Op is what a change did to a run of words.
type Op int

const (
	Unchanged Op = iota
	Removed
	Added
)
