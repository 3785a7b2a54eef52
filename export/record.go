package export

import (
	"bufio"
	"context"
	"fmt"
	"io"

	"ayna/archive"
	"ayna/export/lines"
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
