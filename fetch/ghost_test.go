package fetch_test

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"ayna/archive"
	"ayna/client"
	"ayna/fetch"
	"ayna/record"
	"ayna/source"
	"ayna/source/encode"
	"ayna/source/ghost"
	"ayna/testrun"
	"ayna/testrun/fakepaper"
)

// A ghostPaper is a site of Ghost that answers in this process, and an archive in memory.
type ghostPaper struct {
	*fakepaper.Ghost
	copied
	key string // source.api_key
}

func openGhost(t *testing.T, o fakepaper.Options) *ghostPaper {
	t.Helper()
	o.Base = "https://" + host
	g := fakepaper.NewGhost(o)
	time.Sleep(time.Until(fakepaper.Newest.AddDate(0, 0, 2))) // a bubble's clock begins before its posts
	p := &ghostPaper{Ghost: g, copied: copied{archive: fakepaper.Archive(t), clearLog: g.ClearLog, strict: true}}
	p.options = fetch.Options{
		URL: g.Base, Concurrency: 2, PageSize: 100, Timeout: 5 * time.Second,
		Hosts: map[string]http.Handler{host: g, "admin.example": g},
		Open: func(c source.Connection) (source.Source, error) {
			return ghost.New(ghost.Config{BaseURL: g.Base, APIKey: p.key, Connection: c})
		},
	}
	return p
}

func (p *ghostPaper) get(t *testing.T, id string) *archive.Record {
	t.Helper()
	r, err := p.archive.Records.Get(t.Context(), record.Article, id)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// The number of requests is that of the documentation.
func TestGhostRequests(t *testing.T) {
	withClock(t, func(t *testing.T) {
		const n = 342
		p := openGhost(t, fakepaper.Options{Items: n})
		if first := p.mustRun(t); first.Requests.Sent > n/90+8 {
			t.Errorf("first: %d requests, want at most %d", first.Requests.Sent, n/90+8)
		}
		for _, post := range append(p.Posts(), p.Pages()...) {
			if r := p.get(t, post.ID); r.Single == nil || r.Standing != post.IsPage || r.Path == "" && len(post.Tags) > 1 {
				t.Fatalf("%+v: %s", post, r.Single)
			}
		}
		time.Sleep(time.Hour)
		if r := p.mustRun(t); r.Requests.Sent > 6 || sum(r).Fetched > 0 {
			t.Errorf("nothing changed: %d requests, %d fetched", r.Requests.Sent, sum(r).Fetched)
		}
		time.Sleep(time.Hour)
		posts := p.Posts()
		p.Delete(posts[5].ID)
		p.Amend(posts[6].ID, func(post *fakepaper.GhostPost) { post.IsDraft = true })
		if r := p.mustRun(t); r.Requests.Sent > 7 || sum(r).Gone != 2 {
			t.Errorf("deletions: %d requests, %d gone", r.Requests.Sent, sum(r).Gone)
		}
		time.Sleep(time.Hour)
		for i := range 9 {
			p.Edit(posts[20*i].ID, func(post *fakepaper.GhostPost) { post.Title += "!" })
		}
		p.Publish(fakepaper.GhostPost{Title: "Yeni", HTML: "<p>Metin.</p>"})
		if r := p.mustRun(t); r.Requests.Sent > 7 || sum(r).Fetched != 10 {
			t.Errorf("an editor's day: %d requests, %d fetched", r.Requests.Sent, sum(r).Fetched)
		}
		for _, request := range p.Requests() {
			if strings.Contains(request.URI, "page=2") {
				t.Errorf("a second page: %s", request.URI)
			}
		}
	})
}

// Each change is found at the next run, also those that change no date of a post.
func TestGhostChanges(t *testing.T) {
	t.Parallel()
	contains := func(text string) func(*archive.Record) bool {
		return func(r *archive.Record) bool { return strings.Contains(string(r.Single), text) }
	}
	edit := func(change func(*fakepaper.GhostPost)) func(*ghostPaper, fakepaper.GhostPost) {
		return func(p *ghostPaper, post fakepaper.GhostPost) { p.Edit(post.ID, change) }
	}
	for _, test := range []struct {
		name   string
		change func(*ghostPaper, fakepaper.GhostPost)
		shows  func(*archive.Record) bool
	}{
		{"slug", edit(func(post *fakepaper.GhostPost) { post.Slug = "baska-adres" }), contains("/baska-adres/")},
		{"tags", edit(func(post *fakepaper.GhostPost) { post.Tags = nil }), func(r *archive.Record) bool { return r.Path == "" }},
		{"members", edit(func(post *fakepaper.GhostPost) { post.Visibility = "members" }), contains(`"Access":"members"`)},
		{"slug of a tag", func(p *ghostPaper, post fakepaper.GhostPost) {
			p.EditTag(post.Tags[0], func(tag *fakepaper.GhostTaxonomy) { tag.Slug = "baska" })
		}, contains(`"Path":"/baska/"`)},
	} {
		inVirtualTime(t, test.name, func(t *testing.T) {
			p := openGhost(t, fakepaper.Options{Items: 15})
			p.mustRun(t)
			time.Sleep(time.Hour)
			spor := p.Tags()[slices.IndexFunc(p.Tags(), func(tag fakepaper.GhostTaxonomy) bool { return tag.Slug == "spor" })].ID
			posts := p.Posts()
			post := posts[slices.IndexFunc(posts, func(post fakepaper.GhostPost) bool { return post.Tags[0] == spor })]
			test.change(p, post)
			p.mustRun(t)
			if r := p.get(t, post.ID); !test.shows(r) {
				t.Errorf("%s", r.Single)
			}
			time.Sleep(time.Hour)
			if c := sum(p.mustRun(t)); c.Fetched > 0 || c.Changed > 0 {
				t.Errorf("the run afterwards: %+v", c)
			}
		})
	}
}

// The posts of a deleted tag change no date: that they are in no folder any more is believed
// after some days, and the folder goes with them.
func TestGhostDeletedTag(t *testing.T) {
	withClock(t, func(t *testing.T) {
		p := openGhost(t, fakepaper.Options{Items: 15})
		p.mustRun(t)
		time.Sleep(time.Hour)
		tag := p.Tags()[slices.IndexFunc(p.Tags(), func(tag fakepaper.GhostTaxonomy) bool { return tag.Slug == "spor" })].ID
		p.DeleteTag(tag)
		p.strict = false
		for hour := range 6 * 24 {
			time.Sleep(time.Hour)
			r := p.mustRun(t)
			if isFirst := hour == 0; (len(r.Failed) > 0) != isFirst {
				t.Errorf("hour %d: %+v", hour, r.Failed)
			}
			left := 0
			for _, raw := range p.held(t) {
				if strings.Contains(raw, `"/spor/"`) && strings.Contains(raw, "gone false") {
					left++
				}
			}
			if hour < 48 && left == 0 || hour > 5*24 && left > 0 {
				t.Fatalf("hour %d: %d records name the folder", hour, left)
			}
		}
		if folder, err := p.archive.Records.Get(t.Context(), record.Folder, "tag-"+tag); err != nil || folder.GoneAt.IsZero() {
			t.Errorf("%+v, %v", folder, err)
		}
	})
}

// Names of tags and authors show at the next run, and change no post.
func TestGhostNames(t *testing.T) {
	withClock(t, func(t *testing.T) {
		p := openGhost(t, fakepaper.Options{Items: 40})
		p.mustRun(t)
		time.Sleep(time.Hour)
		tag, author := p.Tags()[0], p.Authors()[0]
		p.EditTag(tag.ID, func(tag *fakepaper.GhostTaxonomy) { tag.Name = "Yeni Gündem" })
		p.EditAuthor(author.ID, func(author *fakepaper.GhostTaxonomy) { author.Name = "Yeni Ad" })
		r := p.mustRun(t)
		folder, err1 := p.archive.Records.Get(t.Context(), record.Folder, "tag-"+tag.ID)
		writer, err2 := p.archive.Records.Get(t.Context(), record.Writer, "user-"+author.ID)
		if err := errors.Join(err1, err2); err != nil || folder.Title != "Yeni Gündem" || writer.Title != "Yeni Ad" || writer.Lead == "" {
			t.Errorf("%v, %v, %v", folder, writer, err)
		}
		if r.Requests.Sent > 6 || r.Kinds[record.Article].Changed > 0 {
			t.Errorf("%d requests, %+v", r.Requests.Sent, r.Kinds[record.Article])
		}
		for _, raw := range p.held(t) {
			if strings.Contains(raw, "gizli") {
				t.Errorf("an internal tag came: %s", raw)
			}
		}
	})
}

// A changed time zone of the site, and a full run, write nothing anew.
func TestGhostWritesNothingAnew(t *testing.T) {
	withClock(t, func(t *testing.T) {
		p := openGhost(t, fakepaper.Options{Items: 40})
		p.mustRun(t)
		before := p.held(t)
		for _, zone := range []string{"America/New_York", "Asia/Tokyo"} {
			time.Sleep(time.Hour)
			p.Set(func(o *fakepaper.Options) { o.Zone = mustZone(t, zone) })
			p.options.Full = zone == "Asia/Tokyo"
			if c := sum(p.mustRun(t)); c.New > 0 || c.Changed > 0 || !slices.Equal(p.held(t), before) {
				t.Errorf("%s: %+v", zone, c)
			}
		}
		for range p.archive.Catalog.RevisedRows(t.Context(), nil) {
			t.Error("a revision was stored")
		}
	})
}

// A post that becomes one for members keeps what everybody reads, at once: its text is not
// lost.
func TestGhostMembers(t *testing.T) {
	withClock(t, func(t *testing.T) {
		p := openGhost(t, fakepaper.Options{Items: 20})
		p.mustRun(t)
		time.Sleep(time.Hour)
		posts := p.Posts()
		for i, change := range []func(*fakepaper.GhostPost){
			func(post *fakepaper.GhostPost) { post.Visibility = "paid" },
			func(post *fakepaper.GhostPost) {
				post.Visibility, post.Open = "members", "<p>Herkes okur.</p>"
			},
		} {
			p.Amend(posts[i].ID, change) // the date stands still
			p.Edit(posts[i+2].ID, change)
		}
		p.options.Full = true // the date shows nothing
		r := p.mustRun(t)
		if r.Kinds[record.Article].Withheld > 0 {
			t.Errorf("%+v", r.Kinds[record.Article])
		}
		for i, text := range []string{"", "Herkes okur.", "", "Herkes okur."} {
			post, stored := posts[i], p.get(t, posts[i].ID)
			content, err := client.ReadContent(stored.Single)
			if err != nil || content.Access != encode.Members || strings.Contains(content.Text, post.HTML) || !strings.Contains(content.Text, text) || text == "" && content.Text != "" {
				t.Errorf("%s: %v", stored.Single, err)
			}
		}
	})
}

// More posts than one request lists are read page by page; changes come by their dates. An
// older Ghost lacks that list.
func TestGhostLargePaper(t *testing.T) {
	testrun.NotShort(t)
	t.Parallel()
	for _, n := range []int{250, 10_150} {
		inVirtualTime(t, fmt.Sprint(n), func(t *testing.T) { readLargePaper(t, n) })
	}
}

// openLargeGhost opens a paper whose posts are read page by page.
func openLargeGhost(t *testing.T, n int) *ghostPaper {
	t.Helper()
	p := openGhost(t, fakepaper.Options{Items: n})
	if n <= 10_000 {
		p.SetFaults(meeting(fakepaper.Status(http.StatusNotFound), func(c fakepaper.Call) bool { return c.Operation == "search-index/posts" }))
	}
	return p
}

// The first mirror of a large paper has the texts with the list: a budget that ends it
// leaves less than a hundred listed posts without one, and costs no request twice.
func TestGhostBudget(t *testing.T) {
	testrun.NotShort(t)
	withClock(t, func(t *testing.T) {
		p := openLargeGhost(t, 450)
		p.options.Budget, p.options.Concurrency = 9, 1
		sent := 0
		for runs := 1; ; runs++ {
			report, err := p.run(t)
			if err != nil && !errors.Is(err, fetch.ErrBudget) {
				t.Fatal(err)
			}
			sent += report.Requests.Sent
			texts, waiting := 0, 0
			for r, err := range p.archive.Catalog.Scan(t.Context()) {
				if err != nil {
					t.Fatal(err)
				}
				switch {
				case r.Kind != record.Article:
				case !r.Fetched.IsZero():
					texts++
				default:
					waiting++
				}
			}
			if waiting >= 100 || runs == 1 && texts < 300 {
				t.Errorf("run %d: %d posts have a text, and %d have none", runs, texts, waiting)
			}
			if err == nil && report.Wanted == 0 {
				break
			}
			if runs == 5 {
				t.Fatalf("%d posts have no text after %d runs", waiting, runs)
			}
			time.Sleep(time.Hour)
		}
		if most := len(p.Posts())/90 + 8 + 8; sent > most {
			t.Errorf("%d requests, want at most %d", sent, most)
		}
	})
}

func readLargePaper(t *testing.T, n int) {
	if n > 10_000 {
		testrun.NeedsSlow(t, "mirrors 10,000 posts")
	}
	p := openLargeGhost(t, n)
	first := p.mustRun(t)
	if c := sum(first); c.Fetched < n || first.Requests.Sent > n/90+8 {
		t.Errorf("first: %d requests, %+v", first.Requests.Sent, c)
	}
	time.Sleep(time.Hour)
	posts := p.Posts()
	p.Edit(posts[7].ID, func(post *fakepaper.GhostPost) { post.Title += "!" })
	p.Delete(posts[8].ID)
	if r := p.mustRun(t); r.Requests.Sent > 7 || sum(r).Fetched != 1 {
		t.Errorf("an edit: %d requests, %+v", r.Requests.Sent, sum(r))
	}
	time.Sleep(6 * time.Hour)
	if r := p.mustRun(t); r.Requests.Sent > n/95+10 || sum(r).Gone != 1 {
		t.Errorf("a sweep: %d requests, %+v", r.Requests.Sent, sum(r))
	}
	time.Sleep(time.Hour)
	if r := p.mustRun(t); r.Requests.Sent > 6 || sum(r).Changed > 0 {
		t.Errorf("nothing changed: %d requests, %+v", r.Requests.Sent, sum(r))
	}
}
