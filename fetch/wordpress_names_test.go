package fetch_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"ayna/testrun"
	"ayna/testrun/fakepaper"
)

// What articles name keeps its name, and pictures stay, while a list of them is closed, broken
// or empty. All is as before once it answers again.
func TestWordPressNamesStay(t *testing.T) {
	testrun.NotShort(t)
	t.Parallel()
	for _, name := range []string{"categories", "users", "tags", "media"} {
		for fault, answer := range map[string]*fakepaper.Fault{
			"closed": fakepaper.Status(http.StatusForbidden), "401": fakepaper.Status(http.StatusUnauthorized), "broken": fakepaper.Status(http.StatusInternalServerError),
			"empty": {Body: "[]", Header: http.Header{"X-WP-Total": {"0"}}},
		} {
			inVirtualTime(t, name+" "+fault, func(t *testing.T) {
				p := openPress(t, fakepaper.Options{Items: 30})
				p.mustRun(t)
				before := strings.Join(p.held(t), "\n")
				p.Faults = meeting(answer, func(c fakepaper.Call) bool { return c.Operation == name })
				for i := range 4 {
					time.Sleep(7 * time.Hour)
					p.options.Full = i == 2
					report, err := p.run(t)
					if err != nil {
						t.Fatal(err)
					}
					isClosed := fault == "closed" || fault == "401"
					isAsked := name != "media" || i == 2
					if isClosed && (len(report.Failed) > 0 || (len(report.Warnings) == 1) != (i == 0 && isAsked || name == "media" && i == 2)) || !isClosed && isAsked && len(report.Failed) == 0 {
						t.Errorf("run %d: failed %+v, warnings %q", i, report.Failed, report.Warnings)
					}
				}
				p.options.Full = false
				p.Faults = nil
				time.Sleep(7 * time.Hour)
				if r := p.mustRun(t); len(r.Failed) > 0 {
					t.Errorf("afterwards: %+v", r.Failed)
				}
				if after := strings.Join(p.held(t), "\n"); after != before {
					t.Errorf("the records differ:\n%s\nbefore\n%s", after, before)
				}
			})
		}
	}
}
