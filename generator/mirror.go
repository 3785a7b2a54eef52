package generator

import (
	"context"
	"errors"
	"fmt"

	"ayna/archive"
	"ayna/record"
)

// mirror is what a command works on: an open archive, and the theme of its site.
type mirror struct {
	archive *archive.Archive
	theme   theme
}

// withArchive reads the theme and opens the archive for the stages of a command, and closes
// the archive after them.
func withArchive(ctx context.Context, o Options, open func(context.Context, string) (*archive.Archive, error), stages func(mirror, *Report) error) (report *Report, err error) {
	report = &Report{Started: o.now(), Records: make(map[record.Kind]KindCount), Seconds: make(map[string]float64)}
	defer func() { report.Ended = o.now() }()
	theme, err := readTheme(o)
	if err != nil {
		return report, fmt.Errorf("%w: %w", ErrConfig, err)
	}
	if !o.Offline {
		if err := archive.CheckWritable(o.Config.Archive, o.Config.MirrorsMedia()); err != nil {
			return report, err
		}
	}
	a, err := open(ctx, o.Config.Archive)
	if err != nil {
		return report, err
	}
	defer func() { err = errors.Join(err, a.Close()) }()
	if err := checkOrigin(ctx, a, o.Config.Source.Origin(), o.Moved); err != nil {
		return report, err
	}
	end, err := beginRun(ctx, o, a, report)
	if err != nil {
		return report, err
	}
	if err = stages(mirror{a, theme}, report); err == nil {
		err = rememberUnread(ctx, a, report.Unread)
	}
	return report, end(err)
}
