package ghost_test

import (
	"context"
	"encoding/json"

	"ayna/source"
	"ayna/source/get"
	"ayna/source/ghost"
)

// present returns the records that a source has for the ids.
func present(ctx context.Context, s *ghost.Source, group source.Group, ids []string) (list []json.RawMessage, err error) {
	answers, err := s.Fetch(ctx, group, ids)
	for _, answer := range answers {
		if answer.State == source.Present {
			list = append(list, answer.Record)
		}
	}
	return list, err
}

// single returns the record with an id, or [get.ErrNotFound] if the answer lacks it.
func single(ctx context.Context, s *ghost.Source, group source.Group, id string) (json.RawMessage, error) {
	list, err := present(ctx, s, group, []string{id})
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, get.ErrNotFound
	}
	return list[0], nil
}
