package importer

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"ayna/archive"
	"ayna/generator/exchange"
	"ayna/generator/warc"
	"ayna/generator/wire"
)

// ownRecord is a record whose earlier versions may follow.
type ownRecord struct {
	arrival
	until time.Time // end of the next earlier single record
	size  int       // of the earlier versions, in bytes
}

// maxEarlier is how many bytes of earlier versions of one record are held in memory. Older
// ones are left out.
const maxEarlier = 64 << 20

// captured takes an answer: as a version of the open record, or as one whose metadata may
// follow, or else as a capture.
func (w *webArchive) captured(ctx context.Context, warcType string, c captured) error {
	if own := w.own; own != nil && warcType == "resource" &&
		c.operation.ID == own.record.ID && c.operation.Group == wire.Groups[own.record.Kind] {
		if id, err := wire.ID(c.body); err == nil && (id == own.record.ID || id == "") {
			w.addEarlier(archive.Revision{Part: archive.SinglePart, JSON: c.body, ReplacedAt: own.until}, c.place)
			own.until = c.at
			return nil
		}
	}
	if err := w.settle(ctx); err != nil {
		return err
	}
	if warcType == "resource" && c.operation.ID != "" {
		w.last = &c
		return nil
	}
	return w.keep(c)
}

// addEarlier adds an earlier version to the open record.
func (w *webArchive) addEarlier(r archive.Revision, place string) {
	if w.own.size += len(r.JSON); w.own.size > maxEarlier {
		w.leaveOut(tooManyEarlier, place, false)
		return
	}
	w.own.earlier = append(w.own.earlier, r)
}

// settle ends the open record and the answer without metadata.
func (w *webArchive) settle(ctx context.Context) error {
	own, last := w.own, w.last
	w.own, w.last = nil, nil
	if own != nil {
		slices.SortStableFunc(own.earlier, func(a, b archive.Revision) int {
			return cmp.Or(a.ReplacedAt.Compare(b.ReplacedAt), cmp.Compare(a.Part, b.Part))
		})
		return w.add(ctx, own.arrival)
	}
	if last != nil {
		return w.keep(*last)
	}
	return nil
}

// metadata reads the line of a record, or of an earlier list record.
func (w *webArchive) metadata(ctx context.Context, r *warc.Record, place string) error {
	text, err := io.ReadAll(r.Content)
	if err != nil {
		return err
	}
	var l exchange.Line
	err = json.Unmarshal(text, &l)
	if err == nil {
		err = cmp.Or(exchange.CheckTime("since", l.Since), exchange.CheckTime("until", l.Until))
	}
	if err != nil {
		w.leaveOut(damagedRecord, fmt.Sprintf("%s: %v", place, err), true)
		return nil
	}
	if own := w.own; !l.Until.IsZero() && own != nil && l.Kind == own.record.Kind && l.ID == own.record.ID {
		if l.List == nil {
			l.List = l.Encoded["list"]
		}
		if id, err := wire.ID(l.List); err == nil && id == l.ID {
			w.addEarlier(archive.Revision{Part: archive.ListPart, JSON: l.List, ReplacedAt: l.Until}, place)
		}
		return nil
	}
	answer := w.last
	if answer != nil && answer.id == strings.Trim(r.Header.Get("WARC-Concurrent-To"), "<>") {
		w.last = nil
	} else {
		answer = nil
	}
	if err := w.settle(ctx); err != nil {
		return err
	}
	record, err := l.Record()
	if err == nil && answer != nil {
		record.Single = answer.body
	}
	if err == nil {
		err = exchange.Complete(record, w.zone)
	}
	if err == nil && !record.Sound() {
		err = fmt.Errorf("its JSON does not match its hash")
	}
	if err == nil {
		w.others = false // they are the pages of this site
		w.own = &ownRecord{arrival: arrival{place: place, record: record}, until: cmp.Or(l.Since, l.Changed, l.Fetched)}
		w.own.media, err = w.mediaOf(l, r.Date)
		return err
	}
	w.leaveOut(damagedRecord, fmt.Sprintf("%s: %v", place, err), true)
	// Its parts may be sound.
	if record != nil && record.List != nil {
		if id, err := wire.ID(record.List); err == nil && id == record.ID {
			if err := w.spool.add(capture{record.Listed.Truncate(time.Millisecond), list, []piece{{record.Kind, record.List}}}); err != nil {
				return err
			}
		}
	}
	if answer != nil {
		return w.keep(*answer)
	}
	return nil
}
