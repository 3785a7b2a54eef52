package fetch

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"ayna/record"
	"ayna/source/get"
)

// Report describes what a run did. It is part of the report that the commands write as
// JSON.
type Report struct {
	Kinds       map[record.Kind]*Count `json:"kinds"`
	Lists       map[string]*List       `json:"lists"` // by operation
	Requests    Requests               `json:"requests"`
	Pictures    PictureCount           `json:"pictures"`
	Attachments *AttachmentCount       `json:"attachments,omitempty"` // nil if none are mirrored
	Cards       *CardCount             `json:"cards,omitempty"`       // nil if none were asked for
	Failed      []Failure              `json:"failed"`                // the first thousand, sorted by kind and id
	Source      []Finding              `json:"source"`                // findings about the source, sorted by question

	Reread     *Reread  `json:"-"`                     // nil if nothing was; part of the command's report
	Warnings   []string `json:"warnings,omitempty"`    // what makes the mirror poorer than the source, once
	FailedMore int      `json:"failed_more,omitempty"` // failures beyond those in Failed

	Wanted     int        `json:"wanted"`                // single records still to be fetched
	HourLeft   *int       `json:"hour_left,omitempty"`   // requests that the limits leave; nil without a limit
	CompleteAt *time.Time `json:"complete_at,omitempty"` // when nothing will be left to fetch, at this rate
}

// Withheld returns the number of records that disappeared and were not deleted, since
// they were too many at once.
func (r *Report) Withheld() int { return r.sum(func(c *Count) int { return c.Withheld }) }

// Doubted returns the number of records whose latest answer contradicts the archive and
// is not accepted yet.
func (r *Report) Doubted() int { return r.sum(func(c *Count) int { return c.Doubted }) }

func (r *Report) sum(number func(*Count) int) int {
	sum := 0
	for _, c := range r.Kinds {
		sum += number(c)
	}
	return sum
}

// Count is what a run did with the records of one kind.
type Count struct {
	New       int `json:"new"`
	Changed   int `json:"changed"`
	Unchanged int `json:"unchanged"`
	Fetched   int `json:"fetched"`  // single records
	Gone      int `json:"gone"`     // confirmed to be gone from the source
	Missing   int `json:"missing"`  // not at their own address; the next pass over the list shows whether they are gone
	Withheld  int `json:"withheld"` // disappeared, too many at once to be deleted
	Failed    int `json:"failed"`
	Doubted   int `json:"doubted"` // their latest answer contradicts the archive and is not accepted yet
	Skipped   int `json:"skipped"` // list elements that are not records or have no id
}

// List describes a list operation.
type List struct {
	PageSize   int       `json:"page_size,omitempty"`   // most records in one answer so far
	DateFilter string    `json:"date_filter,omitempty"` // the filter by date that works, or "none"
	Complete   time.Time `json:"complete,omitzero"`     // when the latest complete pass over the list began; zero if none
	Unstable   bool      `json:"unstable,omitempty"`    // its order changes between requests
	Agreed     int       `json:"agreed,omitempty"`      // of an unstable list: passes in a row that found nothing new
}

// Requests counts the requests of a run, without those for pictures and attachments.
type Requests struct {
	Sent     int         `json:"sent"`
	ByStatus map[int]int `json:"by_status"`                     // 0: no answer
	Bytes    int64       `json:"bytes"`                         // received, decompressed
	Ahead    int         `json:"clock_ahead_seconds,omitempty"` // how far the source's clock is ahead, if more than five minutes; negative if behind
}

// PictureCount counts the pictures of a run.
type PictureCount struct {
	Fetched int `json:"fetched"`
	Failed  int `json:"failed"`
}

// Failure is a record or an operation that failed.
type Failure struct {
	Kind      record.Kind `json:"kind,omitempty"`
	ID        string      `json:"id,omitempty"` // of a picture: its address
	Operation string      `json:"operation"`
	Status    int         `json:"status,omitempty"`
	Reason    string      `json:"reason"`
}

// tally changes the count of a kind. Search hits have no kind and are not counted.
func (s *syncer) tally(kind record.Kind, change func(*Count)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := s.report.Kinds[kind]; c != nil {
		change(c)
	}
}

// countPage counts a page that was stored. Do not call it in a transaction: the caller's
// Progress may write to the archive.
func (s *syncer) countPage(counts map[record.Kind]pageCount) {
	for kind, n := range counts {
		same := n.same - n.seen
		if kind != "" {
			s.progress("list", int(s.listed.Add(int64(n.added+n.changed+same))), 0)
		}
		s.tally(kind, func(c *Count) {
			c.New += n.added
			c.Changed += n.changed
			c.Unchanged += same
		})
	}
}

// maxFailures is the number of failures that a report lists.
const maxFailures = 1000

// fail reports a record or an operation that failed.
func (s *syncer) fail(f Failure, err error) {
	if e := (*get.Error)(nil); errors.As(err, &e) {
		f.Status = e.Status
	}
	f.Reason = s.source.KeyGuard().Hide(err.Error())
	s.tally(f.Kind, func(c *Count) { c.Failed++ })
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.report.Failed) == maxFailures {
		s.report.FailedMore++
		return
	}
	s.report.Failed = append(s.report.Failed, f)
}

// finishReport returns the report of a run that is over.
func (s *syncer) finishReport(ctx context.Context) *Report {
	ctx = context.WithoutCancel(ctx)
	for w, err := range s.archive.Schedule.Doubted(ctx) {
		if err == nil && s.wants(w.Kind, w.Paths) {
			s.tally(w.Kind, func(c *Count) { c.Doubted++ })
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	report := s.report
	report.Requests, report.Source = s.transport.requests(), s.findings.all()
	slices.SortFunc(report.Failed, func(a, b Failure) int {
		return strings.Compare(string(a.Kind)+"\x00"+a.ID+a.Operation, string(b.Kind)+"\x00"+b.ID+b.Operation)
	})
	for _, l := range s.lists {
		if !l.isSearch() && l.started {
			report.Lists[l.operation] = &List{l.PageSize, l.Filter, l.Complete, l.Unstable, len(l.Agreed)}
		}
	}
	const ever = 100 * 365 * 24 * time.Hour // includes postponed records
	if rows, err := s.dueRows(ctx, s.Now().Add(ever)); err == nil {
		report.Wanted = len(rows)
	}
	left, limited := s.quota.allowance(s.Now())
	if limited {
		report.HourLeft = &left
	}
	if perHour := s.quota.hourLimit(); perHour > 0 && report.Wanted > left {
		hours := (report.Wanted - left + perHour - 1) / perHour
		at := s.Now().Add(time.Duration(hours) * time.Hour).UTC().Truncate(time.Minute)
		report.CompleteAt = &at
	}
	return &report
}
