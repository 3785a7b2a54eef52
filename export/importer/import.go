// Package importer reads lines of JSON, as package export writes them, into an archive, and
// returns how many records it stored. Begin with [Import].
package importer

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"

	"ayna/archive"
	"ayna/client"
	"ayna/export/lines"
	"ayna/generator/site"
	"ayna/record"
	"ayna/source/get"
)

var (
	// ErrLine marks a file with a line that cannot be imported.
	ErrLine = errors.New("is not an exported record")
	// ErrFile marks a file that cannot be read to its end.
	ErrFile = errors.New("the file is damaged or cut off; what came before is stored")
)

// Imported counts what [Import] did.
type Imported struct {
	Stored int `json:"stored"` // new records
	Kept   int `json:"kept"`   // not stored: the archive has them, or has forgotten them
	// Readdressed counts stored records whose address is not valid for them. The
	// next build assigns a new one.
	Readdressed int `json:"readdressed"`
	Originals   int `json:"originals,omitempty"` // stored originals
}

// importer reads one file into an archive.
type importer struct {
	archive   *archive.Archive
	how       record.Dates
	redaction record.Redaction // of records that the archive has forgotten
	keys      *get.KeyGuard
	done      Imported
	originals bool // they are stored: those of the archive are none, or of this import

	batch []line
	size  int // of the batch, in bytes
}

// line is a record or an original of the file.
type line struct {
	number      int
	record      *archive.Record
	original    *archive.MadeOriginal
	readdressed bool // its address was dropped
}

// Import reads lines of [ayna/export.JSONL], also compressed with gzip, into an archive.
//
// Originals are stored in an archive that has none, since those of another paper may have the same
// keys. Records come with the same hashes, times and addresses. Import drops addresses that are
// not valid for their record; the next build assigns new ones. It drops mentions of records
// that the archive has forgotten. Records that the archive has are not changed, so a second
// import changes nothing. A record with a key of the guard is refused. An error names the
// line, without its content; the lines before it are stored.
func Import(ctx context.Context, a *archive.Archive, from io.Reader, how record.Dates, keys *get.KeyGuard) (Imported, error) {
	forgotten, err := a.State.Forgotten(ctx)
	if err != nil {
		return Imported{}, err
	}
	im := &importer{archive: a, how: how, redaction: record.NewRedaction(forgotten...), keys: keys}
	if im.originals, err = takesOriginals(ctx, a); err != nil {
		return Imported{}, err
	}
	err = errors.Join(im.read(ctx, from), im.store(ctx))
	if err == nil {
		err = im.finish(ctx)
	}
	return im.done, err
}

// read unpacks the file if it is compressed.
func (im *importer) read(ctx context.Context, from io.Reader) error {
	head := bufio.NewReaderSize(&cancellable{ctx, from}, 1<<16)
	if start, _ := head.Peek(2); !bytes.Equal(start, []byte{0x1f, 0x8b}) {
		return im.lines(ctx, head)
	}
	unzipped, err := gzip.NewReader(head)
	if err != nil {
		return fileError(err)
	}
	return im.lines(ctx, bufio.NewReaderSize(&cancellable{ctx, unzipped}, 1<<16))
}

// cancellable is a reader that ends with its context.
type cancellable struct {
	ctx  context.Context
	from io.Reader
}

func (c *cancellable) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.from.Read(p)
}

// lines reads what [ayna/export.JSONL] wrote.
func (im *importer) lines(ctx context.Context, from *bufio.Reader) error {
	var text []byte
	for number := 1; ; number++ {
		var err error
		text, err = readLine(from, text[:0])
		switch {
		case errors.Is(err, errLong):
			return fmt.Errorf("line %d %w: %w", number, ErrLine, err)
		case err != nil && !errors.Is(err, io.EOF):
			return fmt.Errorf("line %d: %w", number, fileError(err))
		}
		if len(bytes.TrimSpace(text)) > 0 {
			r, o, err := lines.Decode(text, im.how)
			if err != nil {
				return fmt.Errorf("line %d %w: %w", number, ErrLine, err)
			}
			if o != nil {
				err = im.addOriginal(ctx, line{number: number, original: o})
			} else {
				err = im.add(ctx, line{number: number, record: r})
			}
			if err != nil {
				return err
			}
		}
		if err != nil { // the end of the file
			return nil
		}
	}
}

var errLong = fmt.Errorf("it is longer than %d MiB", client.MaxBody>>20)

// readLine appends a line to text. A scanner would search a long line anew at each read.
func readLine(from *bufio.Reader, text []byte) ([]byte, error) {
	for {
		part, err := from.ReadSlice('\n')
		if text = append(text, part...); len(text) > client.MaxBody {
			return text, errLong
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return text, err
		}
	}
}

// fileError adds [ErrFile] to an error about the content of a file.
func fileError(err error) error {
	if errors.As(err, new(*fs.PathError)) || errors.Is(err, context.Canceled) {
		return err
	}
	return fmt.Errorf("%w: %w", ErrFile, err)
}

// add adds a record to the batch.
func (im *importer) add(ctx context.Context, l line) error {
	r := l.record
	if r.Address != "" && !(slices.Contains(site.Kinds, site.Kind(r.Kind)) && site.IsItemAddress(r.Address, r.ID)) {
		r.Address, l.readdressed = "", true
	}
	if im.redact(r) != nil { // the error may have a part of the file
		return fmt.Errorf("line %d %w: its JSON cannot be read", l.number, ErrLine)
	}
	if im.keys.InText(r.Address) || record.CheckKey(&r.Record, im.keys) != nil {
		return fmt.Errorf("line %d %w: %w; remove the key from the file", l.number, ErrLine, get.ErrSecret)
	}
	return im.collect(ctx, l, len(r.List)+len(r.Single)+len(r.Hit))
}

// collect adds a line of a size in bytes to the batch, which it stores when that is full.
func (im *importer) collect(ctx context.Context, l line, size int) error {
	const maxBatch, maxBytes = 256, 8 << 20
	im.batch = append(im.batch, l)
	if im.size += size; len(im.batch) == maxBatch || im.size >= maxBytes {
		return im.store(ctx)
	}
	return nil
}

// redact removes mentions of forgotten records from a record.
func (im *importer) redact(r *archive.Record) error {
	changed := false
	for _, part := range []*[]byte{&r.List, &r.Single, &r.Hit} {
		if *part == nil {
			continue
		}
		kept, err := im.redaction.Apply(*part)
		if err != nil {
			return err
		}
		changed = changed || !bytes.Equal(kept, *part)
		*part = kept
	}
	if !changed {
		return nil
	}
	r.SetHash()
	return record.Fill(&r.Record, im.how)
}

// store stores the batch in one transaction and counts it.
func (im *importer) store(ctx context.Context) error {
	counts := im.done
	err := im.archive.Update(ctx, func(tx *archive.Tx) error {
		counts = im.done // the archive may repeat the transaction
		for _, l := range im.batch {
			if l.original != nil {
				if err := im.storeOriginal(tx, l, &counts); err != nil {
					return err
				}
				continue
			}
			stored, err := tx.Import(l.record)
			if err != nil {
				return fmt.Errorf("line %d: %w", l.number, err)
			}
			if !stored {
				counts.Kept++
				continue
			}
			counts.Stored++
			if l.readdressed {
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
