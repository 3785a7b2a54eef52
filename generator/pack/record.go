package pack

import (
	"bufio"
	"context"
	"fmt"
	"io"

	"ayna/archive"
	"ayna/generator/exchange"
)

// JSONL writes the records of a part as JSON lines, in the order of their
// arrival. Package importer reads them back. Records with damaged JSON are left out and
// returned as "kind id".
func JSONL(ctx context.Context, records archive.Records, w io.Writer, part Part, progress func(done int)) (damaged []string, err error) {
	to := bufio.NewWriter(w)
	damaged, err = each(ctx, records, part, progress, func(r *archive.Record) error {
		text, err := exchange.Encode(r)
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

// each calls do for every record of a part, in the order of arrival. Records with damaged
// JSON are left out and returned as "kind id".
func each(ctx context.Context, records archive.Records, part Part, progress func(done int), do func(*archive.Record) error) (damaged []string, err error) {
	done := 0
	for r, err := range records.All(ctx) {
		if err != nil {
			return nil, err
		}
		if !part.holds(r) {
			continue
		}
		if r.Damaged {
			damaged = append(damaged, string(r.Kind)+" "+r.ID)
			continue
		}
		if err := do(r); err != nil {
			return nil, err
		}
		if done++; progress != nil {
			progress(done)
		}
	}
	return damaged, nil
}
