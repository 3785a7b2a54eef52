package sync

import (
	"context"
	"encoding/json"
	"errors"

	"ayna/archive"
	"ayna/client"
	"ayna/generator/wire"
)

// searchFor lists the hits of a saved search, newest first. A hit carries the
// full text, fifty of them in one request: until its single record arrives, the
// hit stands in for it.
func (s *syncer) searchFor(query string) listing {
	return listing{
		operation: "search",
		state:     "search " + query,
		fetch: func(ctx context.Context, q client.Query) (client.Batch, error) {
			return s.client.SearchBatch(ctx, query, q)
		},
		store: func(tx *archive.Tx, batch client.Batch, _ int) (page, error) {
			return s.storeHits(tx, query, batch)
		},
		renewing: new(int),
	}
}

func (s *syncer) storeHits(tx *archive.Tx, query string, batch client.Batch) (page, error) {
	p := page{received: len(batch.Records) + batch.Skipped}
	for i, raw := range batch.Records {
		id, err := wire.ID(raw)
		if err != nil || id == "" {
			id = string(raw) // tells this element from others of its sort
		}
		p.ids = append(p.ids, id)
		if id == string(raw) || s.isForgotten(id) {
			p.joins = p.joins || i == 0
			continue
		}
		added, err := tx.AddHits(query, []string{id})
		if err != nil {
			return p, err
		}
		if added == 0 {
			p.known++ // or by this reading: hits are not numbered
			p.joins = p.joins || i == 0
			continue
		}
		p.unseen++
		p.added++
		if raw, err = s.redaction.Apply(raw); err != nil {
			continue // the hit counts, its text does not
		}
		if !s.sawText(raw) {
			continue // then it says no more than a list
		}
		if err := s.storeFound(tx, id, raw); err != nil && !errors.Is(err, errRecord) {
			return p, err
		}
	}
	return p, nil
}

// sawText reports whether a hit carries its text, and notes whether hits do.
func (s *syncer) sawText(raw []byte) bool {
	var hit client.Hit
	if err := json.Unmarshal(raw, &hit); err != nil {
		return false
	}
	switch {
	case hit.Text != "":
		s.source.see(textOfHits, "yes")
	case hit.ContentType == "Article" && !s.source.shows(textOfHits): // a gallery may have none
		s.source.see(textOfHits, "no")
	}
	return hit.Text != ""
}

func (s *syncer) isForgotten(id string) bool {
	for _, ids := range s.forgotten {
		if ids[id] {
			return true
		}
	}
	return false
}

// storeFound keeps a hit for the record it is of, whether that was listed yet
// or not.
func (s *syncer) storeFound(tx *archive.Tx, id string, raw []byte) error {
	var records []*archive.Record
	for _, kind := range []archive.Kind{archive.Article, archive.Column, archive.Gallery, archive.Video} {
		record, err := tx.Get(kind, id)
		if errors.Is(err, archive.ErrNotFound) {
			continue
		}
		if err != nil {
			return err
		}
		if record.Single == nil && !record.Aside() {
			records = append(records, record)
		}
	}
	if err := tx.KeepFound(id, raw); err != nil {
		return err
	}
	for _, record := range records {
		record.Found = raw
		if _, err := s.put(tx, record); err != nil {
			return err
		}
	}
	return nil
}
