package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"ayna/generator"
	"ayna/generator/config"
)

// checkReport finds out before the work whether the report can be written, as
// far as that can be seen without writing it: a pipe can be opened only once.
func checkReport(name string) error {
	dir := filepath.Dir(name)
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return fmt.Errorf("-report %s: there is no folder %s", name, dir)
	}
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		var f *os.File
		if f, err = os.CreateTemp(dir, ".report-*"); err == nil {
			err = errors.Join(f.Close(), os.Remove(f.Name()))
		}
	case err == nil && info.IsDir():
		return fmt.Errorf("-report %s: %s is a folder; name a file", name, name)
	case err == nil && info.Mode().IsRegular():
		var f *os.File
		if f, err = os.OpenFile(name, os.O_WRONLY, 0); err == nil {
			err = f.Close()
		}
	}
	if err != nil {
		return fmt.Errorf("-report %s: it cannot be written: %w", name, err)
	}
	return nil
}

// finish writes the report, and returns the exit code of the run: failed is what
// ended it, nil if nothing did.
func finish(ctx context.Context, c *config.Config, s settings, report *generator.Report, failed error, stderr io.Writer) int {
	code := report.Exit
	report.Program = program()
	var err error
	if report.Config, err = c.Digest(); err == nil {
		err = writeReport(s.report, report)
	}
	if err == nil {
		return code
	}
	what := "the report could not be written"
	if s.shard.N == 0 && isPublished(report, failed) {
		what = "the site is published, but its report could not be written"
	}
	complain(stderr, exitCode(ctx, new(generator.Report), err), fmt.Errorf("%s: %w", what, err))
	if both := exitCode(ctx, report, errors.Join(failed, err)); code == exitOK || both != exitFailure {
		return both
	}
	return code
}

func writeReport(name string, report *generator.Report) error {
	encoded, err := json.MarshalIndent(report, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(name, append(encoded, '\n'), 0o644)
}
