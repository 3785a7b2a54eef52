package sync_test

import (
	"slices"
	"testing"
	"time"

	"ayna/archive"
	"ayna/client/clienttest"
)

// An id that stands for something else all at once: the new version takes the
// place of the old one, which is kept beside it.
func TestD25OldVersionsAreKept(t *testing.T) {
	t.Parallel()
	const id = "48999990"
	tests := []struct {
		name string
		edit func(*clienttest.Record)
	}{
		{"another date of creation", func(r *clienttest.Record) { r.Created = r.Created.AddDate(-1, 0, 0) }},
		{"the id for another text", func(r *clienttest.Record) {
			*r = clienttest.Record{Group: r.Group, ID: r.ID, Title: "Başka", Spot: "Başka", Text: "<p>Başka</p>", Tags: []string{"başka"}, Path: "/ekonomi/", Created: r.Created.Add(time.Hour)}
		}},
	}
	for _, test := range tests {
		inVirtualTime(t, test.name, func(t *testing.T) {
			n := open(t, clienttest.Options{Items: 20})
			n.mustRun(t)
			first, err := n.archive.Get(t.Context(), archive.Article, id)
			if err != nil {
				t.Fatal(err)
			}
			n.Edit("articles", id, test.edit)
			n.mustRun(t)
			n.checkComplete(t)
			second, err := n.archive.Get(t.Context(), archive.Article, id)
			if err != nil || second.Row != first.Row || !second.Seen.Equal(first.Seen) || second.Published.Equal(first.Published) {
				t.Errorf("row %d, seen %v, published %v; they were %d, %v, %v; %v",
					second.Row, second.Seen, second.Published, first.Row, first.Seen, first.Published, err)
			}
			revisions, err := revisionsOf(t, n.archive, first.Row)
			if err != nil {
				t.Fatal(err)
			}
			var kept []string
			for _, r := range revisions {
				kept = append(kept, r.Part+" "+string(r.JSON))
			}
			slices.Sort(kept)
			if want := []string{"list " + string(first.List), "single " + string(first.Single)}; !slices.Equal(kept, want) {
				t.Errorf("kept\n%q\nwant\n%q", kept, want)
			}
		})
	}
}

// revisionsOf returns the earlier versions of a record, oldest first.
func revisionsOf(t *testing.T, a *archive.Archive, row int64) (list []archive.Revision, err error) {
	for r, err := range a.Earlier(t.Context(), row) {
		if err != nil {
			return nil, err
		}
		list = slices.Insert(list, 0, r)
	}
	return list, nil
}
