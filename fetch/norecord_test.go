package fetch_test

import (
	"net/http"
	"testing"
	"time"

	"ayna/fetch"
	"ayna/record"
	"ayna/testrun"
	"ayna/testrun/fakepaper"
)

// A record of which the source says that it is none is not shown after the fourth such answer,
// and is asked for again when its list record changes, or by a full run.
func TestNoRecordIsBelieved(t *testing.T) {
	testrun.NotShort(t)
	t.Parallel()
	for _, body := range []string{`null`, `{}`, `[]`, `""`, "\n"} {
		inVirtualTime(t, body, func(t *testing.T) {
			n, _ := openDoubtable(t, fakepaper.Options{})
			const id = "49000009"
			n.Add(fakepaper.Record{Group: "articles", ID: id, Title: "Yeni", Path: "/spor/", Text: "<p>Yeni</p>", Created: time.Now(), Modified: time.Now()})
			n.Faults = meeting(&fakepaper.Fault{Body: body}, func(c fakepaper.Call) bool { return c.ID == id })
			of := func(r fakepaper.Request) bool { return r.ID == id }
			isShown := func() bool {
				t.Helper()
				r, err := n.archive.Records.Get(t.Context(), record.Article, id)
				if err != nil {
					t.Fatal(err)
				}
				return r.GoneAt.IsZero() && !r.NoRecord
			}
			if report := n.mustRun(t); len(report.Failed) != 1 || !isShown() {
				t.Fatalf("failed: %+v; shown: %t", report.Failed, isShown())
			}
			hours := 0
			for isShown() {
				if hours += 2; hours > 48 {
					t.Fatal("it is shown after two days")
				}
				n.often(t, 2, func(report *fetch.Report) {
					if len(report.Failed) > 0 {
						t.Errorf("failed after %d hours: %+v", hours, report.Failed)
					}
				})
			}
			if hours < 24 {
				t.Errorf("believed after %d hours", hours)
			}
			n.often(t, 5*24, func(report *fetch.Report) {
				if isShown() || n.Count(of) > 0 || report.Doubted() > 0 {
					t.Fatalf("shown: %t, %d requests, %d doubted", isShown(), n.Count(of), report.Doubted())
				}
			})
			n.Edit("articles", id, func(r *fakepaper.Record) { r.Title, r.Modified = "Değişti", time.Now() })
			n.often(t, 2, func(report *fetch.Report) {
				if isShown() || n.Count(of) == 0 || len(report.Failed) > 0 {
					t.Errorf("after a change: shown: %t, %d requests, failed %+v", isShown(), n.Count(of), report.Failed)
				}
			})
			n.often(t, 24, func(*fetch.Report) {
				if isShown() || n.Count(of) > 0 {
					t.Fatalf("shown: %t, %d requests", isShown(), n.Count(of))
				}
			})
			n.options.Full = true
			n.often(t, 2, func(*fetch.Report) {
				if isShown() || n.Count(of) == 0 {
					t.Errorf("in a full run: shown: %t, %d requests", isShown(), n.Count(of))
				}
			})
			n.options.Full = false
			// Its next change is announced while the source fails: it is shown when its record comes.
			n.Faults = meeting(fakepaper.Status(http.StatusNotImplemented), func(c fakepaper.Call) bool { return c.ID == id })
			n.Edit("articles", id, func(r *fakepaper.Record) { r.Modified = time.Now() })
			n.often(t, 2, func(*fetch.Report) {})
			if isShown() {
				t.Error("shown without its record")
			}
			n.Faults = nil
			n.often(t, 24, func(*fetch.Report) {})
			if !isShown() {
				t.Error("not shown with its record")
			}
			n.checkComplete(t)
		})
	}
}

// A record that was there once is kept, whatever the source says then, and so are names.
func TestRecordThatBecomesNone(t *testing.T) {
	testrun.NotShort(t)
	withClock(t, func(t *testing.T) {
		n, was := openDoubtable(t, fakepaper.Options{})
		const withoutText = "49000010"
		n.Add(fakepaper.Record{Group: "articles", ID: withoutText, Title: "Kısa", Path: "/spor/", Created: time.Now(), Modified: time.Now()})
		n.mustRun(t)
		n.Faults = func(c fakepaper.Call) *fakepaper.Fault {
			if c.ID == doubtable || c.ID == withoutText || c.ID != "" && (c.Operation == "writers" || c.Operation == "paths") {
				return fakepaper.Body("null")
			}
			return nil
		}
		n.Edit("articles", doubtable, func(r *fakepaper.Record) { r.Modified = time.Now() })
		n.Edit("articles", withoutText, func(r *fakepaper.Record) { r.Modified = time.Now() })
		n.Add(fakepaper.Record{Group: "writers", ID: "yazar", Title: "Yeni Yazar"}, fakepaper.Record{Group: "paths", ID: "klasor", Title: "Yeni", Path: "/yeni/"})
		n.often(t, 6*24, func(*fetch.Report) {})
		if r, content := n.stored(t); !r.GoneAt.IsZero() || content.Text != was.Text {
			t.Errorf("gone at %v, text %q", r.GoneAt, content.Text)
		}
		for r, err := range n.archive.Records.All(t.Context()) {
			if err != nil || !r.GoneAt.IsZero() {
				t.Errorf("%s %s is gone: %v", r.Kind, r.ID, err)
			}
		}
		if _, err := n.archive.Reader().Single(t.Context(), record.Article, withoutText); err != nil {
			t.Error(err)
		}
		n.Faults = nil
		n.often(t, 7*24, func(*fetch.Report) {})
		n.checkComplete(t)
	})
}
