package fetch

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"ayna/archive"
	"ayna/archive/runstate"
	"ayna/record"
	"ayna/source"
)

// ErrAnother is returned if another paper answers at the source's address. Its ids are
// those of other records.
var ErrAnother = errors.New("another paper answers")

// knownRecords is about how many of the newest records are compared with those of a paper
// that changed its title.
const knownRecords = 20

// Title returns the title that the paper of an archive had in the last run, "" if it is not
// known.
func Title(ctx context.Context, state runstate.State) (string, error) {
	found, err := Found(ctx, state)
	return found[titleOfSite], err
}

// checkPaper compares the newest records with the source's if its title has changed, or its
// id if it has one. At least half of them must be there, with the same date.
func (s *syncer) checkPaper(ctx context.Context) error {
	before, id := s.findings.answer(titleOfSite), s.findings.answer(idOfSite)
	isOther := s.site.Title != before
	if id != "" && s.site.ID != "" {
		isOther = s.site.ID != id
	}
	if s.site.Title == "" {
		return nil
	}
	if before != "" && isOther && !s.Moved {
		known, same, err := s.compareNewest(ctx)
		switch {
		case isBudget(err):
			s.stopForBudget(err)
			return nil
		case isFatal(err):
			return err
		case err != nil: // the next run compares them
			return nil
		case known > 0 && 2*same < known:
			return fmt.Errorf("%w: its title was %q and is %q, and %d of its %d newest articles are gone or others; name another archive in site.yaml for another paper; if this is the same one, build with --moved once",
				ErrAnother, before, s.site.Title, known-same, known)
		}
	}
	s.findings.set(titleOfSite, s.site.Title)
	if s.site.ID != "" {
		s.findings.set(idOfSite, s.site.ID)
	}
	return nil
}

// compareNewest returns how many of the newest articles were compared, and how many are the
// same at the source.
func (s *syncer) compareNewest(ctx context.Context) (known, same int, err error) {
	l := s.listOf(record.Article)
	if l == nil {
		return 0, 0, nil
	}
	latest, err := checked(s.archive.Schedule.LatestModified(ctx, record.Article, knownRecords, s.Now()))
	if err != nil || latest.IsZero() {
		return 0, 0, err
	}
	ids, err := checked(s.archive.Schedule.ModifiedSince(ctx, record.Article, latest))
	if err != nil {
		return 0, 0, err
	}
	newest := slices.Sorted(maps.Keys(ids))
	newest = newest[:min(len(newest), s.facts.Bulk)]
	answers, err := call(ctx, s, func(ctx context.Context) ([]source.Answer, error) { return s.source.Fetch(ctx, l.group, newest) })
	if err != nil {
		return 0, 0, err
	}
	for _, answer := range answers {
		if answer.State != source.Present {
			continue
		}
		r, err := s.archive.Records.Get(ctx, record.Article, answer.ID)
		if err != nil {
			return 0, 0, inArchive(err)
		}
		now := archive.Record{Record: record.Record{Kind: record.Article, ID: answer.ID, Answers: record.Answers{Single: answer.Record}}}
		if record.Fill(&now.Record, s.Dates) == nil && now.Published.Equal(r.Published) {
			same++
		}
	}
	return len(newest), same, nil
}
