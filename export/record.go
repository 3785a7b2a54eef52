package export

import (
	"bufio"
	"context"
	"fmt"
	"io"

	"ayna/archive"
	"ayna/export/lines"
	"ayna/record"
)

// JSONL writes the selected records as JSON lines, in the order of their
// arrival. Package importer reads them back. Records with damaged JSON are left out and
// returned as "kind id".
func JSONL(ctx context.Context, records archive.Records, w io.Writer, selection Selection, progress func(done int)) (damaged []string, err error) {
	to := bufio.NewWriter(w)
	done := 0
	for r, err := range records.All(ctx) {
		if err != nil {
			return nil, fmt.Errorf("export records: %w", err)
		}
		if !selection.holds(r) {
			continue
		}
		if r.Damaged {
			damaged = append(damaged, string(r.Kind)+" "+r.ID)
			continue
		}
		text, err := lines.Encode(r)
		if err == nil {
			_, err = to.Write(text)
		}
		if err != nil {
			return nil, fmt.Errorf("export records: %w", err)
		}
		if done++; progress != nil {
			progress(done)
		}
	}
	if err := to.Flush(); err != nil {
		return nil, fmt.Errorf("export records: %w", err)
	}
	return damaged, nil
}

// Originals writes what living sources sent as JSON lines, which package importer reads after the
// lines of records: of posts and pages that of the selected records, and all that these name.
func Originals(ctx context.Context, a *archive.Archive, w io.Writer, selection Selection) error {
	selected := make(map[string]bool)
	for r, err := range a.Catalog.Scan(ctx) {
		if err != nil {
			return fmt.Errorf("export originals: %w", err)
		}
		if selection.holds(r) {
			selected[string(r.Kind)+" "+r.ID] = true
		}
	}
	to := bufio.NewWriter(w)
	for o, err := range a.Originals.Each(ctx) {
		if err != nil {
			return fmt.Errorf("export originals: %w", err)
		}
		if o.Part == record.SinglePart && !selected[string(o.Kind)+" "+o.Record] {
			continue
		}
		text, err := lines.EncodeOriginal(o)
		if err == nil {
			_, err = to.Write(text)
		}
		if err != nil {
			return fmt.Errorf("export originals: %w", err)
		}
	}
	if err := to.Flush(); err != nil {
		return fmt.Errorf("export originals: %w", err)
	}
	return nil
}
