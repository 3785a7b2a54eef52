// Package importer reads records into an archive: exports and web archives that package pack
// has written, and captured answers of a Read API in web archives of others.
//
// Begin with [Import]. webarchive.go reads WARC and WACZ files: own.go those of this program,
// capture.go captured answers, picture.go pictures.
package importer

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"time"

	"ayna/archive"
	"ayna/generator/exchange"
	"ayna/generator/site"
	"ayna/generator/wire"
)

var (
	// ErrLine marks a file with a line that cannot be imported.
	ErrLine = errors.New("is not an exported record")
	// ErrFile marks a file that cannot be read to its end.
	ErrFile = errors.New("the file is damaged or cut off; what came before is stored")
)

// Imported counts what [Import] did.
type Imported struct {
	Stored   int `json:"stored"`   // new records
	Versions int `json:"versions"` // earlier and newer versions of records, and parts that they lacked
	Kept     int `json:"kept"`     // not stored: the archive has them, or has forgotten them
	// Readdressed counts stored records whose address is not valid for them. The
	// next build assigns a new one.
	Readdressed int       `json:"readdressed"`
	Pictures    int       `json:"pictures"`
	LeftOut     []LeftOut `json:"left_out,omitempty"` // records of a web archive, by reason
}

// LeftOut counts records of a web archive that were not imported.
type LeftOut struct {
	Reason  string `json:"reason"`
	Count   int    `json:"count"`
	First   string `json:"first"`             // the place of the first one in the file
	Damaged bool   `json:"damaged,omitempty"` // the file is not as it was written
}

// Damaged returns the number of records that were left out because they are damaged.
func (i *Imported) Damaged() (n int) {
	for _, l := range i.LeftOut {
		if l.Damaged {
			n += l.Count
		}
	}
	return n
}

// importer reads one file into an archive.
type importer struct {
	archive   *archive.Archive
	zone      *time.Location // of dates without an offset
	now       time.Time
	redaction wire.Redaction // of records that the archive has forgotten
	done      Imported

	batch []arrival
	size  int // of the batch, in bytes
}

// arrival is a record with its hash, times and address.
type arrival struct {
	place       string // in the file
	record      *archive.Record
	earlier     []archive.Revision
	media       []archive.Media
	readdressed bool // its address was dropped
}

// Import reads a file into an archive: lines of [pack.JSONL], also compressed with gzip, or
// a web archive (WARC or WACZ).
//
// Records that this program has written come with the same hashes, times and addresses.
// It drops addresses that are not valid for their record; the next build assigns new
// ones, and mentions of records that the archive has forgotten. Records that the archive has
// are not changed. An error names the line; the lines before it are stored.
//
// Of other web archives it takes captured answers of the API. The newest capture becomes
// the record, earlier ones its revisions.
//
// A second import changes nothing. zone applies to dates without an offset.
func Import(ctx context.Context, a *archive.Archive, from io.Reader, zone *time.Location, now time.Time) (Imported, error) {
	forgotten, err := a.Forgotten(ctx)
	if err != nil {
		return Imported{}, err
	}
	im := &importer{archive: a, zone: zone, now: now, redaction: wire.NewRedaction(forgotten...)}
	err = errors.Join(im.read(ctx, from), im.store(ctx))
	slices.SortFunc(im.done.LeftOut, func(a, b LeftOut) int { return cmp.Compare(a.Reason, b.Reason) })
	return im.done, err
}

// read decides by its first bytes what the file is.
func (im *importer) read(ctx context.Context, from io.Reader) error {
	head := bufio.NewReaderSize(from, 1<<16)
	start, err := head.Peek(1 << 16)
	if err != nil && err != io.EOF {
		return err
	}
	whole, compressed := start, bytes.HasPrefix(start, []byte{0x1f, 0x8b})
	if compressed {
		whole = make([]byte, len("WARC/"))
		if z, err := gzip.NewReader(bytes.NewReader(start)); err == nil {
			io.ReadFull(z, whole) // reading all of it reports an error
		}
	}
	switch {
	case bytes.HasPrefix(whole, []byte("WARC/")):
		return im.webArchive(ctx, from, head)
	case bytes.HasPrefix(start, []byte("PK\x03\x04")):
		return im.webArchive(ctx, from, nil)
	case compressed:
		z, err := gzip.NewReader(head)
		if err != nil {
			return fmt.Errorf("%w: %w", ErrFile, err)
		}
		return im.lines(ctx, z)
	}
	return im.lines(ctx, head)
}

// lines reads what [pack.JSONL] wrote.
func (im *importer) lines(ctx context.Context, from io.Reader) error {
	const maxLine = 256 << 20
	lines := bufio.NewScanner(from)
	lines.Buffer(make([]byte, 0, 1<<16), maxLine)
	number := 0
	for lines.Scan() {
		number++
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		place := fmt.Sprintf("line %d", number)
		r, err := exchange.Decode(bytes.Clone(lines.Bytes()), im.zone)
		if err != nil && lines.Err() != nil { // the line is cut off
			number--
			break
		}
		if err == nil {
			err = im.add(ctx, arrival{place: place, record: r})
		} else {
			err = fmt.Errorf("%s %w: %w", place, ErrLine, err)
		}
		if err != nil {
			return err
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("line %d: %w", number+1, fileError(err))
	}
	return nil
}

// fileError adds [ErrFile] to an error about the content of a file.
func fileError(err error) error {
	if errors.As(err, new(*fs.PathError)) {
		return err
	}
	return fmt.Errorf("%w: %w", ErrFile, err)
}

// add adds a record to the batch, which it stores when that is full.
func (im *importer) add(ctx context.Context, a arrival) error {
	const maxBatch, maxBytes = 256, 8 << 20
	r := a.record
	if r.Address != "" && !(slices.Contains(site.Kinds, site.Kind(r.Kind)) && site.IsItemAddress(r.Address, r.ID)) {
		r.Address, a.readdressed = "", true
	}
	if err := im.redact(&a); err != nil {
		return err
	}
	im.batch = append(im.batch, a)
	im.size += len(r.List) + len(r.Single) + len(r.Hit)
	for _, e := range a.earlier {
		im.size += len(e.JSON)
	}
	if len(im.batch) == maxBatch || im.size >= maxBytes {
		return im.store(ctx)
	}
	return nil
}

// redact removes mentions of forgotten records from a record and its earlier versions.
func (im *importer) redact(a *arrival) error {
	r, changed := a.record, false
	parts := []*[]byte{&r.List, &r.Single, &r.Hit}
	for i := range a.earlier {
		parts = append(parts, &a.earlier[i].JSON)
	}
	for _, part := range parts {
		if *part == nil {
			continue
		}
		kept, err := im.redaction.Apply(*part)
		if err != nil {
			return fmt.Errorf("%s: %w", a.place, err)
		}
		changed = changed || !bytes.Equal(kept, *part)
		*part = kept
	}
	if !changed {
		return nil
	}
	r.SetHash()
	if err := wire.Fill(r, im.zone); err != nil {
		return fmt.Errorf("%s: %w", a.place, err)
	}
	return nil
}

// store stores the batch in one transaction and counts it.
func (im *importer) store(ctx context.Context) error {
	counts := im.done
	err := im.archive.Update(ctx, func(tx *archive.Tx) error {
		counts = im.done // the archive may repeat the transaction
		for _, a := range im.batch {
			stored, err := tx.Import(a.record, a.earlier...)
			if errors.Is(err, archive.ErrDamaged) {
				err = fmt.Errorf("%w: %w", ErrLine, err)
			}
			if err != nil {
				return fmt.Errorf("%s: %w", a.place, err)
			}
			if !stored {
				counts.Kept++
				continue
			}
			counts.Stored++
			counts.Versions += len(a.earlier)
			for _, m := range a.media {
				if known, shown, err := tx.MediaAt(m.URL); err != nil {
					return err
				} else if !shown || known.Name != "" {
					continue
				}
				if err := tx.PutMedia(m); err != nil {
					return err
				}
				counts.Pictures++
			}
			if a.readdressed {
				counts.Readdressed++
			}
		}
		return nil
	})
	if err == nil {
		im.done = counts
	}
	im.batch, im.size = im.batch[:0], 0
	return err
}
