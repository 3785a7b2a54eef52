package pack

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"ayna/archive"
	"ayna/generator/site"
	"ayna/generator/wire"
)

// ErrLine marks a file of which a line cannot be read back.
var ErrLine = errors.New("is no record that was exported")

// Imported is what [Import] did.
type Imported struct {
	Stored int `json:"stored"`
	Kept   int `json:"kept"` // the archive had them, or was made to forget them
	// Readdressed counts stored records that named an address which no site gives
	// them. The next build gives them one.
	Readdressed int `json:"readdressed"`
}

// longest bounds a line.
const longest = 256 << 20

// Import reads what [JSONL] wrote back into an archive, with the same hashes,
// times and addresses. An address that no site gives to the record is left out;
// the next build gives one. What the archive already has stays as it is, so that a
// second time changes nothing. zone is used for dates without an offset. An
// error names the line; what was read before it is stored.
func Import(ctx context.Context, a *archive.Archive, from io.Reader, zone *time.Location) (Imported, error) {
	i := importer{archive: a, zone: zone}
	lines := bufio.NewScanner(from)
	lines.Buffer(make([]byte, 0, 1<<16), longest)
	for lines.Scan() {
		i.line++
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		r, err := i.read(bytes.Clone(lines.Bytes()))
		if err != nil {
			return i.result, errors.Join(fmt.Errorf("line %d %w: %w", i.line, ErrLine, err), i.store(ctx))
		}
		i.batch, i.lines = append(i.batch, r), append(i.lines, i.line)
		i.size += len(lines.Bytes())
		const most, bytes = 256, 8 << 20
		if len(i.batch) < most && i.size < bytes {
			continue
		}
		if err := i.store(ctx); err != nil {
			return i.result, err
		}
	}
	if err := lines.Err(); err != nil {
		return i.result, errors.Join(fmt.Errorf("line %d: %w", i.line+1, err), i.store(ctx))
	}
	return i.result, i.store(ctx)
}

type importer struct {
	archive *archive.Archive
	zone    *time.Location
	line    int
	batch   []*archive.Record
	lines   []int // of the batch
	size    int   // of the batch, in bytes
	result  Imported
}

func (i *importer) read(text []byte) (*archive.Record, error) {
	r, err := decode(text)
	if err != nil {
		return nil, err
	}
	if r.List == nil && r.Single == nil && r.Found == nil {
		return nil, fmt.Errorf("%s %.80q: list and single are missing", r.Kind, r.ID)
	}
	for _, p := range parts(r) {
		if *p.json == nil {
			continue
		}
		if id, err := wire.ID(*p.json); err != nil {
			return nil, fmt.Errorf("%s: %w", p.name, err)
		} else if id != r.ID && (id != "" || p.name == "list") {
			return nil, fmt.Errorf("%s: the JSON is of the record %.80q, not %.80q", p.name, id, r.ID)
		}
	}
	return r, wire.Fill(r, i.zone)
}

// refuseAddress takes its address from a record whose page cannot have it, and
// reports whether it did.
func refuseAddress(r *archive.Record) bool {
	if r.Address == "" || site.GivenTo(site.Kind(r.Kind)) && site.IsItemAddress(r.Address, r.ID) {
		return false
	}
	r.Address = ""
	return true
}

// store stores the batch in one transaction.
func (i *importer) store(ctx context.Context) error {
	var result Imported
	err := i.archive.Update(ctx, func(tx *archive.Tx) error {
		result = Imported{}
		for n, r := range i.batch {
			refused := refuseAddress(r)
			stored, err := tx.Restore(r)
			if errors.Is(err, archive.ErrDamaged) {
				err = fmt.Errorf("%w: %w", ErrLine, err)
			}
			if err != nil {
				return fmt.Errorf("line %d: %w", i.lines[n], err)
			}
			if !stored {
				result.Kept++
				continue
			}
			result.Stored++
			if refused {
				result.Readdressed++
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	i.result.Stored += result.Stored
	i.result.Kept += result.Kept
	i.result.Readdressed += result.Readdressed
	i.batch, i.lines, i.size = i.batch[:0], i.lines[:0], 0
	return nil
}
