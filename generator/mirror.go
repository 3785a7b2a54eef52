package generator

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime/debug"

	"ayna/archive"
)

// mirror is what a command works on: an open archive, and the theme of its site.
type mirror struct {
	archive *archive.Archive
	theme   theme
}

// withArchive reads the theme and opens the archive for the stages of a command, and closes
// the archive after them.
func withArchive(ctx context.Context, o Options, open func(context.Context, string) (*archive.Archive, error), stages func(mirror, *Report) error) (report *Report, err error) {
	report = &Report{Started: o.now(), Records: make(map[archive.Kind]KindCount), Seconds: make(map[string]float64)}
	defer func() { report.Ended = o.now() }()
	theme, err := readTheme(o)
	if err != nil {
		return report, fmt.Errorf("%w: %w", ErrConfig, err)
	}
	if !o.Offline {
		if err := archive.CheckWritable(o.Config.Archive, o.Config.Media == "mirror"); err != nil {
			return report, err
		}
	}
	a, err := open(ctx, o.Config.Archive)
	if err != nil {
		return report, err
	}
	defer func() { err = errors.Join(err, a.Close()) }()
	if err := checkOrigin(ctx, o, a); err != nil {
		return report, err
	}
	if err := stages(mirror{a, theme}, report); err != nil {
		return report, err
	}
	return report, rememberUnread(ctx, a, report.Unread)
}

// limitMemory has garbage collected more often from some 60,000 records on, unless GOMEMLIMIT
// is set: 100,000 need 186 MiB instead of 241, and a seventh more processor time.
func limitMemory(records map[archive.Kind]KindCount) {
	const least, each = 150 << 20, 1500 // bytes
	n := 0
	for _, c := range records {
		n += c.Records
	}
	if debug.SetMemoryLimit(-1) == math.MaxInt64 {
		debug.SetMemoryLimit(max(least, int64(n)*each))
	}
}
