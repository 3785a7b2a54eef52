// Package testrun decides how much a test does, and has helpers that the tests of several
// packages share. There are four runs: short (go test -short), plain (go test), slow
// (AYNA_SLOW=1, as .ci/run sets it) and long (AYNA_LONG=1, full counts, for hours). A plain
// run needs nothing installed.
package testrun

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"runtime/debug"
	"strings"
	"testing"
)

// Short reports whether this is a short run, for whose result a programmer waits.
func Short() bool { return testing.Short() && !Slow() }

// Slow reports whether this is a slow or a long run: tests may take minutes.
func Slow() bool { return os.Getenv("AYNA_SLOW") != "" || Long() }

// Long reports whether this is a long run, with full counts.
func Long() bool { return os.Getenv("AYNA_LONG") != "" }

// NotShort skips a test in a short run.
func NotShort(t testing.TB) {
	t.Helper()
	if Short() {
		t.Skip("takes seconds: run without -short")
	}
}

// NeedsSlow skips a test in short and plain runs. what is the reason in its message.
func NeedsSlow(t testing.TB, what string) {
	t.Helper()
	if !Slow() {
		t.Skipf("%s: set AYNA_SLOW=1, as .ci/run does", what)
	}
}

// NeedsLong skips a test in all runs but long ones. what is the reason in its message.
func NeedsLong(t testing.TB, what string) {
	t.Helper()
	if !Long() {
		t.Skipf("%s: set AYNA_LONG=1, as .ci/long does", what)
	}
}

// NeedsRoot skips a test that an ordinary user runs. what is the reason in its message. The
// name of such a test ends in AsRoot, by which .ci/run finds it.
func NeedsRoot(t testing.TB, what string) {
	t.Helper()
	if name, _, _ := strings.Cut(t.Name(), "/"); !strings.HasSuffix(name, "AsRoot") {
		t.Fatal("a test that needs root has a name that ends in AsRoot")
	}
	if os.Geteuid() != 0 {
		t.Skipf("SKIPPED: only root %s", what)
	}
}

// NotAsRoot skips a test that root runs, whom no mode stops.
func NotAsRoot(t testing.TB) {
	t.Helper()
	if os.Geteuid() == 0 {
		t.Skip("SKIPPED: no mode stops root; run it as another user, as .ci/run does")
	}
}

// SpendMemory collects garbage a quarter as often as usual, also in the commands that tests
// run and start, which saves an eighth of the processor time of tests that build sites. A
// TestMain calls it.
func SpendMemory() {
	os.Setenv("GOGC", "400")
	debug.SetGCPercent(400)
}

// Offline makes every lookup of a name fail, so that no test reaches a host that its content names.
// Loopback addresses and names in the file of hosts still work. A TestMain calls it, also in
// the commands that tests start.
func Offline() {
	net.DefaultResolver = &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		return nil, errors.New("tests ask no name server")
	}}
}

// Counts are how often a test tries something. A run without a count of its own has
// that of a plain run.
type Counts struct{ Short, Plain, Slow, Long int }

// Now returns the count of this run.
func (c Counts) Now() int {
	count := 0
	switch {
	case Long():
		count = c.Long
	case Slow():
		count = c.Slow
	case Short():
		count = c.Short
	}
	if count == 0 {
		count = c.Plain
	}
	return count
}

// FirstDifference describes the first line in which two texts differ, or, if one is the
// beginning of the other, their numbers of lines.
func FirstDifference(got, want string) string {
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return "\n got " + a[i] + "\nwant " + b[i]
		}
	}
	return fmt.Sprintf("%d lines, want %d", len(a), len(b))
}
