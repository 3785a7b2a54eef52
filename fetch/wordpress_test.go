package fetch_test

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ayna/archive"
	"ayna/fetch"
	"ayna/record"
	"ayna/source"
	"ayna/source/wordpress"
	"ayna/testrun/fakepaper"
)

// A press is a site of WordPress that answers in this process, and an archive in memory.
type press struct {
	*fakepaper.WordPress
	copied
}

func openPress(t *testing.T, o fakepaper.Options) *press {
	t.Helper()
	if o.Base == "" {
		o.Base = "https://" + host
	}
	p := fakepaper.NewWordPress(o)
	time.Sleep(time.Until(fakepaper.Newest.AddDate(0, 0, 2))) // a bubble's clock begins before its posts
	return &press{p, copied{archive: fakepaper.Archive(t), clearLog: p.ClearLog, strict: true, options: fetch.Options{
		URL: p.Base, Concurrency: 2, PageSize: 100, Timeout: 5 * time.Second, Hosts: map[string]http.Handler{host: p},
		Open: func(c source.Connection) (source.Source, error) {
			return wordpress.New(wordpress.Config{BaseURL: p.Base + o.Prefix, APIKey: o.Key, Columns: []string{"yazarlar"}, Types: o.Types, Connection: c})
		},
	}}}
}

// get returns the record of a post, whatever its kind.
func (p *press) get(t *testing.T, id int) *archive.Record {
	t.Helper()
	r := p.find(t, id)
	if r == nil {
		t.Fatalf("no record of post %d", id)
	}
	return r
}

// find returns the record of a post, nil if it has not come yet.
func (p *press) find(t *testing.T, id int) *archive.Record {
	for _, kind := range []record.Kind{record.Article, record.Column, record.Gallery, record.Video} {
		if r, err := p.archive.Records.Get(t.Context(), kind, strconv.Itoa(id)); err == nil {
			return r
		}
	}
	return nil
}

func (p *press) hasText(t *testing.T, id int) bool {
	r := p.find(t, id)
	return r != nil && r.Single != nil
}

// sum adds up what a run did with records of all kinds.
func sum(r *fetch.Report) (c fetch.Count) {
	for _, k := range r.Kinds {
		c.New, c.Changed, c.Fetched, c.Gone, c.Withheld = c.New+k.New, c.Changed+k.Changed, c.Fetched+k.Fetched, c.Gone+k.Gone, c.Withheld+k.Withheld
	}
	return c
}

// The number of requests is that of the documentation.
func TestWordPressRequests(t *testing.T) {
	t.Parallel()
	for _, o := range []fakepaper.Options{{}, {PlainPermalinks: true, Prefix: "/blog"}, {Types: []string{"etkinlikler"}}} {
		synctest.Test(t, func(t *testing.T) {
			const n = 142
			o.Items = n
			p := openPress(t, o)
			for _, post := range p.Posts("posts")[126:136] { // posts with a password are no move of the list
				p.Protect(post.ID)
			}
			first := p.mustRun(t)
			if most := n/33 + 14 + len(o.Types); first.Requests.Sent > most || sum(first).Failed > 0 {
				t.Errorf("first: %d requests, want at most %d", first.Requests.Sent, most)
			}
			for _, post := range p.Posts("posts") {
				if !post.Protected && !p.hasText(t, post.ID) {
					t.Errorf("post %d has no text", post.ID)
				}
			}
			time.Sleep(time.Hour)
			if r := p.mustRun(t); r.Requests.Sent > 8 || sum(r).Fetched > 0 {
				t.Errorf("nothing changed: %d requests, %d fetched", r.Requests.Sent, sum(r).Fetched)
			}
			time.Sleep(time.Hour)
			posts := p.Posts("posts")
			for i := range 9 {
				p.Edit(posts[15*i].ID, func(post *fakepaper.Post) { post.Title += "!" })
			}
			p.Publish(fakepaper.Post{Title: "Yeni", Text: "<p>Metin.</p>", Tags: []int{1}})
			if r := p.mustRun(t); r.Requests.Sent > 14 || sum(r).Fetched != 10 {
				t.Errorf("an editor's day: %d requests, %d fetched", r.Requests.Sent, sum(r).Fetched)
			}
			time.Sleep(6 * time.Hour)
			if r := p.mustRun(t); r.Requests.Sent > 8+3+1+2*len(o.Types) || sum(r).Fetched > 0 {
				t.Errorf("a sweep: %d requests, %d fetched", r.Requests.Sent, sum(r).Fetched)
			}
		})
	}
}

// A waiting source answers no request for single records before its run ends.
type waiting struct {
	*wordpress.Source
	calls *int
}

func (w waiting) Fetch(ctx context.Context, _ source.Group, _ []string) ([]source.Answer, error) {
	*w.calls++
	<-ctx.Done()
	return nil, context.Cause(ctx)
}

// A run that ends for a cause of its own, as a signal, asks for nothing again.
func TestCauseOfTheEnd(t *testing.T) {
	withClock(t, func(t *testing.T) {
		p, calls := openPress(t, fakepaper.Options{Items: 30}), 0
		open := p.options.Open
		p.options.Concurrency, p.options.Open = 1, func(c source.Connection) (source.Source, error) {
			s, err := open(c)
			return waiting{s.(*wordpress.Source), &calls}, err
		}
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(time.Minute, func() { cancel(errors.New("stopped by a signal")) })
		began := time.Now()
		report, err := fetch.Run(ctx, p.archive, p.options)
		if took := time.Since(began) - time.Minute; took > 5*time.Second || err == nil || calls != 1 || len(report.Failed) > 0 {
			t.Errorf("%v later: %d calls, failed %v, %v", took, calls, report.Failed, err)
		}
	})
}

// A listener hears of what lists are asked for.
type listener struct {
	*wordpress.Source
	listed func(source.Group, int)
}

func (l *listener) List(ctx context.Context, group source.Group, q source.Query) (source.Batch, error) {
	batch, err := l.Source.List(ctx, group, q)
	l.listed(group, q.Skip)
	return batch, err
}

// A list of names comes whole with its first part. After a run that was killed with it, the next one
// looks for no part at its end.
func TestNamesAreReadFromTheTop(t *testing.T) {
	withClock(t, func(t *testing.T) {
		p := openPress(t, fakepaper.Options{Items: 40})
		p.mustRun(t)
		const key = "list folder"
		state, err := p.archive.State.Get(t.Context(), key)
		if err != nil {
			t.Fatal(err)
		}
		fakepaper.Update(t, p.archive, func(tx *archive.Tx) error {
			return tx.State.Set(key, strings.NewReplacer(`"phase":"head"`, `"phase":"initial"`, `"skip":0`, `"skip":7`).Replace(state))
		})
		var asked []int
		open := p.options.Open
		p.options.Open = func(c source.Connection) (source.Source, error) {
			s, err := open(c)
			return &listener{s.(*wordpress.Source), func(group source.Group, skip int) {
				if group == source.Paths {
					asked = append(asked, skip)
				}
			}}, err
		}
		time.Sleep(time.Hour)
		p.mustRun(t)
		if !slices.Equal(asked, []int{0, 0}) { // for what is new, and for all
			t.Errorf("the folders were asked for from %d", asked)
		}
	})
}
