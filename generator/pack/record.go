package pack

import (
	"bufio"
	"context"
	"encoding/csv"
	"encoding/hex"
	"fmt"
	"io"
	"strings"
	"time"

	"ayna/archive"
)

// JSONL writes the records of a part, a line of JSON each, in the order of their
// arrival. [Import] reads them back. Those whose JSON is damaged are left out,
// and returned by kind and id.
func JSONL(ctx context.Context, a *archive.Archive, w io.Writer, part Part, progress func(done int)) (damaged []string, err error) {
	to := bufio.NewWriter(w)
	err = each(ctx, a, part, progress, func(r *archive.Record) error {
		if r.Damaged {
			damaged = append(damaged, string(r.Kind)+" "+r.ID)
			return nil
		}
		text, err := encode(r)
		if err != nil {
			return err
		}
		_, err = to.Write(text)
		return err
	})
	if err == nil {
		err = to.Flush()
	}
	if err != nil {
		return nil, fmt.Errorf("export records: %w", err)
	}
	return damaged, nil
}

// columns are those of the table.
var columns = []string{
	"kind", "id", "type", "path", "title", "spot", "url", "editor", "published", "modified", "tags", "writers", "lead", "gone", "address", "sha256",
}

// CSV writes the light metadata of the records of a part as a table (RFC 4180),
// the first line naming the columns. Times are UTC (RFC 3339); tags and writers
// are joined by " | ". A cell that a spreadsheet would take for a formula begins
// with an apostrophe.
func CSV(ctx context.Context, a *archive.Archive, w io.Writer, part Part, progress func(done int)) error {
	to := csv.NewWriter(w)
	to.UseCRLF = true
	to.Write(columns)
	err := each(ctx, a, part, progress, func(r *archive.Record) error {
		var writers []string
		for _, writer := range r.Writers {
			writers = append(writers, writer.Name)
		}
		cells := []string{
			string(r.Kind), r.ID, r.Type, r.Path, r.Title, r.Spot, r.URL, r.Editor, stamp(r.Published), stamp(r.Modified),
			strings.Join(r.Tags, " | "), strings.Join(writers, " | "), r.Lead, stamp(r.Vanished), r.Address, hex.EncodeToString(r.Hash[:]),
		}
		for i, cell := range cells {
			cells[i] = harmless(cell)
		}
		return to.Write(cells)
	})
	if err == nil {
		to.Flush()
		err = to.Error()
	}
	if err != nil {
		return fmt.Errorf("export records: %w", err)
	}
	return nil
}

func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// harmless keeps a text from being a formula.
func harmless(cell string) string {
	if cell != "" && strings.ContainsRune("=+-@\t\r", rune(cell[0])) {
		return "'" + cell
	}
	return cell
}

// each calls do for every record of a part.
func each(ctx context.Context, a *archive.Archive, part Part, progress func(done int), do func(*archive.Record) error) error {
	done := 0
	for r, err := range a.Records(ctx) {
		if err != nil {
			return err
		}
		if !part.holds(r) {
			continue
		}
		if err := do(r); err != nil {
			return err
		}
		if done++; progress != nil {
			progress(done)
		}
	}
	return nil
}
