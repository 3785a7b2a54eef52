package generator

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"ayna/archive"
	"ayna/archive/database"
	"ayna/archive/schedule"
	"ayna/record"
)

// Run is what the archive keeps of a command that was run on it.
type Run struct {
	Started  time.Time `json:"started"`
	Ended    time.Time `json:"ended,omitzero"` // zero of a run that was killed, or is running
	Command  string    `json:"command"`
	Exit     int       `json:"exit_code"`
	Requests int       `json:"requests"`
	New      int       `json:"new"`
	Changed  int       `json:"changed"`
	Doubted  int       `json:"doubted"`
	Bytes    int64     `json:"bytes"` // received
	Seconds  float64   `json:"seconds"`

	CompleteAt *time.Time `json:"complete_at,omitempty"` // when nothing will be left to fetch, at this rate
}

const (
	// mostRuns are kept, the newest.
	mostRuns = 1000
	// runsState is the name of the runs in the archive, one a line, the newest last.
	runsState = "runs"
)

// Runs returns the runs that an archive keeps, the newest last.
func Runs(ctx context.Context, a *archive.Archive) ([]Run, error) {
	kept, err := a.State.Get(ctx, runsState)
	if err != nil {
		return nil, err
	}
	var runs []Run
	for line := range bytes.Lines([]byte(kept)) {
		var r Run
		if err := json.Unmarshal(line, &r); err != nil {
			return nil, fmt.Errorf("read the runs that the archive keeps: %w", err)
		}
		runs = append(runs, r)
	}
	return runs, nil
}

// keepRun keeps a run in the place of one of the same start, or after all others. Runs that
// cannot be read make room, since no build may fail for them.
func keepRun(ctx context.Context, a *archive.Archive, run Run) error {
	runs, _ := Runs(ctx, a)
	if n := len(runs); n > 0 && runs[n-1].Ended.IsZero() && runs[n-1].Started.Equal(run.Started) && !run.Ended.IsZero() {
		runs = runs[:n-1]
	}
	runs = append(runs, run)
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	for _, r := range runs[max(0, len(runs)-mostRuns):] {
		if err := encoder.Encode(r); err != nil {
			return fmt.Errorf("keep the run: %w", err)
		}
	}
	return a.Update(ctx, func(tx *archive.Tx) error { return tx.State.Set(runsState, b.String()) })
}

// beginRun keeps that a run began, but for a check, which needs no room; end keeps how it ended. A run that is killed between them has
// no end.
func beginRun(ctx context.Context, o Options, a *archive.Archive, report *Report) (end func(error) error, err error) {
	if o.ExitCode == nil || o.Check || !a.Writable() {
		return func(failure error) error { return failure }, nil
	}
	run := Run{Started: report.Started, Command: o.Command}
	began := o.clock()
	return func(failure error) error {
		run.Ended, run.Seconds = o.now(), o.clock().Sub(began).Round(100*time.Millisecond).Seconds()
		run.Exit = o.ExitCode(report, failure)
		if s := report.Sync; s != nil {
			run.Requests, run.Bytes, run.Doubted, run.CompleteAt = s.Requests.Sent, s.Requests.Bytes, s.Doubted(), s.CompleteAt
			for _, n := range s.Kinds {
				run.New += n.New
				run.Changed += n.Changed
			}
		}
		if err := keepRun(context.WithoutCancel(ctx), a, run); failure == nil { // an interrupted run is kept, too
			return err
		}
		return failure
	}, keepRun(ctx, a, run)
}

// Status is what an archive says of its mirror.
type Status struct {
	Runs       []Run      `json:"runs"` // the newest last
	Running    bool       `json:"running"`
	Known      int        `json:"records"`
	Waiting    int        `json:"waiting"`               // records that have not arrived in full
	CompleteAt *time.Time `json:"complete_at,omitempty"` // when none will be waiting, at the rate of the last run that knew
	Comments   int        `json:"comments,omitempty"`    // of readers
	Doubts     []Doubted  `json:"doubted"`
	DoubtsMore int        `json:"doubted_more,omitempty"`

	Notes []archive.Note `json:"notes,omitempty"` // what readers of originals have not understood
}

// Doubted is a part of a record of which the source gave an answer that is not believed yet.
type Doubted struct {
	schedule.Doubtful
	Why string `json:"why"`
}

// mostDoubts are listed.
const mostDoubts = 1000

// doubtParts say what is doubted, in words.
var doubtParts = map[string]string{
	record.ListPart: "what its list shows", record.SinglePart: "its own answer", schedule.GonePart: "that it is gone",
}

// ReadStatus reads the status of a mirror.
func ReadStatus(ctx context.Context, o Options) (s Status, err error) {
	a, err := archive.OpenReadOnly(ctx, o.Config.Archive)
	if err != nil {
		return s, err
	}
	defer func() { err = errors.Join(err, a.Close()) }()
	if s.Runs, err = Runs(ctx, a); err != nil {
		return s, err
	}
	arrived, known, err := Arrived(ctx, o.Config, a)
	if err != nil {
		return s, err
	}
	s.Known, s.Waiting = known, known-arrived
	for _, r := range s.Runs {
		if r.CompleteAt != nil && s.Waiting > 0 {
			s.CompleteAt = r.CompleteAt
		}
	}
	if s.Comments, err = a.Comments.Count(ctx); err != nil {
		return s, err
	}
	if s.Notes, err = a.Originals.Notes(ctx); err != nil {
		return s, err
	}
	s.Doubts = []Doubted{}
	for d, err := range a.Schedule.Doubts(ctx) {
		switch {
		case err != nil:
			return s, err
		case len(s.Doubts) == mostDoubts:
			s.DoubtsMore++
		default:
			s.Doubts = append(s.Doubts, Doubted{d, doubtParts[d.Part]})
		}
	}
	if n := len(s.Runs); n > 0 && s.Runs[n-1].Ended.IsZero() {
		s.Running = isHeld(ctx, o.Config.Archive)
	}
	return s, nil
}

// isHeld reports whether another process writes to an archive.
func isHeld(ctx context.Context, name string) bool {
	a, err := archive.OpenExisting(ctx, name)
	if err == nil {
		_ = a.Close() // it wrote nothing
	}
	return errors.Is(err, database.ErrLocked)
}
