package fetch_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"ayna/fetch"
	"ayna/testrun"
	"ayna/testrun/fakepaper"
)

// An article gets another title, and its first single record lacks content. The content
// stays, the title changes, and the next good answer is stored.
func TestContentMissingOnce(t *testing.T) {
	testrun.NotShort(t)
	t.Parallel()
	for _, test := range []struct{ field, value string }{
		{"Text", ""}, {"Text", "null"}, {"Text", `""`}, {"Text", `" "`}, {"Text", `"<p></p>"`}, {"Text", `{"a":1}`},
		{"Tags", ""}, {"Tags", `{"a":1}`}, {"Tags", "[]"}, {"Files", ""}, {"Files", "[]"}, {"Files", `[{"FileUrl":""}]`},
	} {
		for _, full := range []bool{false, true} {
			if full && test.value != "" {
				continue // the same way for each value
			}
			inVirtualTime(t, fmt.Sprintf("%s %s full=%t", test.field, test.value, full), func(t *testing.T) {
				n, was := openDoubtable(t, fakepaper.Options{})
				n.Edit("articles", doubtable, func(r *fakepaper.Record) { r.Title, r.Modified, was = "Yeni", time.Now(), *r })
				bad := without(n.SingleJSON(was), test.field, test.value)
				n.Faults = func(c fakepaper.Call) *fakepaper.Fault {
					if c.ID == doubtable {
						return fakepaper.Body(bad)
					}
					return nil
				}
				n.options.Full = full
				report := n.mustRun(t)
				r, content := n.stored(t)
				if r.Title != "Yeni" || content.Text != was.Text || len(content.Files) != 1 || len(r.Tags) != 2 {
					t.Errorf("%q, %q, %v, %v", r.Title, content.Text, content.Files, r.Tags)
				}
				if report.Doubted() != 1 || len(report.Failed) != 1 || !strings.Contains(report.Failed[0].Reason, "any more") {
					t.Errorf("%d doubted, failed: %+v", report.Doubted(), report.Failed)
				}
				n.Faults, n.options.Full = nil, false
				time.Sleep(time.Hour)
				if report := n.mustRun(t); report.Doubted() != 0 || len(report.Failed) != 0 {
					t.Errorf("%d doubted, failed: %+v", report.Doubted(), report.Failed)
				}
				n.checkComplete(t)
			})
		}
	}
}

// A source stops sending readable dates, or addresses. The stored ones stay; they come back
// with the source, or are dropped after days.
func TestDatesAndAddressMissing(t *testing.T) {
	testrun.NotShort(t)
	t.Parallel()
	dates := []string{"CreatedDate", "StartDate", "ModifiedDate"}
	for _, test := range []struct {
		name, value, lost string
		fields            []string
		o                 fakepaper.Options
		full              bool
	}{
		{name: "no dates", fields: dates, lost: "date of publication, date of change"},
		{name: "no dates, a full run", fields: dates, lost: "date of publication, date of change", full: true},
		{name: "no dates, undated singles", fields: dates, lost: "date of change", o: fakepaper.Options{UndatedSingles: true}},
		{name: "dates that are none", fields: dates, value: `"??"`, lost: "date of publication, date of change"},
		{name: "lists of dates", fields: dates, value: `["??"]`, lost: "date of publication, date of change"},
		{name: "no address", fields: []string{"Url"}, lost: "address"},
		{name: "an empty address, a full run", fields: []string{"Url"}, value: `""`, lost: "address", full: true},
	} {
		inVirtualTime(t, test.name, func(t *testing.T) {
			n, was := openDoubtable(t, test.o)
			kept, _ := n.stored(t)
			drop := func() {
				n.Amend("articles", doubtable, func(r *fakepaper.Record) {
					r.RawList, r.RawSingle = n.ListJSON(was), n.SingleJSON(was)
					for _, field := range test.fields {
						for _, raw := range []*string{&r.RawList, &r.RawSingle} {
							if strings.Contains(*raw, field) {
								*raw = without(*raw, field, test.value)
							}
						}
					}
				})
			}
			drop()
			n.options.Full = test.full
			report := n.mustRun(t)
			if report.Doubted() != 1 || len(report.Failed) != 1 || !strings.Contains(report.Failed[0].Reason, test.lost+" any more") {
				t.Errorf("%d doubted, failed: %+v", report.Doubted(), report.Failed)
			}
			if r, _ := n.stored(t); r.Published != kept.Published || r.Modified != kept.Modified || r.URL != kept.URL {
				t.Errorf("stored: %v, %v, %q", r.Published, r.Modified, r.URL)
			}
			n.options.Full = false
			n.Amend("articles", doubtable, func(r *fakepaper.Record) { *r = was })
			time.Sleep(7 * time.Hour) // a record of this age is fetched again
			if report := n.mustRun(t); report.Doubted() != 0 || len(report.Failed) != 0 {
				t.Errorf("%d doubted, failed: %+v", report.Doubted(), report.Failed)
			}
			n.checkComplete(t)
			drop()
			n.often(t, 6*24, func(*fetch.Report) {})
			n.checkComplete(t)
		})
	}
}

// A text that is really emptied is accepted after three days. In between the record is
// requested again, but not in each run.
func TestTextIsReallyEmptied(t *testing.T) {
	testrun.NotShort(t)
	t.Parallel()
	for name, edit := range map[string]func(*fakepaper.Record){
		"with a new date": func(r *fakepaper.Record) { r.Text, r.Modified = "", time.Now() },
		"silently":        func(r *fakepaper.Record) { r.Text = "" },
	} {
		inVirtualTime(t, name, func(t *testing.T) {
			n, _ := openDoubtable(t, fakepaper.Options{})
			n.Edit("articles", doubtable, edit)
			asked, hours, emptied := 0, 0, 0
			n.often(t, 4*24+2, func(*fetch.Report) {
				hours += 2
				asked += n.Count(func(r fakepaper.Request) bool { return r.ID == doubtable })
				if _, content := n.stored(t); content.Text == "" && emptied == 0 {
					emptied = hours
				}
			})
			n.checkComplete(t)
			if emptied < 72 || emptied > 4*24 || asked > 20 {
				t.Errorf("empty after %d hours and %d requests", emptied, asked)
			}
			if report := n.mustRun(t); report.Doubted() != 0 {
				t.Errorf("%d doubted in the end", report.Doubted())
			}
		})
	}
}
