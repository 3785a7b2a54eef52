package server

import (
	"context"
	"fmt"
	"net/http"
	"slices"

	"ayna/archive"
)

// view is one state of the archive, from which a whole answer is read.
type view struct {
	*archive.Reader
	version int64
	steady  bool // nothing of it may be kept otherwise
}

// attempts is how often an answer is made of an archive that changes meanwhile.
// After that it is read in one transaction, which can keep nothing.
const attempts = 3

// steady makes an answer from one state of the archive. Few requests do so at a
// time, see [gate].
func (s *api) steady(r *http.Request, read func(view) (document, error)) (d document, err error) {
	ctx := r.Context()
	if r.Header.Get("If-None-Match") != "" {
		version, err := s.archive.Version(ctx)
		if err != nil {
			return d, err
		}
		if d.tag = s.tag(version); holds(r, d.tag) != "" {
			return d, nil
		}
	}
	leave, err := s.gate.enter(ctx)
	if err != nil {
		return document{}, err
	}
	defer leave()
	for range attempts {
		version, err := s.archive.Version(ctx)
		if err != nil {
			return document{}, err
		}
		d, err = read(view{s.archive.Reader(), version, true})
		now, failed := s.archive.Version(ctx)
		if failed != nil {
			return document{}, failed
		}
		switch {
		case now != version:
			continue
		case err != nil:
			return document{}, err
		}
		d.tag = s.tag(version)
		d.compress(r)
		return d, nil
	}
	err = s.archive.Snapshot(ctx, func(reader *archive.Reader) (err error) {
		d, err = read(view{Reader: reader})
		return err
	})
	d.compress(r)
	return d, err
}

// tag names a state of the archive, for as long as it is open.
func (s *api) tag(version int64) string { return fmt.Sprintf("%s-%x", s.opened, version) }

// answerOnce returns an answer that others of the same state may have asked for
// before.
func (s *api) answerOnce(ctx context.Context, v view, key string, read func(context.Context) (document, error)) (document, error) {
	if !v.steady {
		return read(ctx)
	}
	return s.answers.get(ctx, v.version, key, read)
}

// kept returns rows that others of the same state may have read before.
func (s *api) kept(ctx context.Context, v view, key string, read func(context.Context) ([]int64, error)) ([]int64, error) {
	if !v.steady {
		return read(ctx)
	}
	return s.rows.get(ctx, v.version, key, read)
}

// page answers a page of a list. The rows of the first page are read by themselves,
// since most readers want no other; for all others, and to count, those of the
// whole list are read once in each state of the archive: 8 bytes a record.
func (s *api) page(ctx context.Context, v view, find archive.Query, key string, fields []string, counted bool) (d document, err error) {
	lists := func(rows []int64) ([]archive.Document, error) { return v.Lists(ctx, rows) }
	if find.Skip == 0 && !counted {
		rows, err := s.kept(ctx, v, fmt.Sprintf("%s\x00%d", key, find.Limit), func(ctx context.Context) ([]int64, error) { return v.Rows(ctx, find) })
		if err != nil {
			return d, err
		}
		records, err := archive.Whole(rows, find.Limit, lists)
		if err != nil {
			return d, err
		}
		if !slices.ContainsFunc(records, func(r archive.Document) bool { return r.Damaged }) {
			d.body, err = s.array(nil, records, appendFields(fields))
			return d, err
		}
	}
	rows, err := s.allRows(ctx, v, find, key)
	if err != nil {
		return d, err
	}
	if counted {
		n := len(rows)
		d.total = &n
	}
	records, err := archive.Whole(rows[min(find.Skip, len(rows)):], find.Limit, lists)
	if err != nil {
		return d, err
	}
	d.body, err = s.array(nil, records, appendFields(fields))
	return d, err
}

// allRows returns the rows of a query without its limits.
func (s *api) allRows(ctx context.Context, v view, find archive.Query, key string) ([]int64, error) {
	find.Limit, find.Skip = archive.All, 0
	return s.kept(ctx, v, key, func(ctx context.Context) ([]int64, error) { return v.Rows(ctx, find) })
}

// array appends records as a JSON array, each as write appends it.
func (s *api) array(b []byte, records []archive.Document, write func([]byte, archive.Document) ([]byte, error)) ([]byte, error) {
	size := len("[]}")
	for _, r := range records {
		size += len(r.JSON) + len(",")
	}
	b = append(slices.Grow(b, size), '[')
	first := true
	for _, r := range records {
		if s.leaveOut(r) {
			continue
		}
		if !first {
			b = append(b, ',')
		}
		first = false
		var err error
		if b, err = write(b, r); err != nil {
			return nil, fmt.Errorf("row %d of the archive: %w", r.Row, err)
		}
	}
	return append(b, ']'), nil
}

// appendFields returns how a list with the named fields only appends a record.
func appendFields(fields []string) func([]byte, archive.Document) ([]byte, error) {
	return func(b []byte, r archive.Document) ([]byte, error) { return project(b, r.JSON, fields) }
}
