package archive_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"ayna/archive"
	"ayna/archive/schedule"
	"ayna/record"
)

// Answers that contradict are counted, not more than once in a span; another
// claim begins anew, and what the clock does takes or adds one count at most.
func TestCountOfDoubt(t *testing.T) {
	const gap = 8 * time.Hour
	everyKind(t, func(t *testing.T, a *archive.Archive) {
		r := article("1", "x", 0)
		put(t, a, r, noon)
		row := func() int64 {
			got, err := a.Records.Get(ctx, record.Article, "1")
			if err != nil {
				t.Fatal(err)
			}
			return got.Row
		}()
		for i, step := range []struct {
			after time.Duration // since noon
			claim string
			times int
			count bool
		}{
			{claim: "older", times: 1, count: true},
			{after: gap - time.Millisecond, claim: "older", times: 1},
			{after: gap, claim: "older", times: 2, count: true},
			{after: 2 * gap, claim: "no text", times: 1, count: true},
			{after: 900 * gap, claim: "no text", times: 2, count: true}, // the clock was put ahead
			{after: 3 * gap, claim: "no text", times: 2},                // and back
			{after: 4*gap - time.Millisecond, claim: "no text", times: 2},
			{after: 4 * gap, claim: "no text", times: 3, count: true},
			{after: -900 * gap, claim: "no text", times: 3}, // and back once more
			{after: -899 * gap, claim: "no text", times: 4, count: true},
		} {
			update(t, a, func(tx *archive.Tx) error {
				d, err := tx.Schedule.Doubt(row, record.SinglePart, step.claim, noon.Add(step.after), gap)
				if d.Times != step.times || d.Counted != step.count {
					t.Errorf("step %d: %+v, want %d", i, d, step.times)
				}
				return err
			})
		}
		if got := due(t, a.Schedule.Doubted(ctx)); !slices.Equal(got, []string{"1"}) {
			t.Errorf("doubted: %q", got)
		}
		update(t, a, func(tx *archive.Tx) error { _, err := tx.Schedule.ClearDoubt(row, record.ListPart); return err })
		if got := due(t, a.Schedule.Doubted(ctx)); len(got) != 1 {
			t.Errorf("doubted: %q, though only the list record is trusted", got)
		}
		update(t, a, func(tx *archive.Tx) error { _, err := tx.Schedule.ClearDoubt(row, record.SinglePart); return err })
		if got := due(t, a.Schedule.Doubted(ctx)); len(got) != 0 {
			t.Errorf("doubted: %q", got)
		}
		update(t, a, func(tx *archive.Tx) error {
			_, err := tx.Schedule.Doubt(row, record.ListPart, "older", noon, gap)
			return err
		})
		update(t, a, func(tx *archive.Tx) error { return tx.ForgetForTest(record.Article, "1") })
		if got := due(t, a.Schedule.Doubted(ctx)); len(got) != 0 {
			t.Errorf("doubted: %q, though it is forgotten", got)
		}
	})
}

// An earlier version is known as such, for its own part and record alone.
func TestEarlierVersion(t *testing.T) {
	everyKind(t, func(t *testing.T, a *archive.Archive) {
		r := article("1", "x", 0)
		r.List, r.Single = []byte(`{"l":1}`), []byte(`{"s":"ş\u0000"}`)
		put(t, a, r, noon)
		r.List, r.Single = []byte(`{"l":2}`), []byte(`{"s":2}`)
		put(t, a, r, noon)
		for json, want := range map[string]bool{
			`single {"s":"ş\u0000"}`: true, `list {"l":1}`: true, `list {"s":"ş\u0000"}`: false, `single {"s":2}`: false, `single {"s":3}`: false,
		} {
			part, json, _ := strings.Cut(json, " ")
			got, err := a.Records.Get(ctx, record.Article, "1")
			if err != nil {
				t.Fatal(err)
			}
			update(t, a, func(tx *archive.Tx) error {
				had, err := tx.HadVersion(got.Row, part, []byte(json))
				if had != want {
					t.Errorf("%s %s: %t", part, json, had)
				}
				return err
			})
		}
	})
}

// A record is due again after a time that grows with the age that it had when
// it was fetched; what is wanted anyway, gone, a page or a folder is not.
func TestOverdue(t *testing.T) {
	const day = 24 * time.Hour
	everyKind(t, func(t *testing.T, a *archive.Archive) {
		var want []string
		for _, test := range []struct {
			age  time.Duration
			then int // index of the interval
		}{{0, 0}, {day - time.Millisecond, 0}, {day, 1}, {7*day - time.Millisecond, 1}, {7 * day, 2}, {30*day - time.Millisecond, 2}, {30 * day, 3}, {9999 * day, 3}, {-day, 0}} {
			for _, late := range []time.Duration{0, -time.Millisecond, 50 * day} {
				r := article(fmt.Sprint(test.age, late), "x", 0)
				r.Fetched = noon.Add(-schedule.Intervals[test.then] - late)
				r.Published, r.Seen, r.FetchDue = r.Fetched.Add(-test.age), r.Fetched, false
				put(t, a, r, r.Fetched)
				if late >= 0 {
					want = append(want, fmt.Sprint(schedule.Intervals[test.then], " ", r.ID))
				}
			}
		}
		for id, change := range map[string]func(*archive.Record){
			"page": func(r *archive.Record) { r.Kind = record.Page }, "folder": func(r *archive.Record) { r.Kind = record.Folder },
			"wanted": func(r *archive.Record) { r.FetchDue = true }, "recheck": func(r *archive.Record) { r.Recheck = true },
			"never fetched": func(r *archive.Record) { r.Fetched = time.Time{} }, "gone": func(*archive.Record) {},
		} {
			r := article(id, "x", 0)
			r.Fetched, r.FetchDue = noon.Add(-100*day), false
			change(&r)
			put(t, a, r, noon)
		}
		update(t, a, func(tx *archive.Tx) error { return tx.MarkGone(record.Article, "gone", noon) })
		var got []string
		for _, every := range schedule.Intervals {
			before := time.Time{}
			for w, err := range a.Schedule.Overdue(ctx, every, noon) {
				if err != nil {
					t.Fatal(err)
				}
				if w.Fetched.Before(before) {
					t.Errorf("%s is not the longest overdue", w.ID)
				}
				before = w.Fetched
				got = append(got, fmt.Sprint(every, " ", w.ID))
			}
		}
		slices.Sort(got)
		if slices.Sort(want); !slices.Equal(got, want) {
			t.Errorf("due again:\n%q\nwant\n%q", got, want)
		}
	})
}
