package generator

import (
	"context"
	"slices"
	"strconv"

	"ayna/archive"
	"ayna/archive/runstate"
	"ayna/generator/config"
	"ayna/record"
)

// Unread counts the items and editorial pages that have dates, none of which can be read.
type Unread struct {
	Records   int         `json:"records"`
	New       int         `json:"new"`       // how many more than when a run reported them last
	Kind      record.Kind `json:"kind"`      // of the first one
	ID        string      `json:"id"`        // of it
	Date      string      `json:"date"`      // its date, as received; cut if it is long
	Ambiguous bool        `json:"ambiguous"` // source.dates would make it readable
}

// unreadState is the name of their number at the end of the last run without an error.
const unreadState = "unread dates"

// countUnread counts those that the site is to show. It returns nil if there are none.
func countUnread(ctx context.Context, c *config.Config, a *archive.Archive) (*Unread, error) {
	how, wants := readDates(c), arrangement(&c.Shown).Wants
	var u Unread
	for r, err := range a.Records.Undated(ctx) {
		if err != nil {
			return nil, err
		}
		if !slices.Contains(c.Content.Kinds, string(r.Kind)) || r.Kind != record.Page && !wants(r.Folders()) {
			continue
		}
		date, ambiguous := how.Unread(&r.Record)
		if date == "" {
			continue
		}
		if u.Records++; u.Records == 1 {
			u.Kind, u.ID, u.Date, u.Ambiguous = r.Kind, r.ID, date, ambiguous
		}
	}
	if u.Records == 0 {
		return nil, nil
	}
	known, err := knownUnread(ctx, a.State)
	u.New = max(0, u.Records-known)
	return &u, err
}

// knownUnread returns how many records with unread dates the last run has reported.
func knownUnread(ctx context.Context, kept runstate.State) (int, error) {
	text, err := kept.Get(ctx, unreadState)
	n, _ := strconv.Atoi(text) // 0 before the first
	return n, err
}

// rememberUnread keeps the number of records with unread dates, so that a later run reports
// only more of them.
func rememberUnread(ctx context.Context, a *archive.Archive, u *Unread) error {
	n := 0
	if u != nil {
		n = u.Records
	}
	if known, err := knownUnread(ctx, a.State); err != nil || known == n {
		return err
	}
	return a.Update(ctx, func(tx *archive.Tx) error { return tx.State.Set(unreadState, strconv.Itoa(n)) })
}
