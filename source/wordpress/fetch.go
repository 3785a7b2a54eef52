package wordpress

import (
	"context"

	"ayna/record"
	"ayna/source"
)

// Fetch returns single records by their ids. Those that the answer lacks are left out: they
// are gone, not public, or their list is broken.
func (s *Source) Fetch(ctx context.Context, group source.Group, ids []string) ([]source.Answer, error) {
	list, err := s.readRecords(ctx, group, ids)
	if err != nil {
		return nil, err
	}
	answers := make([]source.Answer, len(ids))
	at := make(map[string]int)
	for i, id := range ids {
		answers[i], at[id] = source.Answer{ID: id, State: source.LeftOut}, i
	}
	for _, raw := range list {
		if id, err := record.ID(raw); err == nil {
			if i, asked := at[id]; asked {
				answers[i].State, answers[i].Record = source.Present, raw
			}
		}
	}
	return answers, nil
}
