package readapi

import (
	"context"
	"errors"

	"ayna/client"
	"ayna/source"
	"ayna/source/get"
)

// Fetch reads the record with an id at its own address: the service has no operation for
// several. Its 404 and 410 say that the record is gone; an empty answer says
// that it is none.
func (s *Source) Fetch(ctx context.Context, group source.Group, ids []string) ([]source.Answer, error) {
	var answers []source.Answer
	for _, id := range ids {
		raw, err := s.client.Single(ctx, client.Group(group), id)
		switch {
		case errors.Is(err, get.ErrNotFound):
			answers = append(answers, source.Answer{ID: id, State: source.Gone, Err: err})
		case errors.Is(err, client.ErrNoRecord):
			answers = append(answers, source.Answer{ID: id, State: source.NoRecord, Err: err})
		case err != nil:
			return nil, err
		default:
			answers = append(answers, source.Answer{ID: id, State: source.Present, Record: raw})
		}
	}
	return answers, nil
}
