package fetch_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"ayna/archive"
	"ayna/fetch"
	"ayna/record"
	"ayna/testrun"
	"ayna/testrun/fakepaper"
)

// Changes without a date are found at the next sweep, and by a full run.
func TestWordPressChanges(t *testing.T) {
	t.Parallel()
	contains := func(text string) func(*archive.Record) bool {
		return func(r *archive.Record) bool { return strings.Contains(string(r.Single), text) }
	}
	tests := []struct {
		name   string
		change func(p *press, id int)
		shows  func(*archive.Record) bool
	}{
		{"moved category", func(p *press, id int) {
			p.Amend(id, func(post *fakepaper.Post) { post.Categories = []int{1} })
		}, contains(`"Path":"/genel/"`)},
		{"slug", func(p *press, id int) { p.Amend(id, func(post *fakepaper.Post) { post.Slug = "baska-adres" }) }, contains("baska-adres")},
		{"picture", func(p *press, id int) {
			p.Amend(id, func(post *fakepaper.Post) { post.Picture = 424242 })
		}, contains(`"featured_media":424242`)},
		{"format", func(p *press, id int) { p.Amend(id, func(post *fakepaper.Post) { post.Format = "video" }) }, contains("NewsVideo")},
		{"sticky", func(p *press, id int) { p.MakeSticky(id, true) }, contains(`"sticky":true`)},
	}
	for _, full := range []bool{false, true} {
		inVirtualTime(t, fmt.Sprintf("full %v", full), func(t *testing.T) {
			p := openPress(t, fakepaper.Options{Items: 60})
			p.mustRun(t)
			time.Sleep(time.Hour)
			posts := slices.DeleteFunc(p.Posts("posts"), func(post fakepaper.Post) bool { return len(post.Tags) == 0 || post.Format != "standard" })
			kinds := make([]record.Kind, len(tests))
			for i, test := range tests {
				kinds[i] = p.get(t, posts[i].ID).Kind
				test.change(p, posts[i].ID)
			}
			if p.options.Full = full; !full {
				time.Sleep(6 * time.Hour)
			}
			p.mustRun(t)
			for i, test := range tests {
				r := p.get(t, posts[i].ID)
				if !test.shows(r) {
					t.Errorf("%s: %s", test.name, r.Single)
				}
				if r.Kind != kinds[i] {
					t.Errorf("%s: the kind was %s and is %s: its address moves", test.name, kinds[i], r.Kind)
				}
			}
		})
	}
}

// Titles of categories and names of users show at the next run, and change no post.
func TestWordPressNames(t *testing.T) {
	withClock(t, func(t *testing.T) {
		p := openPress(t, fakepaper.Options{Items: 40})
		p.mustRun(t)
		time.Sleep(time.Hour)
		p.EditCategory(1, func(c *fakepaper.Term) { c.Name = "Genel haberler" })
		p.EditUser(2, func(u *fakepaper.Term) { u.Name = "Yeni Ad" })
		r := p.mustRun(t)
		folder, err1 := p.archive.Records.Get(t.Context(), record.Folder, "term-1")
		writer, err2 := p.archive.Records.Get(t.Context(), record.Writer, "user-2")
		if err := errors.Join(err1, err2); err != nil || folder.Title != "Genel haberler" || writer.Title != "Yeni Ad" {
			t.Errorf("%v, %v, %v", folder, writer, err)
		}
		if n := r.Kinds[record.Article].Changed; n > 0 {
			t.Errorf("%d articles have changed", n)
		}
	})
}

// A full run without changes stores nothing, although WordPress renders a post differently
// beside other neighbours.
func TestWordPressFullWithoutChanges(t *testing.T) {
	testrun.NotShort(t)
	withClock(t, func(t *testing.T) {
		p := openPress(t, fakepaper.Options{Items: 60})
		p.mustRun(t)
		before := p.held(t)
		for _, size := range []int{100, 7} {
			time.Sleep(time.Hour)
			p.options.Full, p.options.PageSize = true, size
			if c := sum(p.mustRun(t)); c.New > 0 || c.Changed > 0 || !slices.Equal(p.held(t), before) {
				t.Errorf("%d at once: %+v", size, c)
			}
			for range p.archive.Catalog.RevisedRows(t.Context(), nil) {
				t.Errorf("%d at once: a revision was stored", size)
			}
		}
	})
}

// A year of runs fetches nothing by age, and finds each new and each scheduled post.
func TestWordPressYear(t *testing.T) {
	testrun.NotShort(t)
	withClock(t, func(t *testing.T) {
		p := openPress(t, fakepaper.Options{Items: 20, Zone: mustZone(t, "Europe/Berlin")})
		p.mustRun(t)
		published := 0
		runs := seeds(25, 365)
		for i := range runs {
			if i%6 == 1 {
				p.Publish(fakepaper.Post{Title: "Gün", Text: "<p>Metin.</p>"})
				p.Schedule(fakepaper.Post{Title: "Yarın", Text: "<p>Metin.</p>"}, time.Now().Add(30*time.Hour))
				published += 2
			}
			c := sum(p.mustRun(t))
			published -= c.Fetched
			time.Sleep(365 * 24 * time.Hour / time.Duration(runs))
		}
		if published != 0 {
			t.Errorf("%d posts more were published than fetched", published)
		}
	})
}

func mustZone(t *testing.T, name string) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

// WordPress compares local dates: an edit in the hour that is repeated, or before the
// site's time zone changes, is found all the same, and changes nothing else.
func TestWordPressClocks(t *testing.T) {
	testrun.NotShort(t)
	withClock(t, func(t *testing.T) {
		p := openPress(t, fakepaper.Options{Items: 12, Zone: mustZone(t, "Europe/Berlin")})
		for _, night := range []string{"2027-03-28T00:30:00Z", "2027-10-31T00:15:00Z"} {
			at, err := time.Parse(time.RFC3339, night)
			if err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Until(at))
			p.mustRun(t)
			for i := range 4 {
				p.Edit(p.Posts("posts")[i].ID, func(post *fakepaper.Post) { post.Title += "'" })
				time.Sleep(30 * time.Minute)
				if n := sum(p.mustRun(t)).Fetched; n != 1 {
					t.Errorf("%s, edit %d: %d fetched", night, i, n)
				}
			}
		}
		for _, zone := range []string{"America/New_York", "Asia/Tokyo"} {
			p.Edit(p.Posts("posts")[7].ID, func(post *fakepaper.Post) { post.Title += "!" })
			p.Zone = mustZone(t, zone)
			if c := sum(p.mustRun(t)); c.Fetched != 1 {
				t.Errorf("after a move to %s: %+v", zone, c)
			}
		}
	})
}

// A budget that ends each run completes the mirror all the same, the newest texts first:
// the list is never two pages ahead of them.
func TestWordPressBudget(t *testing.T) {
	testrun.NotShort(t)
	withClock(t, func(t *testing.T) {
		p := openPress(t, fakepaper.Options{Items: seeds(300, 800)})
		p.options.Budget, p.options.Concurrency = 14, 1
		partial := 0
		for runs := 0; ; runs++ {
			report, err := p.run(t)
			if err != nil && !errors.Is(err, fetch.ErrBudget) {
				t.Fatal(err)
			}
			have, lacking, waiting := 0, 0, 0
			for i, post := range p.Posts("posts") {
				if !p.hasText(t, post.ID) {
					if lacking++; p.find(t, post.ID) != nil {
						waiting++
					}
					continue
				}
				if have++; lacking > 0 {
					t.Fatalf("run %d: the %d. newest post has a text, and %d newer ones have none", runs, i+1, lacking)
				}
			}
			if have > 0 && lacking > 0 {
				partial++
			}
			if waiting > 200 {
				t.Errorf("run %d: %d listed posts have no text", runs, waiting)
			}
			if err == nil && report.Wanted == 0 && lacking == 0 {
				break
			}
			if runs == 30 {
				t.Fatalf("%d posts have no text after %d runs", lacking, runs)
			}
			time.Sleep(time.Hour)
		}
		if partial == 0 {
			t.Error("no run ended between texts")
		}
	})
}
