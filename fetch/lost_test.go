package fetch_test

import (
	"testing"
	"time"

	"ayna/fetch"
	"ayna/testrun"
	"ayna/testrun/fakepaper"
)

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
