package generator

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"syscall"
	"time"

	"ayna/archive"
	"ayna/generator/arrange"
	"ayna/generator/output"
	"ayna/generator/wire"
)

// ErrUnknown is returned by [Forget] for a record that the archive never had, and by
// [Unforget] for one that is not forgotten.
var ErrUnknown = errors.New("no such record")

// Forget removes a record from archive and site for good. With absent set it may be one
// that the archive never had, and is never stored then.
func Forget(ctx context.Context, o Options, kind archive.Kind, id string, absent bool) (*Report, error) {
	b := &build{Options: o, check: o.Check, forgets: true}
	b.intent = func(tx *archive.Tx) error {
		f := &Forgotten{Kind: kind, ID: id}
		record, err := tx.Get(kind, id)
		if f.Stored = err == nil; f.Stored && record.Address != "" {
			f.Page = o.Config.BaseURL + record.Address
		}
		switch err = tx.Forget(kind, id, absent); {
		case err == nil:
			b.report.Forgotten = f
		case errors.Is(err, archive.ErrNotFound):
			err = fmt.Errorf("%w: the archive never had %s %s; look at the id, or bar it on purpose with --absent", ErrUnknown, kind, id)
		}
		return err
	}
	return b.forget(ctx)
}

// Unforget takes a record off the list of forgotten records: it comes back when the
// source lists it.
func Unforget(ctx context.Context, o Options, kind archive.Kind, id string) (*Report, error) {
	b := &build{Options: o, check: o.Check, forgets: true}
	b.intent = func(tx *archive.Tx) error {
		err := tx.Unforget(kind, id)
		if errors.Is(err, archive.ErrNotFound) {
			err = fmt.Errorf("%w: %s %s is not forgotten", ErrUnknown, kind, id)
		}
		return err
	}
	return b.forget(ctx)
}

// Settle ends what an interrupted [Forget] has left undone in archive and site, if there
// is something. Commands that only read call it first.
func Settle(ctx context.Context, o Options) error {
	if pending, err := pending(ctx, o); err != nil || !pending {
		return err
	}
	o.Offline, o.Check = true, false
	_, err := (&build{Options: o, forgets: true}).forget(ctx)
	return err
}

// pending reports whether the archive may hold forgotten records, or the site was made
// before the last one was forgotten.
func pending(ctx context.Context, o Options) (is bool, err error) {
	a, err := archive.OpenReader(ctx, o.Config.Archive)
	if err != nil {
		return false, nil // the command itself says so, if it needs the archive
	}
	defer func() { err = errors.Join(err, a.Close()) }()
	if is, err = a.Forgetting(ctx); err != nil || is {
		return is, err
	}
	forgotten, err := forgottenDigest(ctx, a)
	if err != nil || forgotten == "" {
		return false, err
	}
	is, err = output.Outdated(o.Config.Output, forgotten)
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
		return false, nil // a copy to read, which no build makes
	}
	return is, err
}

// forgottenDigest returns the digest of the list of forgotten records, "" if it is empty.
func forgottenDigest(ctx context.Context, a *archive.Archive) (string, error) {
	forgotten, err := a.Forgotten(ctx)
	if err != nil || len(forgotten) == 0 {
		return "", err
	}
	return digest(forgotten), nil
}

// forget runs the stages of a command that has to do with forgotten records.
func (b *build) forget(ctx context.Context) (*Report, error) {
	report, err := b.run(ctx, b.count, b.checkArchive, b.publish)
	if f := report.Forgotten; f != nil && err != nil && !errors.Is(err, ErrUnknown) && report.Files == nil {
		err = fmt.Errorf("%s %s is forgotten, but its page (%s) and its mentions stay in the site until the next run can publish it: %w",
			f.Kind, f.ID, cmp.Or(f.Page, "if it has one"), err)
	}
	return report, err
}

// settle keeps the intent of the command, and removes what the archive still holds of
// forgotten records.
func (b *build) settle(ctx context.Context) error {
	if b.intent != nil {
		if err := b.archive.Update(ctx, b.intent); err != nil {
			return err
		}
	}
	forgetting, err := b.archive.Forgetting(ctx)
	if err != nil || !forgetting {
		return err
	}
	if !b.archive.Writable() {
		return errors.New("an ayna forget was interrupted; run ayna build --offline first")
	}
	defer b.measure("forget")()
	forgotten, err := b.archive.Forgotten(ctx)
	if err != nil {
		return err
	}
	for _, f := range forgotten {
		versions, err := versionsOf(ctx, b.archive, f.Kind, f.ID, b.Config.Location)
		if err == nil {
			err = arrange.Forget(ctx, b.archive, versions)
		}
		if err != nil {
			return fmt.Errorf("forget %s %s: %w", f.Kind, f.ID, err)
		}
	}
	return wire.Purge(ctx, b.archive, b.Config.Location)
}

// settleSite publishes the site without requests if it was made before the last record
// was forgotten: the synchronisation may fail.
func (b *build) settleSite(ctx context.Context) error {
	if b.NoSite {
		return nil
	}
	outdated, err := output.Outdated(b.Config.Output, b.inputs.Forgotten)
	if err != nil || !outdated {
		return err
	}
	b.forgets = true
	defer func() { b.forgets = false }()
	if err = b.count(ctx); err == nil {
		err = b.publish(ctx)
	}
	return err
}

// versionsOf returns a record and its earlier versions, newest first; nothing if
// the record is unknown. It skips versions that cannot be read: no page showed
// them.
func versionsOf(ctx context.Context, a *archive.Archive, kind archive.Kind, id string, zone *time.Location) ([]*archive.Record, error) {
	record, err := a.Get(ctx, kind, id)
	if errors.Is(err, archive.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	versions := []*archive.Record{record}
	for revision, err := range a.Earlier(ctx, record.Row) {
		if err != nil {
			return nil, err
		}
		earlier := &archive.Record{Kind: kind, ID: id, List: revision.JSON}
		if wire.Fill(earlier, zone) == nil {
			versions = append(versions, earlier)
		}
	}
	return versions, nil
}
