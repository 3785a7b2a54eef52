package cli

import (
	"context"
	"crypto/sha256"
	"debug/elf"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strings"

	"ayna/archive"
	"ayna/generator"
)

// writeReport writes the report and returns the exit code of the run, which
// failed with runErr unless that is nil.
func (a *app) writeReport(ctx context.Context, report *generator.Report, runErr error) int {
	code := report.Exit
	report.Program = program()
	var err error
	var text []byte
	if report.Config, err = a.config.Digest(); err == nil {
		text, err = json.MarshalIndent(report, "", "  ")
	}
	if err == nil {
		err = writeWhole(a.report, func(w io.Writer) error {
			_, err := w.Write(append(text, '\n'))
			return err
		})
	}
	if err == nil {
		return code
	}
	return a.unwritten(ctx, "report", report, runErr, err)
}

// unwritten reports that a file about the run could not be written, and returns
// the exit code of the run.
func (a *app) unwritten(ctx context.Context, what string, report *generator.Report, runErr, err error) int {
	message := "the " + what + " could not be written"
	if !a.isShard && isPublished(report, runErr) {
		message = "the site is published, but its " + what + " could not be written"
	}
	a.fail(ctx, fmt.Errorf("%s: %w", message, err))
	if both := exitCode(ctx, report, errors.Join(runErr, err)); report.Exit == exitOK || both != exitFailure {
		return both
	}
	return report.Exit
}

// programDigest identifies the program, because another version may render files
// differently. "" stands for an unknown program and makes every build render all.
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
	h := sha256.New()
	if _, err := io.Copy(h, buildID(f)); err != nil {
		return ""
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}

// buildID returns a reader of the build id that the linker wrote into a program, or
// of the whole program if it has none. Hashing the whole program would take half the
// time of a run that finds nothing to do.
func buildID(f *os.File) io.Reader {
	program, err := elf.NewFile(f)
	if err != nil {
		return f
	}
	const head = 16 // lengths, type and the name "Go"
	if note := program.Section(".note.go.buildid"); note != nil && note.FileSize > head {
		return note.Open()
	}
	return f
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
	long: "Print the version of the program, its commit, Go and platform, and the version of archives that it writes.",
	run: func(_ context.Context, a *app, _ string) int {
		p := program()
		first := strings.Fields(fmt.Sprintf("ayna %s %s %s %s/%s", p.Version, p.Revision, p.Go, runtime.GOOS, runtime.GOARCH))
		fmt.Fprintf(a.stdout, "%s\narchive schema %d\n", strings.Join(first, " "), archive.Version)
		return exitOK
	},
}
