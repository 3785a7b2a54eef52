//go:build linux

package output_test

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"ayna/generator/output"
	"ayna/testrun"
	"ayna/testrun/disk"
)

// ofKeys are options with which a build keeps files.
var ofKeys = output.Options{Jobs: 1, Program: "program"}

// cutCalls are the calls of applying that change something.
var cutCalls = []string{"renameat", "renameat2", "linkat", "unlinkat", "mkdirat", "write", "fsync", "syncfs", "utimensat", "fchmod"}

// TestApplyKilledAtEachCall: wherever a build is killed, or a call fails, the published tree is
// whole at once, and so are both trees after the next command, be it a build or a rollback.
func TestApplyKilledAtEachCall(t *testing.T) {
	testrun.NeedsSlow(t, "follows builds with strace")
	if err := exec.Command("strace", "-f", "-o", os.DevNull, "true").Run(); err != nil {
		t.Skipf("strace is not installed, or may not trace: %v", err)
	}
	t.Parallel()
	cuts, forward := 0, 0
	faults := []string{"signal=SIGKILL", "error=ENOSPC", "error=EIO"}
	if !testrun.Long() {
		faults = faults[:2]
	}
	for _, fault := range faults {
		for _, call := range cutCalls {
			for n := 1; ; n++ {
				dir := filepath.Join(t.TempDir(), "public")
				prepare(t, dir, ofKeys)
				c := exec.Command("strace", "-f", "-qq", "-o", os.DevNull, "-e", "trace="+call, "-e", fmt.Sprintf("inject=%s:%s:when=%d", call, fault, n), os.Args[0])
				c.Env = append(os.Environ(), "AYNA_PUBLISH_C="+dir)
				out, err := c.CombinedOutput()
				if err != nil {
					cuts++
				}
				if checkCut(t, dir, n) {
					forward++
				}
				if t.Failed() {
					t.Fatalf("%s at %s %d: %v, %s", fault, call, n, err, out)
				}
				if err == nil && (n > 3 || !strings.HasPrefix(fault, "error")) { // an error may not matter
					break
				}
			}
		}
	}
	dir := filepath.Join(t.TempDir(), "public")
	prepare(t, dir, ofKeys)
	c := exec.Command("strace", "-f", "-qq", "-o", os.DevNull, "-e", "trace=linkat", "-e", "inject=linkat:error=EPERM", os.Args[0])
	c.Env = append(os.Environ(), "AYNA_PUBLISH_C="+dir)
	if out, err := c.CombinedOutput(); err != nil {
		t.Errorf("without links: %v, %s", err, out)
	}
	if _, err := os.Stat(filepath.Join(previousOf(dir), "../delta")); err == nil {
		t.Error("without links: there is a delta")
	}
	checkCut(t, dir, 1)
	t.Logf("%d cuts, %d of them published afterwards", cuts, forward)
	if cuts < 100 || forward < 20 {
		t.Error("too few")
	}
}

// checkCut checks both trees, then what a rollback or a build makes of them. It reports whether
// the next site was published.
func checkCut(t *testing.T, dir string, n int) (forward bool) {
	t.Helper()
	b, c := withOwners(siteB, ownersC), withOwners(siteC, ownersC)
	if got := contents(t, dir); !maps.Equal(got, b) && !maps.Equal(got, c) {
		t.Error("the published tree is half")
	}
	checkManifest(t, dir)
	if n%2 == 0 {
		wasB := maps.Equal(contents(t, dir), b)
		err := output.Rollback(dir)
		checkManifest(t, dir)
		switch got := contents(t, dir); {
		case err != nil: // the changes could not be made, so there is no earlier site
			checkWhole(t, got, b)
		case maps.Equal(got, b):
			forward = wasB
		default:
			checkWhole(t, got, withOwners(siteA, ownersC))
			c = disk.With(c, tree{"folder3/was.html": ""}) // siteA has the name
		}
	}
	if _, err := os.Stat(previousOf(dir)); err == nil && n%2 == 0 {
		checkManifest(t, previousOf(dir))
	}
	publish(t, dir, siteC, ofKeys)
	checkContents(t, dir, c)
	checkManifest(t, previousOf(dir))
	checkHidden(t, dir)
	publish(t, dir, siteA, ofKeys)
	checkContents(t, dir, withOwners(siteA, ownersC))
	return forward
}

func checkWhole(t *testing.T, got, want tree) {
	t.Helper()
	if !maps.Equal(got, want) {
		t.Error("the tree is not the one before")
	}
}
