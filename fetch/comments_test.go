package fetch_test

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"ayna/archive"
	"ayna/fetch"
	"ayna/record"
	"ayna/testrun/fakepaper"
)

// openForum opens a site with a number of comments, which are mirrored. Every third one answers the first.
func openForum(t *testing.T, comments int) *press {
	t.Helper()
	p := openPress(t, fakepaper.Options{Items: 4})
	posts := p.Posts("posts")
	for i := range comments {
		c := fakepaper.Comment{Post: posts[i%len(posts)].ID, Author: fmt.Sprintf("Okur &amp; %d", i), Text: fmt.Sprintf("<p>Yorum %d</p>", i), Date: fakepaper.Newest.Add(time.Duration(i-comments) * time.Hour)}
		if i%3 == 2 {
			c.Parent = 1
		}
		p.Comment(c)
	}
	p.options.Comments, p.strict = true, false
	return p
}

// comments returns the comments of the archive in the order of their ids, as "1 below 12: words".
func (p *press) comments(t *testing.T) (list []string) {
	t.Helper()
	var all []archive.Comment
	for count, err := range p.archive.Comments.Counts(t.Context()) {
		some, ofErr := p.archive.Comments.Of(t.Context(), count.Record, 1000, 1<<20)
		if err := errors.Join(err, ofErr); err != nil {
			t.Fatal(err)
		}
		all = append(all, some...)
	}
	number := func(id string) int { n, _ := strconv.Atoi(id); return n }
	slices.SortFunc(all, func(a, b archive.Comment) int { return number(a.ID) - number(b.ID) })
	for _, c := range all {
		list = append(list, fmt.Sprintf("%s below %s after %q by %s: %s", c.ID, c.Record, c.Parent, c.Author, c.HTML))
	}
	return list
}

// shown returns what an archive of the public comments of the site has.
func (p *press) shown() (list []string) {
	for _, c := range p.Comments() {
		parent := ""
		if c.Parent > 0 {
			parent = strconv.Itoa(c.Parent)
		}
		list = append(list, fmt.Sprintf("%d below %d after %q by %s: %s", c.ID, c.Post, parent, strings.ReplaceAll(c.Author, "&amp;", "&"), c.Text))
	}
	return list
}

// A forumStep is a time, what happens then, and what the run after it has to show.
type forumStep struct {
	after  time.Duration
	change func(p *press)
	same   bool // the archive has what it had; else what the site shows
	failed int  // failures
	fails  string
	warns  int
	count  fetch.Count // of comments; Unchanged and Failed are not compared
}

func ofComments(fault func(fakepaper.Call) *fakepaper.Fault) func(fakepaper.Call) *fakepaper.Fault {
	return func(c fakepaper.Call) *fakepaper.Fault {
		if c.Operation != "comments" {
			return nil
		}
		return fault(c)
	}
}

func status(code int) func(*press) {
	return func(p *press) {
		p.Faults = ofComments(func(fakepaper.Call) *fakepaper.Fault { return fakepaper.Status(code) })
	}
}

func listing(elements string) func(*press) {
	return func(p *press) {
		p.Faults = ofComments(func(c fakepaper.Call) *fakepaper.Fault {
			if c.Skip > 0 {
				return fakepaper.Body("[]")
			}
			return &fakepaper.Fault{Body: elements, Header: http.Header{"X-Wp-Total": {"0"}}}
		})
	}
}

func healed(p *press) { p.Faults = nil }

func hide(ids ...int) func(*press) {
	return func(p *press) {
		for _, id := range ids {
			p.Moderate(id, func(c *fakepaper.Comment) { c.Hidden = true })
		}
	}
}

func TestComments(t *testing.T) {
	t.Parallel()
	const sweep, hour = 6 * time.Hour, time.Hour
	text := func(id int, text string) func(*press) {
		return func(p *press) { p.Moderate(id, func(c *fakepaper.Comment) { c.Text = text }) }
	}
	upTo := func(n int) (ids []int) {
		for id := range n {
			ids = append(ids, id+1)
		}
		return ids
	}
	for name, steps := range map[string][]forumStep{
		"new ones":          {{after: hour, change: func(p *press) { p.Comment(fakepaper.Comment{Post: 1, Text: "x", Date: time.Now()}) }, count: fetch.Count{New: 1}}},
		"an edit":           {{after: hour, change: text(3, "<p>Değişti</p>"), same: true}, {after: sweep, count: fetch.Count{Changed: 1}}},
		"one is withdrawn":  {{after: sweep, change: hide(1, 3), count: fetch.Count{Gone: 2}}}, // others answer the first
		"the newest is":     {{after: sweep, change: hide(120), same: true, count: fetch.Count{Missing: 1}}, {after: hour / 2, same: true, count: fetch.Count{Missing: 1}}, {after: hour, count: fetch.Count{Gone: 1}}},
		"the newest is not": {{after: sweep, change: hide(120), same: true, count: fetch.Count{Missing: 1}}, {after: hour, change: func(p *press) { p.Moderate(120, func(c *fakepaper.Comment) { c.Hidden = false }) }}},
		"one is approved": {
			{after: sweep, change: hide(3), count: fetch.Count{Gone: 1}},
			{after: sweep, change: func(p *press) { p.Moderate(3, func(c *fakepaper.Comment) { c.Hidden = false }) }, count: fetch.Count{New: 1}},
		},
		"a tenth":           {{after: sweep, change: hide(upTo(12)...), count: fetch.Count{Gone: 12}}},
		"more than a tenth": {{after: sweep, change: hide(upTo(13)...), same: true, count: fetch.Count{Withheld: 13}}, {after: hour, change: func(p *press) { p.options.AllowDelete = 13 }, count: fetch.Count{Gone: 13}}},
		"all": {
			{after: sweep, change: hide(upTo(120)...), same: true, failed: 1, fails: "suddenly empty"},
			{after: hour, change: func(p *press) { p.options.AllowDelete = 120 }, count: fetch.Count{Gone: 120}},
		},
		"empty once": {{after: sweep, change: listing("[]"), same: true, failed: 1, fails: "suddenly empty"}, {after: hour, change: healed}},
		"a page of HTML": {{after: sweep, change: func(p *press) {
			p.Faults = ofComments(func(fakepaper.Call) *fakepaper.Fault { return fakepaper.HTML() })
		}, same: true, failed: 1}},
		"closed with 401":   {{after: sweep, change: status(401), same: true, warns: 1}, {after: sweep, same: true}, {after: sweep, change: healed}},
		"closed with 403":   {{after: sweep, change: status(403), same: true, warns: 1}, {after: sweep, change: healed}},
		"closed with 404":   {{after: sweep, change: status(404), same: true, warns: 1}, {after: sweep, change: healed}},
		"broken":            {{after: sweep, change: status(500), same: true, failed: 1}, {after: hour, change: healed}},
		"a text is emptied": {{after: sweep, change: text(3, ""), same: true, count: fetch.Count{Skipped: 1}}},
		"one below a draft": {
			{after: sweep, change: func(p *press) { p.Moderate(5, func(c *fakepaper.Comment) { c.OnDraft = true }) }, same: true, failed: 1, fails: "fewer"},
			{after: sweep, change: hide(3), count: fetch.Count{Gone: 2}},
		},
		"of other types": {{after: sweep, change: listing(`[{"id":3,"post":null,"author_name":5,"content":[]},{"id":"x"},7,null,{"id":4,"post":"1","content":{"rendered":7}}]`), same: true, count: fetch.Count{Skipped: 5, Withheld: 118}}},
	} {
		inVirtualTime(t, name, func(t *testing.T) {
			p := openForum(t, 120)
			if r := p.mustRun(t); len(r.Failed) > 0 || r.Kinds[record.Comment].New != 120 {
				t.Fatalf("first: %+v, %+v", r.Kinds[record.Comment], r.Failed)
			}
			for i, step := range steps {
				time.Sleep(step.after)
				before := p.comments(t)
				if step.change != nil {
					step.change(p)
				}
				r, err := p.run(t)
				got := *r.Kinds[record.Comment]
				got.Unchanged, got.Failed = 0, 0
				want := p.shown()
				if step.same {
					want = before
				}
				if have := p.comments(t); err != nil || !slices.Equal(have, want) {
					t.Errorf("step %d: %v: %d comments, want %d", i, err, len(have), len(want))
				}
				if len(r.Failed) != step.failed || len(r.Warnings) != step.warns || got != step.count || step.failed > 0 && !strings.Contains(r.Failed[0].Reason, step.fails) {
					t.Errorf("step %d: %+v, failed %+v, warnings %q, want %+v", i, got, r.Failed, r.Warnings, step)
				}
			}
		})
	}
}

// Without the key, nothing is requested of them.
func TestCommentsUnwanted(t *testing.T) {
	p := openForum(t, 3)
	p.options.Comments = false
	p.mustRun(t)
	for _, r := range p.Requests() {
		if strings.Contains(r.URI, "comment") {
			t.Error(r.URI)
		}
	}
	if have := p.comments(t); len(have) > 0 {
		t.Errorf("the archive has %q", have)
	}
}

// Below a site without comments, the first one is found by the next run.
func TestFirstComment(t *testing.T) {
	withClock(t, func(t *testing.T) {
		p := openForum(t, 0)
		p.mustRun(t)
		p.Requests()
		time.Sleep(time.Hour)
		p.Comment(fakepaper.Comment{Post: p.Posts("posts")[0].ID, Text: "<p>İlk</p>", Date: time.Now()})
		r := p.mustRun(t)
		asked := slices.DeleteFunc(p.Requests(), func(r fakepaper.Request) bool { return r.Operation != "comments" })
		if len(asked) != 1 || strings.Contains(asked[0].URI, "after=0000") || r.Kinds[record.Comment].New != 1 {
			t.Errorf("%+v, %d new", asked, r.Kinds[record.Comment].New)
		}
	})
}

// A list without end is given up, and read again a day later. What has come stays, within bounds.
func TestEndlessComments(t *testing.T) {
	withClock(t, func(t *testing.T) {
		p := openForum(t, 120)
		p.options.MaxRecords = 1000
		p.mustRun(t)
		id := 1000
		p.Faults = ofComments(func(fakepaper.Call) *fakepaper.Fault {
			var list []string
			for range 100 {
				id++
				list = append(list, fmt.Sprintf(`{"id":%d,"post":1000,"author_name":"Okur","date_gmt":"2026-11-24T10:00:00","content":{"rendered":"<p>Yorum</p>"}}`, id))
			}
			return &fakepaper.Fault{Body: "[" + strings.Join(list, ",") + "]", Header: http.Header{"X-Wp-Total": {"1000000"}}}
		})
		for i, want := range []bool{true, false, false, true} {
			time.Sleep(9 * time.Hour)
			r := p.mustRun(t)
			asked := slices.DeleteFunc(p.Requests(), func(r fakepaper.Request) bool { return r.Operation != "comments" })
			if len(r.Failed) != 1 || !strings.Contains(r.Failed[0].Reason, "does not end") || (len(asked) > 0) != want || len(asked) > 12 {
				t.Errorf("run %d: %d requests, %+v", i, len(asked), r.Failed)
			}
		}
	})
}

// Many comments below a draft, which the list counts and does not show, do not end it.
func TestCommentsBelowDrafts(t *testing.T) {
	withClock(t, func(t *testing.T) {
		p := openForum(t, 400)
		for id := 121; id <= 300; id++ {
			p.Moderate(id, func(c *fakepaper.Comment) { c.OnDraft = true })
		}
		for i, failed := range []int{1, 0} {
			r := p.mustRun(t)
			if have, want := p.comments(t), p.shown(); !slices.Equal(have, want) || len(r.Failed) != failed {
				t.Errorf("run %d: %d comments, want %d; failed %+v", i, len(have), len(want), r.Failed)
			}
			time.Sleep(9 * time.Hour)
		}
	})
}

// A run whose budget ends goes on in the next one.
func TestCommentsOfSeveralRuns(t *testing.T) {
	withClock(t, func(t *testing.T) {
		p := openForum(t, 1500)
		p.options.Budget = 20
		for range 5 {
			if _, err := p.run(t); err != nil && !errors.Is(err, fetch.ErrBudget) {
				t.Fatal(err)
			}
			time.Sleep(time.Minute)
		}
		if have, want := p.comments(t), p.shown(); !slices.Equal(have, want) {
			t.Errorf("%d comments, want %d", len(have), len(want))
		}
	})
}

// Comments that were removed for good, and those below such records, are not stored again, be it
// that an import brings them. Other imported originals become comments in the next run.
func TestForgottenComments(t *testing.T) {
	withClock(t, func(t *testing.T) {
		p := openForum(t, 8)
		p.mustRun(t)
		var before []archive.Original
		for o, err := range p.archive.Originals.All(t.Context(), "comments", record.ListPart) {
			if before = append(before, o); err != nil {
				t.Fatal(err)
			}
		}
		post := p.Posts("posts")[1]
		stored := p.get(t, post.ID)
		err := p.archive.Update(t.Context(), func(tx *archive.Tx) error {
			return errors.Join(tx.Forget(record.Comment, "1", false), tx.Forget(stored.Kind, stored.ID, false))
		})
		forgotten, stateErr := p.archive.State.Forgotten(t.Context())
		purgeErr := p.archive.Purge(t.Context(), record.NewRedaction(forgotten...), record.Derive(record.Dates{}))
		if err := errors.Join(err, stateErr, purgeErr); err != nil {
			t.Fatal(err)
		}
		check := func(when string) {
			var want []string
			for _, line := range p.shown() {
				if !strings.HasPrefix(line, "1 ") && !strings.Contains(line, fmt.Sprintf(" below %d ", post.ID)) {
					want = append(want, line)
				}
			}
			if have := p.comments(t); len(want) != 5 || !slices.Equal(have, want) {
				t.Errorf("%s: %q, want %q", when, have, want)
			}
			for o, err := range p.archive.Originals.All(t.Context(), "comments", record.ListPart) {
				if err != nil || o.ID == "1" || !slices.ContainsFunc(want, func(line string) bool { return strings.HasPrefix(line, o.ID+" ") }) {
					t.Errorf("%s: original %s, %v", when, o.ID, err)
				}
			}
		}
		check("purged")
		time.Sleep(7 * time.Hour)
		if r := p.mustRun(t); len(r.Failed) > 0 {
			t.Errorf("%+v", r.Failed)
		}
		check("after a sweep")
		err = p.archive.Update(t.Context(), func(tx *archive.Tx) error {
			for _, o := range before {
				if err := tx.Comments.Delete(o.Record); err != nil {
					return err
				}
				if _, err := tx.Originals.Import(archive.MadeOriginal{Original: o}); err != nil {
					return err
				}
			}
			return nil
		})
		if _, readErr := fetch.ReadAgain(t.Context(), p.archive, p.options); errors.Join(err, readErr) != nil {
			t.Fatal(err, readErr)
		}
		check("imported")
	})
}
