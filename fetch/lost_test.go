package fetch_test

import (
	"strings"
	"testing"
	"time"

	"ayna/fetch"
	"ayna/testrun"
	"ayna/testrun/fakepaper"
)

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
