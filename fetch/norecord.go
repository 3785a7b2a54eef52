package fetch

import (
	"context"
	"fmt"

	"ayna/archive"
	"ayna/archive/schedule"
	"ayna/record"
	"ayna/source"
)

// storeNoRecord takes the answer that a record is none. It is believed after some sightings,
// as answers that contradict the archive are: then the record has no page, and is asked for
// again when its list record changes. A record that has a text keeps it, and writers and
// folders need no more than their list record.
func (s *syncer) storeNoRecord(ctx context.Context, w schedule.Due, answer source.Answer) error {
	var doubted error
	err := s.update(ctx, func(tx *archive.Tx) error {
		stored, err := tx.Get(w.Kind, w.ID)
		if err != nil {
			return err
		}
		content, err := record.ContentOf(&stored.Record)
		if err != nil {
			return fmt.Errorf("%w: %w", errRecord, err)
		}
		if stored.Single != nil || content.Text != "" || w.Kind == record.Writer || w.Kind == record.Folder {
			doubted = notThere(w, answer)
			return nil
		}
		if !stored.NoRecord {
			c, err := s.count(tx, stored, record.SinglePart, &contradiction{reason: "is no record", gap: olderGap})
			if c != nil && err == nil {
				doubted = &doubtError{fmt.Errorf("%w: %w", notThere(w, answer), errDoubted), c.isNew}
			}
			if doubted != nil || err != nil {
				return err
			}
		}
		if _, err := tx.Schedule.ClearDoubt(stored.Row, record.SinglePart); err != nil {
			return err
		}
		return tx.Schedule.MarkNoRecord(stored.Row)
	})
	if err != nil {
		return err
	}
	return doubted
}

// answersTo requests records. An empty answer is an error to [call] first, since a source that
// is down may give it.
func (s *syncer) answersTo(ctx context.Context, group source.Group, ids []string) ([]source.Answer, error) {
	isNone := func(answers []source.Answer) bool { return len(answers) == 1 && answers[0].State == source.NoRecord }
	answers, err := call(ctx, s, func(ctx context.Context) ([]source.Answer, error) {
		answers, err := s.source.Fetch(ctx, group, ids)
		if err == nil && isNone(answers) {
			err = answers[0].Err
		}
		return answers, err
	})
	if isNone(answers) && !isFatal(err) && !isBudget(err) {
		err = nil
	}
	return answers, err
}
