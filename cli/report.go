package cli

import (
	"context"
	"crypto/sha256"
	"debug/elf"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"

	"ayna/generator"
)

// checkReport finds out before the run whether the report can be written. It
// writes nothing there, because a pipe can be opened only once.
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

// finish writes the report and returns the exit code of the run, which failed
// with runErr unless that is nil.
func (a *app) finish(ctx context.Context, report *generator.Report, runErr error) int {
	code := report.Exit
	report.Program = program()
	var err error
	if report.Config, err = a.config.Digest(); err == nil {
		err = writeReport(a.report, report)
	}
	if err == nil {
		return code
	}
	what := "the report could not be written"
	if a.shard.N == 0 && isPublished(report, runErr) {
		what = "the site is published, but its report could not be written"
	}
	a.complain(exitCode(ctx, new(generator.Report), err), fmt.Errorf("%s: %w", what, err))
	if both := exitCode(ctx, report, errors.Join(runErr, err)); code == exitOK || both != exitFailure {
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

// programDigest identifies the program, because a newer one may render files
// differently. If it is "", everything is rendered again.
func programDigest() string {
	name, err := os.Executable()
	if err != nil {
		return ""
	}
	f, err := os.Open(name)
	if err != nil {
		return ""
	}
	defer f.Close()
	if id := buildID(f); id != "" {
		return id
	}
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return ""
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}

// buildID returns a digest of the build id that the linker wrote into a program,
// "" if there is none. Reading the whole program instead would take half the
// time of a run that finds nothing to do.
func buildID(f io.ReaderAt) string {
	program, err := elf.NewFile(f)
	if err != nil {
		return ""
	}
	note := program.Section(".note.go.buildid")
	if note == nil {
		return ""
	}
	const head = 16 // lengths, type and the name "Go"
	data, err := note.Data()
	if err != nil || len(data) <= head {
		return ""
	}
	return fmt.Sprintf("%x", sha256.Sum256(data[head:]))
}

// program returns the version that the compiler recorded.
func program() (p generator.Program) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return p
	}
	p.Version, p.Go = info.Main.Version, info.GoVersion
	changed := ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			p.Revision = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			changed = "+"
		}
	}
	if p.Revision != "" {
		p.Revision += changed
	}
	return p
}

var versionSpec = spec{
	use: "version", short: "Print the version", example: "  ayna version",
	run: func(a *app, _ []string) int {
		p := program()
		fmt.Fprintln(a.stdout, strings.Join(strings.Fields("ayna "+p.Version+" "+p.Revision+" "+p.Go), " "))
		return exitOK
	},
}
