package sync

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"ayna/client"
)

// fetchPage asks for one page of a list.
func (s *syncer) fetchPage(ctx context.Context, l listing, skip int) (client.Batch, error) {
	var err error
	size := s.pageSize()
	batch, ok := l.ahead.take(skip)
	if !ok {
		batch, err = s.ask(ctx, l, client.Query{Top: size, Skip: skip})
	}
	if skip == 0 && size > s.PageSize && refuses(err) {
		// What the source gave once may be too much for it now.
		if batch, err = s.ask(ctx, l, client.Query{Top: s.PageSize}); err == nil {
			s.source.see(largestTop, strconv.Itoa(s.PageSize))
		}
	}
	if err == nil && batch.Skipped > len(batch.Records) {
		err = fmt.Errorf("most of a page are no records: %w", client.ErrShape)
	}
	if err != nil {
		return batch, fmt.Errorf("list %s from %d: %w", l.operation, skip, err)
	}
	s.learn(l, func(known *List) { known.Envelope = batch.Envelope })
	s.source.see(envelopeOf+l.operation, batch.Envelope)
	return batch, nil
}

func (s *syncer) ask(ctx context.Context, l listing, q client.Query) (client.Batch, error) {
	return call(ctx, s, func(ctx context.Context) (client.Batch, error) { return l.fetch(ctx, q) })
}

// refuses reports whether an error is the answer to what was asked.
func refuses(err error) bool {
	switch statusOf(err) {
	case http.StatusBadRequest, http.StatusUnprocessableEntity, http.StatusInternalServerError:
		return true
	}
	return false
}

// nextPage asks for the page that a walk has come to. A page past the end is
// empty, whatever the source says of it.
func (s *syncer) nextPage(ctx context.Context, l listing, w *walk) (client.Batch, error) {
	batch, err := s.fetchPage(ctx, l, w.skip)
	if err != nil && w.mayEnd() && s.isEnd(ctx, l, w.skip, err) {
		return client.Batch{}, nil
	}
	return batch, err
}

// isEnd reports whether an error past the first page only says that there is
// no more: some services answer so, and say it again if asked again.
func (s *syncer) isEnd(ctx context.Context, l listing, skip int, err error) bool {
	status := statusOf(err)
	switch status {
	case http.StatusBadRequest, http.StatusNotFound, http.StatusInternalServerError:
	default:
		return false
	}
	_, again := s.fetchPage(ctx, l, skip)
	return statusOf(again) == status
}

// statusOf returns the status of the answer to what was asked for, 0 if there is
// none: 429 answers no question.
func statusOf(err error) int {
	if e := (*client.Error)(nil); errors.As(err, &e) && e.Status != http.StatusTooManyRequests {
		return e.Status
	}
	return 0
}
