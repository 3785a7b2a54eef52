package generator

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"

	"ayna/archive"
	"ayna/generator/check"
	"ayna/generator/output"
	"ayna/generator/pack"
	"ayna/generator/wire"
)

// ErrCheck is returned by a build with [Options.Check] that found something
// wrong; the report names it.
var ErrCheck = errors.New("the check found something wrong")

// Checked is what a check looked at, and what it found.
type Checked struct {
	Records int      `json:"records"`
	Files   int      `json:"files"`
	Archive []string `json:"archive"` // what is wrong there
	Site    []string `json:"site"`

	lost bool // files of the site are not as they were written
}

// checkArchive checks the archive before anything is made of it, and does what
// can be done about what is wrong. Nothing is published then.
func (r *Report) checkArchive(ctx context.Context, a *archive.Archive, o Options) error {
	defer r.time("check archive")()
	o.report(Progress{Stage: CheckArchive, Left: -1})
	all := 0
	for _, held := range r.Records {
		all += held.Records
	}
	r.Check = &Checked{Archive: []string{}, Site: []string{}}
	var flaws []archive.Flaw
	for f, err := range a.Check(ctx, archive.Checking{
		Derive: func(record *archive.Record) error { return wire.Fill(record, o.Config.Location) },
		Jobs:   o.Jobs,
		Progress: func(records int) {
			r.Check.Records = records
			o.report(Progress{CheckArchive, records, all, -1})
		},
	}) {
		if err != nil {
			return err
		}
		flaws = append(flaws, f)
		r.Check.Archive = append(r.Check.Archive, f.String())
	}
	if len(flaws) == 0 {
		return nil
	}
	err := fmt.Errorf("%w: %d things in the archive; nothing was published", ErrCheck, len(flaws))
	if a.Writable() {
		err = errors.Join(err, a.Mend(ctx, flaws))
	}
	return err
}

// checkSite checks the site in a directory: one that is to be published, or the
// published one.
func (r *Report) checkSite(ctx context.Context, a *archive.Archive, dir string, o Options) error {
	defer r.time("check site")()
	for f, err := range check.Site(ctx, dir, check.Options{
		BaseURL: o.Config.BaseURL, Jobs: o.Jobs,
		Hash: func(ctx context.Context, kind, id string) (string, error) {
			return hashOf(ctx, a, archive.Kind(kind), id)
		},
		Progress: func(done, all int) {
			r.Check.Files = done
			o.report(Progress{CheckSite, done, all, -1})
		},
	}) {
		if err != nil {
			return err
		}
		r.Check.lost = r.Check.lost || f.Lost
		r.Check.Site = append(r.Check.Site, f.String())
	}
	if len(r.Check.Site) == 0 {
		return nil
	}
	return fmt.Errorf("%w: %d things in the site", ErrCheck, len(r.Check.Site))
}

// checkBytes checks that the published site is as it was written, before a
// build that would write files anew and so hide what has become of them.
func (r *Report) checkBytes(ctx context.Context, o Options) error {
	if !o.Check || !o.Offline || o.Forget != nil || o.Import != nil || o.Shard.N > 0 || o.Merge > 0 {
		return nil
	}
	published, err := output.Published(o.Config.Output)
	if err != nil || published.Files == 0 {
		return err
	}
	defer r.time("check site")()
	for f, err := range check.Site(ctx, o.Config.Output, check.Options{
		BaseURL: o.Config.BaseURL, Jobs: o.Jobs, Bytes: true,
		Progress: func(done, all int) { o.report(Progress{CheckSite, done, all, -1}) },
	}) {
		if err != nil {
			return err
		}
		r.Check.lost = true
		r.Check.Site = append(r.Check.Site, f.String())
	}
	if n := len(r.Check.Site); n > 0 {
		return fmt.Errorf("%w: %d files of the published site are not as they were written; the next build writes all anew", ErrCheck, n)
	}
	return nil
}

// distrust has the next build write everything anew if files of the site are not
// as they were written. err is what the build ends with.
func (r *Report) distrust(err error, o Options) error {
	if r.Check == nil || !r.Check.lost {
		return err
	}
	return errors.Join(err, output.Distrust(o.Config.Output))
}

func hashOf(ctx context.Context, a *archive.Archive, kind archive.Kind, id string) (string, error) {
	hash, err := a.Hash(ctx, kind, id)
	if errors.Is(err, archive.ErrNotFound) {
		return "", nil
	}
	return hex.EncodeToString(hash), err
}

// restore reads exported records back.
func (r *Report) restore(ctx context.Context, a *archive.Archive, o Options) error {
	defer r.time("import")()
	imported, err := pack.Import(ctx, a, o.Import, o.Config.Location)
	r.Import = &imported
	if err != nil {
		return fmt.Errorf("import records: %w", err)
	}
	return nil
}
