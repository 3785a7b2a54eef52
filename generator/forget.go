package generator

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"ayna/archive"
	"ayna/archive/database"
	"ayna/generator/config"
	"ayna/generator/output"
	"ayna/record"
)

// ErrUnknown is returned by [Forget] for a record that the archive never had, and by
// [Unforget] for one that is not forgotten.
var ErrUnknown = errors.New("no such record")

// Forget removes a record from archive and site for good. With absent set it also bars a
// record that the archive never had.
func Forget(ctx context.Context, o Options, kind record.Kind, id string, absent bool) (*Report, error) {
	return changeForgotten(ctx, o, func(tx *archive.Tx) (*Forgotten, error) {
		f := &Forgotten{Kind: kind, ID: id}
		stored, err := tx.Get(kind, id)
		if f.Stored = err == nil; f.Stored && stored.Address != "" {
			f.Page = o.Config.BaseURL + stored.Address
		}
		if kind == record.Comment {
			_, err = tx.Comments.Get(id)
			f.Stored = err == nil
		}
		if err = tx.Forget(kind, id, absent); errors.Is(err, database.ErrNotFound) {
			err = fmt.Errorf("%w: the archive never had %s %s; look at the id, or bar it on purpose with --absent", ErrUnknown, kind, id)
		}
		return f, err
	})
}

// Unforget takes a record off the list of forgotten records: it comes back when the
// source lists it.
func Unforget(ctx context.Context, o Options, kind record.Kind, id string) (*Report, error) {
	return changeForgotten(ctx, o, func(tx *archive.Tx) (*Forgotten, error) {
		err := tx.Unforget(kind, id)
		if errors.Is(err, database.ErrNotFound) {
			err = fmt.Errorf("%w: %s %s is not forgotten", ErrUnknown, kind, id)
		}
		return nil, err
	})
}

// changeForgotten changes the list of forgotten records first, so that the next run can finish
// what this one cannot. Then it erases the records in the list and publishes the site without
// them. change returns the record for the report, or nil.
func changeForgotten(ctx context.Context, o Options, change func(*archive.Tx) (*Forgotten, error)) (*Report, error) {
	o.Offline = true
	report, err := withArchive(ctx, o, archive.Open, func(m mirror, report *Report) error {
		var forgotten *Forgotten
		err := m.archive.Update(ctx, func(tx *archive.Tx) (err error) {
			forgotten, err = change(tx)
			return err
		})
		if err != nil {
			return err
		}
		report.Forgotten = forgotten
		if err := prepare(ctx, o, m, report); err != nil {
			return err
		}
		return publishWithout(ctx, o, m, report)
	})
	if f := report.Forgotten; f != nil && err != nil && report.Files == nil {
		err = fmt.Errorf("%s %s is forgotten, but its page (%s) and its mentions stay in the site until the next run can publish it: %w",
			f.Kind, f.ID, cmp.Or(f.Page, "if it has one"), err)
	}
	return report, err
}

// FinishForget finishes an interrupted [Forget], if any, in archive and site. The rollback
// and commands that only read call it first.
func FinishForget(ctx context.Context, o Options) error {
	if pending, err := pending(ctx, o.Config); err != nil || !pending {
		return err
	}
	o.Offline, o.Check = true, false
	_, err := withArchive(ctx, o, archive.OpenExisting, func(m mirror, report *Report) error {
		if err := prepare(ctx, o, m, report); err != nil {
			return err
		}
		return publishWithout(ctx, o, m, report)
	})
	return err
}

// pending reports whether a purge of the archive is due, or the site was made before the last
// record was forgotten.
func pending(ctx context.Context, c *config.Config) (due bool, err error) {
	a, err := archive.OpenReadOnly(ctx, c.Archive)
	if err != nil {
		return false, nil // if the command needs the archive, it fails itself
	}
	defer func() { err = errors.Join(err, a.Close()) }()
	if due, err = a.State.PurgeDue(ctx); err != nil || due {
		return due, err
	}
	forgotten, err := forgottenDigest(ctx, a.State)
	if err != nil || forgotten == "" {
		return false, err
	}
	due, err = output.Outdated(c.Output, forgotten)
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
		return false, nil // the site is read-only: nothing can be published there
	}
	return due, err
}
