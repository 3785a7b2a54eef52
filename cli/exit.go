package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"slices"
	"syscall"

	"ayna/archive/database"
	"ayna/durable"
	"ayna/export/importer"
	"ayna/fetch"
	"ayna/generator"
	"ayna/generator/config"
	"ayna/generator/output"
	"ayna/generator/swap"
	"ayna/source/get"
	"ayna/source/kinds"
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
	exitWithheld = 7  // deletions withheld, site published; or new archive smaller than the site, nothing published
	exitArchive  = 8  // the archive or the site fails its check, the file is not an archive, or it is missing
	exitDisk     = 9  // disk full or read-only, or no permission
	exitLocked   = 11 // another run holds the lock
	exitShape    = 12 // the source's answers have an unknown shape, or hold no records

	exitSignaled = 128 // plus the number of the signal: 130 or 143
)

// knownErrors are errors with one exit code and one hint.
type knownErrors struct {
	code   int
	hint   string
	errors []error
}

// causes reports whether one of the errors has caused err.
func (k knownErrors) causes(err error) bool {
	return slices.ContainsFunc(k.errors, func(known error) bool { return errors.Is(err, known) })
}

// exitCodes lists the errors that have an exit code of their own, with a hint what
// to do. Where several apply, the first one wins.
var exitCodes = []knownErrors{
	{exitUsage, "", // their messages say what to do
		[]error{database.ErrNewer, database.ErrOlder, database.ErrRefused, fetch.ErrAnother, generator.ErrConfig, generator.ErrUnknown, swap.ErrTarget, importer.ErrLine, importer.ErrFile}},
	{exitLocked, "wait for the other run to end",
		[]error{database.ErrLocked, swap.ErrLocked, durable.ErrLocked}},
	{exitDisk, "free some space",
		[]error{generator.ErrSpace, fetch.ErrRoom, syscall.ENOSPC, syscall.EDQUOT}},
	{exitDisk, "free some space, let this user write there, or let more files be open (ulimit -n)", // SQLite reports the same error for all three
		[]error{database.ErrFull}},
	{exitDisk, "let this user read and write there, or name another place in site.yaml",
		[]error{fs.ErrPermission, syscall.EROFS, syscall.ENOTDIR}},
	{exitDisk, "let more files be open (ulimit -n)",
		[]error{syscall.EMFILE, syscall.ENFILE}},
	{exitDisk, "look at the disk: it reports an error",
		[]error{syscall.EIO}},
	{exitArchive, "run ayna build first; or restore the archive from a backup, or name another one in site.yaml",
		[]error{database.ErrMissing}},
	{exitArchive, "restore the archive from a backup, or name another one in site.yaml",
		[]error{database.ErrForeign, database.ErrDamaged}},
	{exitWithheld, "", // before output.ErrFewer, which it wraps
		[]error{generator.ErrNewArchive}},
	{exitArchive, "check whether records were removed on purpose; if so, build with --allow-delete",
		[]error{output.ErrFewer}},
	{exitArchive, "build again: damaged records are fetched again, and damaged files written again; if that does not help, restore the archive from a backup",
		[]error{generator.ErrCheck, output.ErrDamaged, output.ErrIncomplete}},
	{exitShape, "nothing was published; " + shapeHint("source.url"),
		[]error{fetch.ErrShape, fetch.ErrEmpty}},
	{exitKey, "write api_key: ${AYNA_API_KEY} below source in site.yaml, and export AYNA_API_KEY=…",
		[]error{fetch.ErrKey}},
	{exitDown, "nothing was published; if the source has moved for good, write its new address to source.url, and build with --moved once",
		[]error{get.ErrRedirect}},
	{exitDown, "nothing was published; run again later",
		[]error{fetch.ErrDown, database.ErrDown}},
}

func shapeHint(address string) string {
	return "check that " + address + " is the address of a Read API, or of a site of " + kinds.Papers("or") + " with that source.kind"
}

const (
	budgetHint = "progress is saved; a later run goes on from here"
	signalHint = "progress is saved; the next run goes on from here"
)

// usageError is an error of usage.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// configError is an error of the configuration.
type configError struct{ error }

func (e configError) Unwrap() error { return e.error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// exitCode returns the exit code of a run that ended with err.
func exitCode(ctx context.Context, report *generator.Report, err error) int {
	if s := (errSignal{}); errors.As(context.Cause(ctx), &s) {
		return exitSignaled + int(s.Signal)
	}
	if errors.As(err, new(usageError)) || errors.As(err, new(configError)) {
		return exitUsage
	}
	err = database.Classify(err)
	for _, f := range exitCodes {
		if f.causes(err) {
			return f.code
		}
	}
	budgetUsed := errors.Is(err, fetch.ErrBudget)
	switch {
	case report.Withheld() > 0 && (err == nil || budgetUsed):
		return exitWithheld
	case budgetUsed:
		return exitBudget
	case err != nil:
		return exitFailure
	case report.Incomplete():
		return exitPartial
	}
	return exitOK
}

// hint returns what to do about an error with an exit code.
func (a *app) hint(code int, err error) string {
	unset := (*config.UnsetError)(nil)
	switch {
	case errors.As(err, &unset):
		return unset.Hint()
	case a.config == nil && errors.Is(err, fs.ErrNotExist):
		return "write one with ayna init URL, or try the sample with ayna build --sample"
	case errors.As(err, new(configError)) && a.config == nil: // it could not be read
		return "see the comments in " + a.configFile
	case errors.As(err, new(usageError)):
		return a.help
	case code == exitKey && a.config.Source.KeyFrom != "":
		return "check the key in " + a.config.Source.KeyFrom
	case code == exitBudget:
		return budgetHint
	case code > exitSignaled:
		return signalHint
	}
	err = database.Classify(err)
	for _, f := range exitCodes {
		if f.code == code && f.causes(err) {
			return f.hint
		}
	}
	return ""
}

// advice is hint for init and doctor, which publish nothing.
func (a *app) advice(code int, err error) string {
	switch {
	case errors.Is(err, get.ErrRedirect):
		return a.hint(code, err)
	case errors.Is(err, fetch.ErrDown):
		return "check source.url in site.yaml, and whether this machine reaches it (network, DNS, proxy); if the service is down, builds try again at every run"
	case errors.Is(err, database.ErrDown):
		return "start the server; builds try again at every run"
	case errors.Is(err, fetch.ErrBudget):
		return "its limit of requests is reached, perhaps by a build at this moment; look again later"
	case errors.Is(err, fetch.ErrShape), errors.Is(err, fetch.ErrEmpty):
		return shapeHint("source.url in site.yaml")
	}
	return a.hint(code, err)
}

// isRoutine reports whether an exit code is normal for a mirror that runs on a
// schedule. A quiet run then prints nothing.
func isRoutine(code int) bool {
	return code == exitOK || code == exitBudget || code == exitLocked || code > exitSignaled
}

// fail prints the error that ended a command, and returns the exit code.
func (a *app) fail(ctx context.Context, err error) int {
	code := exitCode(ctx, new(generator.Report), err)
	return a.printError(code, err, a.hint(code, err))
}

// failing returns the run function of pack, export and backup, which may end with any exit
// code. After a signal it prints no hint, because they save no progress.
func failing(run func(a *app, ctx context.Context, argument string) error) func(context.Context, *app, string) int {
	return func(ctx context.Context, a *app, argument string) int {
		err := run(a, ctx, argument)
		if err == nil {
			return exitOK
		}
		code := exitCode(ctx, new(generator.Report), err)
		if code > exitSignaled {
			return a.printError(code, err, "")
		}
		return a.fail(ctx, err)
	}
}

// simple returns the run function of serve, whose errors have the exit codes 1, 2 and 8
// only.
func simple(run func(ctx context.Context, a *app, argument string) error) func(context.Context, *app, string) int {
	return func(ctx context.Context, a *app, argument string) int {
		err := run(ctx, a, argument)
		if err == nil {
			return exitOK
		}
		code := exitCode(context.WithoutCancel(ctx), new(generator.Report), err)
		if code != exitUsage && code != exitArchive {
			return a.printError(exitFailure, err, "")
		}
		return a.printError(code, err, a.hint(code, err))
	}
}

// printError prints what failed and what to do about it, and returns the code.
func (a *app) printError(code int, err error, hint string) int {
	fmt.Fprintf(a.stderr, "%s: %s\n", a.name, printable(err.Error()))
	if hint != "" {
		fmt.Fprintf(a.stderr, "%s: hint: %s\n", a.name, hint)
	}
	return code
}

// errSignal is the cause of a context that a signal has cancelled.
type errSignal struct{ syscall.Signal }

func (e errSignal) Error() string { return "stopped by " + e.String() }

// interruptible returns a context that the first SIGINT or SIGTERM cancels. A
// second one ends the program at once; that is safe, because every write is atomic.
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
