package importer

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"time"

	"ayna/archive"
	"ayna/generator/site"
	"ayna/generator/wire"
)

// A capture is what one answer holds, as it was at a time.
type capture struct {
	at      time.Time
	part    part
	records []piece
}

type part byte

// The parts of a record that answers hold.
const (
	list   part = iota // of a list
	single             // of a single record
	hit                // of a search
)

// piece is one record in an answer.
type piece struct {
	kind archive.Kind
	json []byte
}

// spool keeps captures in a file until all are known: they are stored in the order of
// their time, whatever order the web archive has them in.
type spool struct {
	file   *os.File
	to     *bufio.Writer
	offset int64
	notes  []note
}

// note is where a capture is in the file of a spool.
type note struct {
	key    int64  // by which captures are ordered
	digest uint64 // of its content: the order of captures of the same time
	offset int64
}

var errSpool = errors.New("keep captures until all are read")

// newSpool returns a spool beside the folder of pictures, where the archive has its room.
func newSpool(media string) (*spool, error) {
	dir := ""
	if media != "" {
		dir = filepath.Dir(media)
	}
	file, err := os.CreateTemp(dir, ".import-*")
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errSpool, err)
	}
	os.Remove(file.Name()) // on Unix no killed run leaves it; elsewhere close removes it
	return &spool{file: file, to: bufio.NewWriterSize(file, 1<<16)}, nil
}

func (s *spool) close() {
	s.file.Close()
	os.Remove(s.file.Name())
}

func (s *spool) add(c capture) error {
	head := binary.AppendVarint([]byte{byte(c.part)}, c.at.UnixMilli())
	text := [][]byte{binary.AppendUvarint(head, uint64(len(c.records)))}
	for _, r := range c.records {
		kind := byte(slices.Index(archive.Kinds, r.kind))
		text = append(text, binary.AppendUvarint([]byte{kind}, uint64(len(r.json))), r.json)
	}
	digest, size := sha256.New(), int64(0)
	for _, part := range text {
		digest.Write(part)
		size += int64(len(part))
		if _, err := s.to.Write(part); err != nil {
			return fmt.Errorf("%w: %w", errSpool, err)
		}
	}
	key := c.at.UnixMilli()
	if c.part == hit { // after all others, the newest first
		key = math.MaxInt64 - key
	}
	s.notes = append(s.notes, note{key, binary.BigEndian.Uint64(digest.Sum(nil)), s.offset})
	s.offset += size
	return nil
}

// read returns the capture at an offset.
func (s *spool) read(offset int64) (c capture, err error) {
	from := bufio.NewReader(io.NewSectionReader(s.file, offset, s.offset-offset))
	number := func() uint64 {
		n, failed := binary.ReadUvarint(from)
		err = cmp.Or(err, failed)
		return n
	}
	kind, err := from.ReadByte()
	c.part = part(kind)
	ms, failed := binary.ReadVarint(from)
	c.at, err = time.UnixMilli(ms).UTC(), cmp.Or(err, failed)
	for n := number(); n > 0 && err == nil; n-- {
		kind, failed := from.ReadByte()
		err = cmp.Or(err, failed)
		json := make([]byte, number())
		_, failed = io.ReadFull(from, json)
		err = cmp.Or(err, failed)
		c.records = append(c.records, piece{archive.Kinds[kind], json})
	}
	if err != nil {
		err = fmt.Errorf("%w: %w", errSpool, err)
	}
	return c, err
}

// storeCaptures stores the captures in the order of their time.
func (w *webArchive) storeCaptures(ctx context.Context) error {
	const maxBatch, maxBytes = 64, 8 << 20
	s := w.spool
	if err := s.to.Flush(); err != nil {
		return fmt.Errorf("%w: %w", errSpool, err)
	}
	slices.SortFunc(s.notes, func(a, b note) int {
		return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.digest, b.digest), cmp.Compare(a.offset, b.offset))
	})
	for len(s.notes) > 0 {
		var batch []capture
		for size := 0; len(s.notes) > 0 && len(batch) < maxBatch && size < maxBytes; s.notes = s.notes[1:] {
			c, err := s.read(s.notes[0].offset)
			if err != nil {
				return err
			}
			batch = append(batch, c)
			for _, r := range c.records {
				size += len(r.json)
			}
		}
		counts := w.done
		err := w.archive.Update(ctx, func(tx *archive.Tx) error {
			counts = w.done // the archive may repeat the transaction
			for _, c := range batch {
				for _, r := range c.records {
					if err := w.storePiece(tx, c, r, &counts); err != nil {
						return err
					}
				}
			}
			return nil
		})
		if err != nil {
			return fmt.Errorf("store captures: %w", err)
		}
		w.done = counts
	}
	return nil
}

// storePiece stores one record of a capture: as the part of its record, if it is newer
// than what the archive has, else as an earlier version.
func (w *webArchive) storePiece(tx *archive.Tx, c capture, p piece, counts *Imported) error {
	raw, err := w.redaction.Apply(p.json)
	if err != nil {
		return err
	}
	id, err := wire.ID(raw)
	if err != nil {
		return err
	}
	forgotten, err := tx.IsForgotten(p.kind, id)
	if err != nil {
		return err
	}
	if forgotten {
		counts.Kept++
		return nil
	}
	r, err := tx.Get(p.kind, id)
	if errors.Is(err, archive.ErrNotFound) {
		r, err = &archive.Record{Kind: p.kind, ID: id, Seen: c.at, FetchDue: true}, nil
		if slices.Contains(site.Kinds, site.Kind(p.kind)) {
			r.Hit, err = tx.Hit(id)
		}
	}
	if err != nil {
		return err
	}
	count := &counts.Kept
	stored, known := false, r.Row != 0
	switch c.part {
	case hit:
		stored, err = w.storeHit(tx, r, raw, c.at)
	case single:
		stored, err = w.storeSingle(tx, r, raw, c.at)
	default:
		stored, err = w.storeList(tx, r, raw, c.at)
	}
	switch {
	case stored && known:
		count = &counts.Versions
	case stored:
		count = &counts.Stored
	}
	*count++
	if err == nil && r.Row != 0 && c.at.Before(r.Seen) {
		err = tx.SetSeen(r.Row, c.at)
	}
	return err
}

// storeSingle stores a single record as it was at a time.
func (w *webArchive) storeSingle(tx *archive.Tx, r *archive.Record, raw []byte, at time.Time) (bool, error) {
	at, put := follows(r.Single, raw, r.Fetched, at)
	if !put {
		return tx.PutEarlier(r, archive.SinglePart, raw, at)
	}
	changed, due := !bytes.Equal(r.Single, raw), r.FetchDue
	r.FetchDue = r.List != nil && (r.Seen.After(at) || r.Changed.After(at)) // the list record is newer
	r.Single, r.Fetched, r.Recheck, r.Attempts, r.RetryAt = raw, at, false, 0, time.Time{}
	if r.List == nil {
		r.Listed = at
	}
	return changed, w.put(tx, r, at, !changed && r.FetchDue == due)
}

// storeList stores a list record as it was at a time.
func (w *webArchive) storeList(tx *archive.Tx, r *archive.Record, raw []byte, at time.Time) (bool, error) {
	at, put := follows(r.List, raw, r.Listed, at)
	if !put {
		return tx.PutEarlier(r, archive.ListPart, raw, at)
	}
	changed, due := !bytes.Equal(r.List, raw), r.FetchDue
	r.FetchDue = r.FetchDue || changed && at.After(r.Fetched)
	r.List, r.Listed = raw, at
	return changed, w.put(tx, r, at, !changed && r.FetchDue == due)
}

// follows decides whether JSON that a part of a record had at a time is its current
// version, and from when on: another version of the same time follows it by a
// millisecond. current is the part in the archive, nil if it is missing, of the time
// until.
func follows(current, json []byte, until, at time.Time) (time.Time, bool) {
	if current != nil && at.Equal(until) && !bytes.Equal(current, json) {
		at = at.Add(time.Millisecond)
	}
	return at, current == nil || at.After(until)
}

// storeHit stores a search hit: its text until the single record arrives, and the whole
// of it if the archive has no such record.
func (w *webArchive) storeHit(tx *archive.Tx, r *archive.Record, raw []byte, at time.Time) (bool, error) {
	if r.Row == 0 {
		r.List, r.Listed = raw, at
		return true, w.put(tx, r, at, false)
	}
	if known, err := tx.Hit(r.ID); err != nil || known != nil || r.Single != nil || r.List == nil || bytes.Equal(r.List, raw) {
		return false, err
	}
	if err := tx.PutHit(r.ID, raw); err != nil {
		return false, err
	}
	r.Hit = raw
	return true, w.put(tx, r, at, false)
}

// put derives the metadata of a record, unless that is the same, and stores it. A record
// that was found gone later stays gone.
func (w *webArchive) put(tx *archive.Tx, r *archive.Record, at time.Time, same bool) (err error) {
	gone := r.GoneAt
	if same {
		err = tx.Touch(r)
	} else if err = wire.Fill(r, w.zone); err == nil {
		_, err = tx.Put(r, at)
	}
	if err != nil || gone.IsZero() || at.After(gone) {
		return err
	}
	return tx.MarkGone(r.Kind, r.ID, gone)
}
