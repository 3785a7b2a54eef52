package fetch_test

import (
	"fmt"
	"testing"
	"time"

	"ayna/archive"
	"ayna/fetch"
	"ayna/record"
	"ayna/testrun"
	"ayna/testrun/fakepaper"
)

// doubtable is the record that the tests of doubt change.
const doubtable = "48999999"

// openDoubtable is a mirror that has everything, of a service with an article
// that was changed last two hours ago.
func openDoubtable(t *testing.T, o fakepaper.Options) (n *mirror, was fakepaper.Record) {
	t.Helper()
	o.Items = 2
	n = open(t, o)
	n.keepOnly(record.Article)
	time.Sleep(time.Until(afterAll))
	n.Edit("articles", doubtable, func(r *fakepaper.Record) {
		r.Created, r.Modified, r.Spot = time.Now().Add(-3*time.Hour), time.Now().Add(-2*time.Hour), "Özet"
		r.Pictures = []string{"https://haber.example/resim/a.png"}
		was = *r
	})
	n.mustRun(t)
	return n, was
}

// often runs n every two hours.
func (n *mirror) often(t *testing.T, hours int, after func(*fetch.Report)) {
	t.Helper()
	for range hours / 2 {
		time.Sleep(2 * time.Hour)
		after(n.mustRun(t))
	}
}

// stored returns the article that the tests of doubt change, and its content.
func (n *mirror) stored(t *testing.T) (*archive.Record, record.Content) {
	t.Helper()
	r, err := n.archive.Records.Get(t.Context(), record.Article, doubtable)
	if err != nil {
		t.Fatal(err)
	}
	content, err := record.ContentOf(&r.Record)
	if err != nil {
		t.Fatal(err)
	}
	return r, content
}

// An answer without content that the archive lacks, too, is stored. A list record without
// content that only the list had is doubted.
func TestFirstAnswers(t *testing.T) {
	withClock(t, func(t *testing.T) {
		n := open(t, fakepaper.Options{Items: 10})
		n.Edit("newsphotogalleries", "48999995", func(r *fakepaper.Record) { r.Text, r.Spot, r.Tags = "", "", nil })
		n.mustRun(t)
		n.Edit("newsphotogalleries", "48999995", func(r *fakepaper.Record) { r.Title, r.Modified = "Yeni", r.Modified.Add(time.Hour) })
		if report := n.mustRun(t); report.Doubted() != 0 {
			t.Errorf("%d doubted", report.Doubted())
		}
		n.checkComplete(t)
		fresh := fakepaper.Record{Group: "articles", ID: "49000009", URL: "https://haber.example/yeni", Title: "Yeni", Path: "/spor/", Text: "<p>Yeni</p>", Created: time.Now(), Modified: time.Now()}
		n.Add(fresh)
		n.Faults = meeting(fakepaper.Status(501), func(c fakepaper.Call) bool { return c.ID == fresh.ID })
		n.mustRun(t)
		n.Edit("articles", fresh.ID, func(r *fakepaper.Record) { r.RawList = without(n.ListJSON(fresh), "Title", `""`) })
		if report := n.mustRun(t); report.Doubted() != 1 {
			t.Errorf("%d doubted, want the list record without a title", report.Doubted())
		}
		if r, err := n.archive.Records.Get(t.Context(), record.Article, fresh.ID); err != nil || r.Title != "Yeni" {
			t.Errorf("%q, %v", r.Title, err)
		}
	})
}

// The text is really gone, and after several doubted answers a back end that lags behind
// returns the old one: the record stays due.
func TestOldAnswerAmongDoubted(t *testing.T) {
	testrun.NotShort(t)
	withClock(t, func(t *testing.T) {
		n, was := openDoubtable(t, fakepaper.Options{})
		n.Edit("articles", doubtable, func(r *fakepaper.Record) { // it is old, and fetched again rarely
			r.Created, r.Modified = r.Created.Add(-90*24*time.Hour), time.Now()
			was = *r
		})
		n.mustRun(t)
		n.checkComplete(t)
		time.Sleep(time.Hour)
		n.Edit("articles", doubtable, func(r *fakepaper.Record) { r.Text, r.Modified = "", time.Now() })
		asked := 0
		n.Faults = func(c fakepaper.Call) *fakepaper.Fault {
			if c.ID != doubtable {
				return nil
			}
			if asked++; asked == 5 {
				return fakepaper.Body(n.SingleJSON(was))
			}
			return nil
		}
		n.often(t, 6*24, func(*fetch.Report) {})
		n.checkComplete(t)
	})
}

// The old versions of a back end that lags behind for weeks, beside one that does not, are
// never accepted, although records have the same date.
func TestLaggingBackEndIsNotBelieved(t *testing.T) {
	testrun.NotShort(t)
	withClock(t, func(t *testing.T) {
		n, was := openDoubtable(t, fakepaper.Options{})
		n.Edit("articles", doubtable, func(r *fakepaper.Record) { r.Text = "<p>Yeni</p>" })
		n.often(t, 24, func(*fetch.Report) {})
		n.checkComplete(t)
		singles := 0
		n.Faults = func(c fakepaper.Call) *fakepaper.Fault {
			if c.ID != doubtable {
				return nil
			}
			if singles++; singles%3 != 0 {
				return fakepaper.Body(n.SingleJSON(was))
			}
			return nil
		}
		n.often(t, 8*24, func(*fetch.Report) {
			if r, _ := n.stored(t); string(r.Single) == n.SingleJSON(was) {
				t.Fatal("the record went back")
			}
		})
		if singles < 8 {
			t.Errorf("asked for %d times", singles)
		}
	})
}

// A change of the text alone is found for every kind, sooner for newer records.
func TestSilentEdits(t *testing.T) {
	testrun.NotShort(t)
	t.Parallel()
	for _, test := range []struct {
		group  string
		age    time.Duration
		within time.Duration
	}{
		{"articles", time.Hour, 7 * time.Hour},
		{"articles", 3 * 24 * time.Hour, 25 * time.Hour},
		{"newsphotogalleries", 10 * 24 * time.Hour, 97 * time.Hour},
		{"newsvideos", 300 * 24 * time.Hour, 30*24*time.Hour + time.Hour},
		{"columns", 300 * 24 * time.Hour, 30*24*time.Hour + time.Hour},
	} {
		inVirtualTime(t, fmt.Sprint(test.group, test.age), func(t *testing.T) {
			n := open(t, fakepaper.Options{Items: 2})
			time.Sleep(time.Until(afterAll))
			at := time.Now().Add(-test.age)
			r := fakepaper.Record{Group: test.group, ID: "49000009", Title: "Eski", Path: "/spor/", Text: "<p>Eski</p>", Created: at, Modified: at}
			n.Add(r)
			n.mustRun(t)
			n.Amend(test.group, r.ID, func(r *fakepaper.Record) { r.Text = "<p>Sessiz</p>" })
			time.Sleep(test.within)
			n.mustRun(t)
			n.checkComplete(t)
		})
	}
}
