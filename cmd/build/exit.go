package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"syscall"

	"ayna/archive"
	"ayna/generator"
	"ayna/generator/config"
	"ayna/generator/output"
	"ayna/generator/pack"
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

// exitCode sums a run up.
func exitCode(ctx context.Context, report *generator.Report, err error) int {
	if s := (errSignal{}); errors.As(context.Cause(ctx), &s) {
		return exitSignaled + int(s.Signal)
	}
	err = archive.Explain(err)
	for _, known := range []struct {
		err  error
		code int
	}{
		{archive.ErrNewer, exitUsage}, {archive.ErrRefused, exitUsage}, {generator.ErrConfig, exitUsage},
		{output.ErrPlace, exitUsage}, {pack.ErrLine, exitUsage},
		{archive.ErrLocked, exitLocked}, {output.ErrLocked, exitLocked},
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

// usageCode is the exit code of what was found out before the work: wrong usage,
// unless it is the disk.
func usageCode(err error) int {
	if code := exitCode(context.Background(), new(generator.Report), err); code != exitFailure {
		return code
	}
	return exitUsage
}

// hints say what to do about an exit code.
var hints = map[int]string{
	exitUsage:   "see -help and the comments in site.yaml",
	exitDown:    "nothing was published; run again later",
	exitBudget:  "progress is saved; a later run goes on from here",
	exitLocked:  "wait for the other run to end",
	exitDisk:    "free some space, check who may write there, or let more files be open (ulimit -n)",
	exitArchive: "if it is the archive, restore it from a copy or name another one in site.yaml; if it is the site, look what has become of its records, and build with -allow-delete if they may go",
	exitShape:   "nothing was published; source.url may name something that is no Read API",

	exitSignaled + int(syscall.SIGINT):  "progress is saved; the next run goes on from here",
	exitSignaled + int(syscall.SIGTERM): "progress is saved; the next run goes on from here",
}

// keyHint says what to do about a key that is refused.
func keyHint(c *config.Config) string {
	if c.Source.KeyName == "" {
		return "write api_key: ${AYNA_API_KEY} below source in site.yaml, and export AYNA_API_KEY=…"
	}
	return fmt.Sprintf("check the key in the environment variable %s, which site.yaml names in source.api_key", c.Source.KeyName)
}

// isNoError reports whether an exit code is part of a mirror's life: a quiet run
// prints nothing then.
func isNoError(code int) bool {
	return code == exitOK || code == exitBudget || code == exitLocked || code > exitSignaled
}

// complain prints an error with the hint of its exit code.
func complain(stderr io.Writer, code int, err error) int {
	hint := hints[code]
	if unset := (*config.UnsetError)(nil); errors.As(err, &unset) {
		hint = unset.Hint()
	}
	return complainWith(stderr, code, err, hint)
}

func complainWith(stderr io.Writer, code int, err error, hint string) int {
	fmt.Fprintf(stderr, "build: %s\n", printable(err.Error()))
	if hint != "" {
		fmt.Fprintf(stderr, "build: hint: %s\n", hint)
	}
	return code
}
