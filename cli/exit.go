package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"syscall"

	"ayna/archive"
	"ayna/generator"
	"ayna/generator/config"
	"ayna/generator/output"
	"ayna/generator/pack"
	"ayna/generator/release"
	"ayna/generator/sync"
)

// The exit codes. Where several apply, the first of 130 and 143, 2, 11, 9, 8,
// 12, 4, 5, 7, 6, 3 wins.
const (
	exitOK       = 0  // complete and published
	exitFailure  = 1  // other failure, nothing published
	exitUsage    = 2  // usage or configuration
	exitPartial  = 3  // published, but records are stale or missing
	exitKey      = 4  // the source refuses the key
	exitDown     = 5  // the source is down, or the server of the archive
	exitBudget   = 6  // request budget used up
	exitWithheld = 7  // deletions withheld, the rest published
	exitArchive  = 8  // archive or site fails its check
	exitDisk     = 9  // disk full, read-only, no permission
	exitLocked   = 11 // another run holds the lock
	exitShape    = 12 // the source's answers have an unknown shape, or hold no records
	exitSignaled = 128
)

// exitCode returns the exit code of a run that ended with err.
func exitCode(ctx context.Context, report *generator.Report, err error) int {
	if s := (errSignal{}); errors.As(context.Cause(ctx), &s) {
		return exitSignaled + int(s.Signal)
	}
	err = archive.Explain(err)
	for _, known := range []struct {
		err  error
		code int
	}{
		{archive.ErrNewer, exitUsage}, {archive.ErrOlder, exitUsage}, {archive.ErrRefused, exitUsage}, {generator.ErrConfig, exitUsage},
		{release.ErrPlace, exitUsage}, {pack.ErrLine, exitUsage},
		{archive.ErrLocked, exitLocked}, {release.ErrLocked, exitLocked},
		{syscall.ENOSPC, exitDisk}, {syscall.EROFS, exitDisk}, {syscall.EDQUOT, exitDisk}, {fs.ErrPermission, exitDisk},
		{syscall.EIO, exitDisk}, {syscall.EMFILE, exitDisk}, {syscall.ENFILE, exitDisk},
		{generator.ErrSpace, exitDisk}, {archive.ErrFull, exitDisk}, {archive.ErrForeign, exitArchive}, {archive.ErrDamaged, exitArchive},
		{generator.ErrNewArchive, exitWithheld},
		{generator.ErrCheck, exitArchive}, {output.ErrDamaged, exitArchive},
		{output.ErrFewer, exitArchive}, {output.ErrIncomplete, exitArchive},
		{sync.ErrShape, exitShape}, {sync.ErrEmpty, exitShape},
		{sync.ErrKey, exitKey},
		{sync.ErrDown, exitDown}, {archive.ErrDown, exitDown},
	} {
		if errors.Is(err, known.err) {
			return known.code
		}
	}
	spent := errors.Is(err, sync.ErrBudget)
	switch {
	case report.Withheld() > 0 && (err == nil || spent):
		return exitWithheld
	case spent:
		return exitBudget
	case err != nil:
		return exitFailure
	case report.Incomplete():
		return exitPartial
	}
	return exitOK
}

// hints are what to do about an exit code.
var hints = map[int]string{
	exitUsage:   "see -help and the comments in site.yaml",
	exitDown:    "nothing was published; run again later",
	exitBudget:  "progress is saved; a later run goes on from here",
	exitLocked:  "wait for the other run to end",
	exitDisk:    "free some space, check who may write there, or let more files be open (ulimit -n)",
	exitArchive: "if it is the archive, restore it from a copy or name another one in site.yaml; if it is the site, check whether its records were removed on purpose; if so, build with -allow-delete",
	exitShape:   "nothing was published; source.url may name something that is no Read API",

	exitSignaled + int(syscall.SIGINT):  "progress is saved; the next run goes on from here",
	exitSignaled + int(syscall.SIGTERM): "progress is saved; the next run goes on from here",
}

// keyHint is what to do about a key that is refused.
func keyHint(c *config.Config) string {
	if c.Source.KeyName == "" {
		return "write api_key: ${AYNA_API_KEY} below source in site.yaml, and export AYNA_API_KEY=…"
	}
	return fmt.Sprintf("check the key in the environment variable %s, which site.yaml names in source.api_key", c.Source.KeyName)
}

// isNoError reports whether an exit code is normal for a mirror. A quiet run then
// prints nothing.
func isNoError(code int) bool {
	return code == exitOK || code == exitBudget || code == exitLocked || code > exitSignaled
}

// complain prints an error with what to do about it and returns the exit code.
func (a *app) complain(code int, err error) int {
	hint := hints[code]
	if code == exitKey && a.config != nil {
		hint = keyHint(a.config)
	}
	if unset := (*config.UnsetError)(nil); errors.As(err, &unset) {
		hint = unset.Hint()
	}
	return a.complainWith(code, err, hint)
}

// complainOfProbe is complain for a probe, which does not continue where an
// earlier one ended.
func (a *app) complainOfProbe(code int, err error) int {
	switch {
	case a.quiet && isNoError(code):
		return code
	case code == exitBudget:
		return a.complainWith(code, err, "a probe begins anew each time; it takes about twenty requests, which -budget and source.per_hour must allow at once")
	case code > exitSignaled:
		return a.complainWith(code, err, "")
	}
	return a.complain(code, err)
}

func (a *app) complainWith(code int, err error, hint string) int {
	fmt.Fprintf(a.stderr, "%s: %s\n", a.name, printable(err.Error()))
	if hint != "" {
		fmt.Fprintf(a.stderr, "%s: hint: %s\n", a.name, hint)
	}
	return code
}

// errUsage marks errors of usage and configuration in serve, pack and export.
var errUsage = errors.New("usage")

// fail is complain for serve, pack and export, which have fewer exit codes.
func (a *app) fail(err error) int {
	hint := ""
	if unset := (*config.UnsetError)(nil); errors.As(err, &unset) {
		hint = unset.Hint()
	}
	code, explained := exitFailure, archive.Explain(err)
	switch {
	case errors.Is(explained, errUsage):
		code = exitUsage
	case errors.Is(explained, archive.ErrForeign), errors.Is(explained, archive.ErrDamaged):
		code = exitArchive
	}
	return a.complainWith(code, err, hint)
}

// errSignal is the cause of a context that a signal has cancelled.
type errSignal struct{ syscall.Signal }

func (e errSignal) Error() string { return "stopped by " + e.String() }

// interruptible returns a context that the first SIGINT or SIGTERM cancels. A
// second one ends the program at once, which spoils nothing: every write is
// atomic.
func interruptible() (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		first := <-signals
		number, _ := first.(syscall.Signal)
		cancel(errSignal{number})
		<-signals
		os.Exit(exitSignaled + int(number))
	}()
	return ctx, func() { cancel(nil) }
}
