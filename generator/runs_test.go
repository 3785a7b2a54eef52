package generator_test

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ayna/archive"
	"ayna/archive/schedule"
	"ayna/generator"
	"ayna/record"
	"ayna/testrun/fakepaper"
)

// The archive keeps the newest thousand runs. One that did not end shows as such, and runs that
// cannot be read stand in no build's way.
func TestRuns(t *testing.T) {
	name := filepath.Join(t.TempDir(), "archive.db")
	a, err := archive.Open(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	now := time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)
	o := generator.Options{
		Command: "build", Now: func() time.Time { now = now.Add(time.Second); return now },
		ExitCode: func(_ *generator.Report, err error) int {
			if err != nil {
				return 5
			}
			return 0
		},
	}
	run := func(failure error) {
		t.Helper()
		now = now.Add(time.Minute)
		if err := generator.KeepForTest(t.Context(), o, a, failure); !errors.Is(err, failure) {
			t.Fatal(err)
		}
	}
	run(nil)
	run(context.DeadlineExceeded)
	generator.KillForTest(t.Context(), o, a)
	run(nil)
	runs, err := generator.Runs(t.Context(), a)
	if err != nil || len(runs) != 4 || runs[0].Exit != 0 || runs[1].Exit != 5 || !runs[2].Ended.IsZero() || runs[3].Ended.IsZero() || runs[3].Command != "build" || runs[3].Seconds <= 0 {
		t.Errorf("%+v, %v", runs, err)
	}
	line := `{"started":"2026-01-01T00:00:00Z","command":"sync"}` + "\n"
	fakepaper.Update(t, a, func(tx *archive.Tx) error { return tx.State.Set("runs", strings.Repeat(line, 1200)) })
	run(nil)
	if runs, err = generator.Runs(t.Context(), a); err != nil || len(runs) != 1000 || runs[998].Command != "sync" || runs[999].Ended.IsZero() {
		t.Errorf("%d runs, %v", len(runs), err)
	}
	fakepaper.Update(t, a, func(tx *archive.Tx) error { return tx.State.Set("runs", "{]") })
	if _, err := generator.Runs(t.Context(), a); err == nil {
		t.Error("what is no run is read")
	}
	run(nil)
	if runs, err = generator.Runs(t.Context(), a); err != nil || len(runs) != 1 {
		t.Errorf("%d runs, %v", len(runs), err)
	}
}

// A doubt is listed with its reason until the record is gone.
func TestDoubts(t *testing.T) {
	a := fakepaper.Archive(t)
	at := time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)
	fakepaper.Update(t, a, func(tx *archive.Tx) error {
		r := archive.Record{Record: record.Record{Kind: record.Article, ID: "1", Answers: record.Answers{List: []byte(`{"Id":"1","Title":"A"}`)}}}
		if err := fakepaper.Store(tx, &r); err != nil {
			return err
		}
		_, err := tx.Schedule.Doubt(r.Row, record.SinglePart, "has no Text any more", at, time.Hour)
		return err
	})
	list := func() (found []schedule.Doubtful) {
		for d, err := range a.Schedule.Doubts(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			found = append(found, d)
		}
		return found
	}
	if got := list(); len(got) != 1 || got[0].ID != "1" || got[0].Claim != "has no Text any more" || got[0].Times != 1 || !got[0].Last.Equal(at) {
		t.Errorf("%+v", got)
	}
	fakepaper.Update(t, a, func(tx *archive.Tx) error { return tx.MarkGone(record.Article, "1", at) })
	if got := list(); len(got) != 0 {
		t.Errorf("of a record that is gone: %+v", got)
	}
}
