package cli

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

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
		err = writeWhole(a.report, append(text, '\n'))
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
	if isPublished(report, runErr) {
		message = "the site is published, but its " + what + " could not be written"
	}
	a.fail(ctx, fmt.Errorf("%s: %w", message, err))
	if both := exitCode(ctx, report, errors.Join(runErr, err)); report.Exit == exitOK || both != exitFailure {
		return both
	}
	return report.Exit
}

// programDigest identifies the program, because another version may render files
// differently. "" stands for an unknown program and makes every build render all. Tests
// run many commands in one process, and read a large executable once.
var programDigest = sync.OnceValue(func() string {
	info, _ := debug.ReadBuildInfo()
	name, err := os.Executable()
	if err != nil {
		return ""
	}
	digest, err := identify(info, name)
	if err != nil {
		return ""
	}
	return digest
})

// identify returns a digest of what a program was built from, if that was a commit or a
// released module, or else of its executable, which takes longer.
func identify(info *debug.BuildInfo, executable string) (string, error) {
	h := sha256.New()
	if info != nil && (info.Main.Sum != "" || slices.Contains(info.Settings, debug.BuildSetting{Key: "vcs.modified", Value: "false"})) {
		io.WriteString(h, info.String())
		return fmt.Sprintf("%x", h.Sum(nil)), nil
	}
	f, err := os.Open(executable)
	if err != nil {
		return "", err
	}
	defer f.Close()
	_, err = io.Copy(h, f)
	return fmt.Sprintf("%x", h.Sum(nil)), err
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
		fmt.Fprintf(a.stdout, "%s\narchive schema %d\n", strings.Join(first, " "), archive.SchemaVersion)
		return exitOK
	},
}
