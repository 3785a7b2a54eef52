package fetch_test

import (
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	"ayna/archive"
	"ayna/record"
	"ayna/testrun"
	"ayna/testrun/fakepaper"
)

// Each state that a record can be in leads on: once the source shows the record and answers
// for it, plain runs end with the source's list record and single record in the archive.
func TestEveryStateLeadsOn(t *testing.T) {
	testrun.NotShort(t)
	t.Parallel()
	const id, maxBackoff = "49000009", 8 * 24 * time.Hour
	type stage struct {
		*mirror
		*fakepaper.Record
		broken bool // the single record is answered with 501
	}
	retitled := func(r *fakepaper.Record) { r.Title, r.Modified = "Başka", time.Now() }
	// Each step ends with a run.
	steps := map[string]func(t *testing.T, s *stage){
		"listed":  func(t *testing.T, s *stage) { s.Add(*s.Record) },
		"waiting": func(t *testing.T, s *stage) { s.broken = true },
		"changed": func(t *testing.T, s *stage) { s.Edit(s.Group, id, retitled); retitled(s.Record) },
		"failing": func(t *testing.T, s *stage) { // until the back-off is at its longest
			s.broken = true
			for range 12 {
				time.Sleep(maxBackoff)
				s.mustRun(t)
			}
		},
		"gone": func(t *testing.T, s *stage) {
			s.Remove(s.Group, id)
			if gone := s.relisted(t).Kinds[s.Kind()].Gone; gone != 1 {
				t.Fatalf("%d records gone, want 1", gone)
			}
		},
		"missing": func(t *testing.T, s *stage) { // from the list only
			s.Remove(s.Group, id)
			answer := &fakepaper.Fault{Status: http.StatusOK, Body: s.SingleJSON(*s.Record)}
			faults := s.Faults
			s.Faults = func(c fakepaper.Call) *fakepaper.Fault {
				if c.ID == id {
					return answer
				}
				return nil
			}
			s.relisted(t)
			s.Faults = faults
		},
		"not due": func(t *testing.T, s *stage) { // as an earlier version left a record that came back
			fakepaper.Update(t, s.archive, func(tx *archive.Tx) error {
				r, err := tx.Get(s.Kind(), id)
				if err != nil {
					return err
				}
				r.FetchDue = false
				return tx.Touch(r)
			})
		},
		"provisional": func(t *testing.T, s *stage) {
			fakepaper.Update(t, s.archive, func(tx *archive.Tx) error { return tx.Schedule.MarkProvisional(s.Kind(), time.Time{}) })
		},
		"unwanted": func(t *testing.T, s *stage) {
			s.options.Kinds, s.options.Wants = []record.Kind{record.Folder}, func([]string) bool { return false }
			defer func() { s.options.Kinds, s.options.Wants = []record.Kind{s.Kind(), record.Page}, nil }()
			s.relisted(t)
		},
		"full": func(t *testing.T, s *stage) {
			s.options.Full = true
			defer func() { s.options.Full = false }()
			s.relisted(t)
		},
	}
	ways := [][]string{
		{"waiting", "listed", "gone"},
		{"waiting", "listed", "failing"},
		{"waiting", "listed", "failing", "gone"},
		{"waiting", "listed", "gone", "not due"},
		{"waiting", "listed", "missing"},
		{"waiting", "listed", "provisional"},
		{"waiting", "listed", "unwanted"},
		{"waiting", "listed", "full", "gone"},
		{"listed", "gone", "listed", "gone"},
		{"listed", "missing"},
		{"listed", "provisional"},
		{"listed", "waiting", "changed", "gone"},
		{"listed", "waiting", "changed", "failing"},
		{"listed", "waiting", "changed", "missing"},
		{"listed", "waiting", "changed", "unwanted"},
	}
	for k, kind := range record.Kinds {
		group := string(record.Groups[kind])
		for i, way := range ways {
			if i%len(record.Kinds) != k && !testrun.Long() {
				continue // the way of another kind
			}
			inVirtualTime(t, fmt.Sprint(kind, way), func(t *testing.T) {
				time.Sleep(time.Until(afterAll))
				s := &stage{mirror: open(t, fakepaper.Options{Items: 10})}
				s.keepOnly(kind, record.Page)
				s.Record = &fakepaper.Record{Group: group, ID: id, Title: "Kayıt", Path: "/kayit/", Text: "<p>Metin</p>", Created: time.Now(), Modified: time.Now()}
				s.Faults = meeting(fakepaper.Status(http.StatusNotImplemented), func(c fakepaper.Call) bool {
					return s.broken && c.ID == id && slices.ContainsFunc(s.Records(), func(r fakepaper.Record) bool { return r.Group == group && r.ID == id })
				})
				s.mustRun(t)
				for _, step := range way {
					steps[step](t, s)
					s.mustRun(t)
				}
				s.broken = false
				if !slices.ContainsFunc(s.Records(), func(r fakepaper.Record) bool { return r.Group == group && r.ID == id }) {
					s.Add(*s.Record)
				}
				for range 2 {
					time.Sleep(maxBackoff)
					s.mustRun(t)
				}
				s.checkComplete(t)
				if report := s.mustRun(t); report.Wanted > 0 || len(report.Failed) > 0 {
					t.Errorf("%d records wanted, failed: %+v", report.Wanted, report.Failed)
				}
			})
		}
	}
}
