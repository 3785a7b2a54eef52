package page

import (
	"context"
	"fmt"
	"slices"

	"ayna/generator/corrections"
	"ayna/generator/output"
	"ayna/generator/site"
)

// maxChanges is the number of changes that the page of an item shows.
const maxChanges = 10

type correctionsView struct {
	pageView
	Heading     string
	Corrections []correction
	Follow      *follow
}

// correction is a change of an item's words.
type correction struct {
	Item   link
	When   *moment
	Fields []changedField
	Cut    string // a sentence if words are left out; "" if none are
}

type changedField struct {
	Name string
	Runs []changedRun
}

// changedRun is a run of removed, added or unchanged words.
type changedRun struct {
	Gone, New bool
	Said      string // "removed" or "added" in words, for screen readers; "" for unchanged words
	Text      string
}

func (r *Renderer) corrections() output.File {
	list := &r.site.Corrections
	return r.render(list.Index(), "corrections", func(ctx context.Context) (view, error) {
		v := &correctionsView{pageView: r.listPageView(list.Index(), list.Title), Heading: list.Title}
		v.Follow = v.setFeeds(list)
		teasers, err := r.readTeasers(ctx, &v.pageView, slices.Collect(list.Items.All()))
		if err != nil {
			return nil, err
		}
		for item := range list.Items.All() {
			v.Corrections = append(v.Corrections, r.correction(r.site.Changes[item.Row()], *teasers.link(item)))
		}
		return v, nil
	})
}

func (r *Renderer) correction(c *site.Change, item link) correction {
	w := &r.site.Words
	shown := correction{Item: item, When: r.moment(c.When.UnixMilli())}
	if c.Truncated {
		shown.Cut = fmt.Sprintf(w.ChangeCut, w.Digits(corrections.MaxWords))
	}
	said := map[site.Op]string{site.Removed: w.WordsGone, site.Added: w.WordsNew}
	for i, runs := range c.Fields {
		if runs == nil {
			continue
		}
		field := changedField{Name: w.CorrectionFields[i]}
		for _, run := range runs {
			field.Runs = append(field.Runs, changedRun{run.Op == site.Removed, run.Op == site.Added, said[run.Op], run.Text})
		}
		shown.Fields = append(shown.Fields, field)
	}
	return shown
}

// setChanges sets the history of an item's words.
func (r *Renderer) setChanges(ctx context.Context, v *itemView, item site.Item) error {
	changes, more, err := corrections.History(ctx, r.reader.Archive.Records, item, &r.site.Settings, maxChanges)
	if err != nil {
		return err
	}
	for i := range changes {
		v.Changes = append(v.Changes, r.correction(&changes[i], link{}))
	}
	if len(changes) > 0 {
		v.Changed = v.Changes[0].When
	}
	if more {
		v.Earlier = fmt.Sprintf(r.site.Words.LastChanges, r.site.Words.Digits(len(changes)))
	}
	return nil
}
