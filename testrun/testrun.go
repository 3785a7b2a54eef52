// Package testrun decides how much a test does. There are four runs: short
// (go test -short), plain (go test), slow (AYNA_SLOW=1, as .ci/run sets it) and long
// (AYNA_LONG=1, full counts). Each does what the one before it does.
package testrun

import (
	"os"
	"testing"
)

// Short reports whether a programmer waits for the result.
func Short() bool { return testing.Short() && !Slow() }

// Slow reports whether tests may take minutes, and what they need is installed.
func Slow() bool { return os.Getenv("AYNA_SLOW") != "" || Long() }

// Long reports whether tests run with full counts, for hours.
func Long() bool { return os.Getenv("AYNA_LONG") != "" }

// NotShort skips the test in a short run.
func NotShort(t testing.TB) {
	t.Helper()
	if Short() {
		t.Skip("runs without -short")
	}
}

// NeedsSlow skips the test in a short and in a plain run. The reason is what makes it
// slow.
func NeedsSlow(t testing.TB, reason string) {
	t.Helper()
	if !Slow() {
		t.Skipf("%s: set AYNA_SLOW=1, as .ci/run does", reason)
	}
}

// NeedsLong skips the test unless it runs with full counts.
func NeedsLong(t testing.TB, reason string) {
	t.Helper()
	if !Long() {
		t.Skipf("%s: set AYNA_LONG=1, as .ci/long does", reason)
	}
}
