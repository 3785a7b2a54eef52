package sync

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"ayna/client"
)

// nextPage requests the next page of a walk. A page past the end is empty, however
// the source answers: some services return an error, and return it again.
func (s *syncer) nextPage(ctx context.Context, l *list, w *walk) (client.Batch, error) {
	batch, err := s.fetchPage(ctx, l, w.skip)
	if w.mayEnd() && hasStatus(err, http.StatusBadRequest, http.StatusNotFound, http.StatusInternalServerError) {
		if _, again := s.fetchPage(ctx, l, w.skip); statusOf(again) == statusOf(err) {
			return client.Batch{}, nil
		}
	}
	return batch, err
}

// fetchPage requests one page of a list.
func (s *syncer) fetchPage(ctx context.Context, l *list, skip int) (client.Batch, error) {
	size := s.pageSize()
	request := func(q client.Query) (client.Batch, error) {
		return call(ctx, s, func(ctx context.Context) (client.Batch, error) { return l.fetch(ctx, q) })
	}
	batch, err := request(client.Query{Top: size, Skip: skip})
	if skip == 0 && size > s.PageSize && hasStatus(err, http.StatusBadRequest, http.StatusUnprocessableEntity, http.StatusInternalServerError) {
		// The source may no longer allow the page size that it allowed once.
		if batch, err = request(client.Query{Top: s.PageSize}); err == nil {
			s.source.see(largestTop, strconv.Itoa(s.PageSize))
		}
	}
	if err == nil && batch.Skipped > len(batch.Records) {
		err = fmt.Errorf("most of a page are no records: %w", client.ErrShape)
	}
	if err != nil {
		return batch, fmt.Errorf("list %s from %d: %w", l.operation, skip, err)
	}
	l.envelope = batch.Envelope
	s.source.see(envelopeOf+l.operation, batch.Envelope)
	return batch, nil
}

func hasStatus(err error, statuses ...int) bool { return slices.Contains(statuses, statusOf(err)) }
