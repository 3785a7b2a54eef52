package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"ayna/generator"
)

// removedSuffix makes the name of the list of removed files.
const removedSuffix = ".removed"

// checkChanges checks before the run that the lists of changed files can be
// written. They are replaced, so each must be a file, or new.
func checkChanges(name string) error {
	for _, name := range []string{name, name + removedSuffix} {
		info, err := os.Stat(name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			if err = writeLines(name, nil); err == nil {
				err = os.Remove(name)
			}
		case err == nil && !info.Mode().IsRegular():
			err = errors.New("it is not a regular file")
		}
		if err != nil {
			return fmt.Errorf("-changes %s cannot be written: %w; name another file", name, err)
		}
	}
	return nil
}

// writeChanges writes the paths of the files that the run has published and
// removed, and returns the exit code of the run, which failed with runErr unless
// that is nil. Without a publication the lists of an earlier run stay.
func (a *app) writeChanges(ctx context.Context, report *generator.Report, runErr error) int {
	if report.Files == nil || report.Files.Changes == nil {
		return report.Exit
	}
	err := errors.Join(
		writeLines(a.changes+removedSuffix, report.Files.Changes.Removed),
		writeLines(a.changes, report.Files.Changes.Written))
	if err != nil {
		return a.unwritten(ctx, "list of changed files", report, runErr, err)
	}
	return report.Exit
}

// writeLines writes a file of lines atomically.
func writeLines(name string, lines []string) error {
	return writeWhole(name, func(w io.Writer) error {
		to := bufio.NewWriter(w)
		for _, line := range lines {
			fmt.Fprintln(to, line)
		}
		return to.Flush()
	})
}
