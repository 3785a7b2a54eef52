package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"

	"ayna/generator"
)

// removedSuffix makes the name of the list of removed files.
const removedSuffix = ".removed"

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
