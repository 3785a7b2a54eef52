package archive

import (
	"context"
	"fmt"
	"iter"

	"ayna/archive/database"
	"ayna/record"
)

// datesState is the name of the state that holds the rules by which the dates of all records
// were read.
const datesState = "dates"

// Redate derives the dates of all records anew, in one transaction, if they were read by other
// rules: by an earlier version of the program, or with another time zone or order of day and
// month. derive need only set Published and Modified.
func (a *Archive) Redate(ctx context.Context, rules string, derive record.DeriveFunc) error {
	kept, err := a.State.Get(ctx, datesState)
	if err != nil || kept == rules {
		return err
	}
	return a.Update(ctx, func(tx *Tx) error {
		if err := tx.redate(derive); err != nil {
			return fmt.Errorf("read the dates of all records anew: %w", err)
		}
		return tx.State.Set(datesState, rules)
	})
}

func (t *Tx) redate(derive record.DeriveFunc) error {
	rows, err := database.All(t.ctx, t.tx.Statements, "read rows", database.Column[int64], `SELECT row FROM record ORDER BY row`)
	if err != nil {
		return err
	}
	for _, row := range rows {
		r, err := rawRecord(t.ctx, t.tx.Statements, row)
		if err != nil {
			return err
		}
		if r.Damaged || r.List == nil && r.Single == nil || derive(&r.Record) != nil {
			continue // the stored dates stay
		}
		if err := t.exec(`UPDATE record SET published = $1, modified = $2 WHERE row = $3
			AND (published IS DISTINCT FROM $1 OR modified IS DISTINCT FROM $2)`, database.Millis(r.Published), database.Millis(r.Modified), row); err != nil {
			return err
		}
	}
	return nil
}

// Undated yields the items and editorial pages without a readable date of publication that
// are neither gone nor provisional, with their JSON.
func (s Records) Undated(ctx context.Context) iter.Seq2[*Record, error] {
	return records(ctx, s.read, true, selectFull+` WHERE record.row IN (SELECT row FROM record
		WHERE published IS NULL AND gone_at IS NULL AND `+database.NotAside+` AND (`+database.IsItem+` OR kind = 'page')) ORDER BY record.row`) // the subquery lets the database sort rows without their JSON
}
