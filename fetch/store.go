package fetch

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"ayna/archive"
	"ayna/archive/database"
	"ayna/client"
	"ayna/prose"
	"ayna/record"
	"ayna/source"
)

// store stores a page of a list and sums it up. number is that of the pass, see
// [archive.Record.Pass].
func (s *syncer) store(tx *archive.Tx, l *list, batch source.Batch, number int) (page, error) {
	p := page{pass: number, received: len(batch.Records) + batch.Skipped, last: batch.Last, same: make(map[int64]bool), counts: make(map[record.Kind]pageCount)}
	s.tally(l.firstKind(), func(c *Count) { c.Skipped += batch.Skipped })
	for i, raw := range batch.Records {
		id, err := record.ID(raw)
		if err != nil || id == "" {
			s.tally(l.firstKind(), func(c *Count) { c.Skipped++ })
			p.ids = append(p.ids, string(raw)) // differs from other elements without an id
			p.joins = p.joins || i == 0
			continue
		}
		p.ids = append(p.ids, id)
		stored, err := s.find(tx, l, id, raw)
		if err != nil {
			return p, err
		}
		kind := stored.Kind
		if slices.Contains(batch.Hidden, id) || s.isForgotten(l, id) || !(l.isSearch() || slices.Contains(l.kinds, kind)) {
			p.joins, p.left = p.joins || i == 0, append(p.left, id)
			continue
		}
		var seen bool
		var change archive.Change
		if l.isSearch() {
			seen, change, err = s.storeHit(tx, l, id, raw)
		} else {
			seen, change, err = s.storeListed(tx, l, &p, stored, claim{part: record.ListPart, json: raw, unread: batch.Unread[id]})
			if err == nil && !seen && stored.FetchDue && s.wants(kind, stored.Folders()) {
				p.due = append(p.due, stored.Row)
			}
		}
		if errors.Is(err, errRecord) {
			s.fail(Failure{Kind: kind, ID: id, Operation: l.operation}, err)
			continue
		}
		if err != nil {
			return p, err
		}
		p.joins = p.joins || (i == 0 && seen)
		if !seen {
			p.unseen++
		}
		if change != archive.New && (!seen || l.isSearch()) { // a hit that is not new counts as seen
			p.known++
		}
		count := p.counts[kind]
		if count.add(change); seen && change == archive.Unchanged {
			count.seen++
		}
		p.counts[kind] = count
	}
	for _, count := range p.counts {
		p.added += count.added
		p.changed += count.changed
	}
	return p, s.touch(tx, p)
}

// touch stores that the pass has seen the records of a page that are the same as before.
func (s *syncer) touch(tx *archive.Tx, p page) error {
	if len(p.same) == 0 {
		return nil
	}
	return tx.TouchListed(slices.Sorted(maps.Keys(p.same)), p.pass, s.Now())
}

// add counts a record by what storing it has changed.
func (c *pageCount) add(change archive.Change) {
	switch change {
	case archive.New:
		c.added++
	case archive.Changed:
		c.changed++
	default:
		c.same++
	}
}

// find returns a record of a list from the archive, or a new one: its kind is "" for a search hit.
// In a mixed list the kind is that under which the archive has the record, so that it keeps its
// address, or else the one of its type.
func (s *syncer) find(tx *archive.Tx, l *list, id string, raw json.RawMessage) (*archive.Record, error) {
	own, kinds := l.firstKind(), l.kinds
	if l.isMixed {
		own = record.KindOf(raw)
		others := slices.DeleteFunc(slices.Clone(l.kinds), func(k record.Kind) bool { return k == own })
		kinds = append([]record.Kind{own}, others...)
	}
	for _, kind := range kinds {
		if stored, err := tx.Get(kind, id); !errors.Is(err, database.ErrNotFound) {
			return stored, err
		}
	}
	return &archive.Record{Record: record.Record{Kind: own, ID: id, Answers: record.Answers{FetchDue: true}}}, nil
}

// firstKind returns the kind that stands for a list, "" for a search.
func (l *list) firstKind() record.Kind {
	if l.isSearch() {
		return ""
	}
	return l.kinds[0]
}

// isForgotten reports whether a record of a list was removed for good. A search hit may be
// of any kind.
func (s *syncer) isForgotten(l *list, id string) bool {
	return slices.ContainsFunc(s.forgotten, func(f record.Forgotten) bool {
		return f.ID == id && (l.isSearch() || slices.Contains(l.kinds, f.Kind))
	})
}

// storeListed stores a record that a page of a list has, and reports whether the pass had
// seen it before. The single record is fetched if it never arrived, if the list record has
// changed, or if a full pass sees it for the first time. If only the pass of a record
// changes, the page touches it together with others.
func (s *syncer) storeListed(tx *archive.Tx, l *list, p *page, stored *archive.Record, of claim) (seen bool, change archive.Change, err error) {
	if of.json, err = s.redact(of.json); err != nil {
		return false, 0, err
	}
	before, wasDue := stored.Progress, stored.FetchDue
	if stored.Row == 0 {
		if stored.Hit, err = tx.Hits.Get(stored.ID); err != nil {
			return false, 0, err
		}
	}
	raw, err := s.acceptListed(tx, l, stored, of)
	if err != nil {
		return false, 0, err
	}
	same := string(stored.List) == string(raw)
	former := stored.Path
	seen = stored.Pass >= p.pass || p.same[stored.Row]
	stored.FetchDue = stored.FetchDue || !same || stored.Single == nil && !stored.NoRecord
	if again := stored.Pass < l.refetchPass; again || !same || !stored.GoneAt.IsZero() && !stored.NoRecord {
		stored.Recheck = stored.Recheck || again
		stored.Attempts, stored.RetryAt = 0, time.Time{}
	}
	isTouched := stored.Progress != before || stored.FetchDue != wasDue || !stored.GoneAt.IsZero()
	stored.List, stored.Listed, stored.Pass = raw, s.Now(), max(stored.Pass, p.pass)
	switch { // the metadata is derived from the JSON
	case same && !isTouched:
		p.same[stored.Row] = true
	case same:
		err = tx.Touch(stored)
	default:
		change, err = s.put(tx, stored, s.Now())
	}
	if err == nil && stored.Kind == record.Folder && change == archive.Changed && stored.Path != former && s.facts.Brief {
		err = tx.Schedule.RecheckIn(former) // its items are in a renamed folder
	}
	if before.Provisional { // it was never shown
		change = archive.New
	}
	return seen, change, err
}

// redact removes mentions of records that were removed for good.
func (s *syncer) redact(raw json.RawMessage) (json.RawMessage, error) {
	raw, err := s.redaction.Apply(raw)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errRecord, err)
	}
	return raw, nil
}

// put derives the metadata of a record and stores it, and the cleaned text of a single
// record.
func (s *syncer) put(tx *archive.Tx, stored *archive.Record, now time.Time) (archive.Change, error) {
	content, body, err := s.read(stored)
	if err != nil {
		return 0, err
	}
	change, err := tx.Put(stored, now)
	if err != nil || change == archive.Unchanged || stored.Single == nil || s.Cleaned == nil {
		return change, err
	}
	text, version, err := s.Cleaned(stored, content, body, s.Table)
	if err != nil { // the build tries again, and reports it
		return change, nil
	}
	return change, tx.PutText(stored.Row, version, text)
}

// read derives the metadata of a record. It refuses a record with the API key.
func (s *syncer) read(stored *archive.Record) (record.Content, prose.Body, error) {
	content, body, err := record.Read(&stored.Record, s.Dates, s.Table)
	if err == nil {
		err = record.CheckKey(&stored.Record, s.source.KeyGuard())
	}
	if err != nil {
		return content, body, fmt.Errorf("%w: %w", errRecord, err)
	}
	return content, body, nil
}

// storeHit stores a search hit, and reports whether the archive had it for this search.
// Many sources include the whole text of a hit, fifty in one request, so a hit with its
// text replaces the single record until that arrives.
func (s *syncer) storeHit(tx *archive.Tx, l *list, id string, raw json.RawMessage) (known bool, change archive.Change, err error) {
	added, err := tx.Hits.Add(l.query, []string{id})
	if added == 0 || err != nil {
		return true, archive.Unchanged, err
	}
	if raw, err = s.redact(raw); err != nil || !hasText(raw) {
		return false, archive.New, nil // the hit counts, without its text
	}
	if err = s.storeHitText(tx, id, raw); errors.Is(err, errRecord) {
		err = nil
	}
	return false, archive.New, err
}

// hasText reports whether a search hit has its text.
func hasText(raw []byte) bool {
	hit, err := client.ReadWording(raw)
	return err == nil && hit.Text != ""
}

// storeHitText stores the JSON of a hit: for records of that id that are listed later, and
// with those that are stored and lack their single record.
func (s *syncer) storeHitText(tx *archive.Tx, id string, raw []byte) error {
	var records []*archive.Record
	for _, kind := range []record.Kind{record.Article, record.Column, record.Gallery, record.Video} {
		stored, err := tx.Get(kind, id)
		if errors.Is(err, database.ErrNotFound) {
			continue
		}
		if err != nil {
			return err
		}
		if stored.Single == nil && !stored.Provisional && !stored.NoRecord {
			records = append(records, stored)
		}
	}
	if _, _, err := s.read(&archive.Record{Record: record.Record{Kind: record.Article, ID: id, Answers: record.Answers{Hit: raw}}}); err != nil {
		return err
	}
	if err := tx.Hits.Put(id, raw); err != nil {
		return err
	}
	for _, stored := range records {
		stored.Hit = raw
		if _, err := s.put(tx, stored, s.Now()); err != nil {
			return err
		}
	}
	return nil
}
