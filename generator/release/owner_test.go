//go:build linux

package release_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"ayna/testrun"
	"ayna/testrun/disk"
)

// TestOtherOwnerAsRoot: another user's folder in the site is carried as this user's copy. It
// stays of an old tree, where this user may not remove it, until somebody does; publishing
// goes on.
func TestOtherOwnerAsRoot(t *testing.T) {
	testrun.NeedsRoot(t, "works as two users")
	const nobody = 65534
	publishAll := func(dir string, trees ...tree) {
		t.Helper()
		runtime.LockOSThread() // the user of file accesses is that of the thread
		defer runtime.UnlockOSThread()
		if _, err := unix.SetfsuidRetUid(nobody); err != nil {
			t.Fatal(err)
		}
		defer unix.SetfsuidRetUid(0)
		mustPublish(t, dir, trees...)
	}
	outer := t.TempDir()
	dir := filepath.Join(outer, "public")
	must(t, errors.Join(os.Chmod(filepath.Dir(outer), 0o755), os.Chown(outer, nobody, nobody)))
	publishAll(dir, first)
	disk.Write(t, dir, "backup/x", "x")
	publishAll(dir, second, third, first, second)
	check(t, dir, disk.With(second, tree{"backup/x": "x"}))
	left := filepath.Join(hidden(dir), ".ayna-previous")
	check(t, left, tree{"backup/x": "x"})
	must(t, os.Chown(filepath.Join(left, "backup"), nobody, nobody))
	publishAll(dir, third)
	checkHidden(t, dir)
}

// TestUnreadableFolder: a folder that cannot be carried since this user may not read it is
// named, and the published tree stays.
func TestUnreadableFolder(t *testing.T) {
	testrun.NotAsRoot(t)
	dir := filepath.Join(t.TempDir(), "public")
	mustPublish(t, dir, first)
	disk.Write(t, dir, "secret/x", "x")
	must(t, os.Chmod(filepath.Join(dir, "secret"), 0o300))
	err := publish(t, dir, second)
	if !errors.Is(err, os.ErrPermission) || !strings.Contains(err.Error(), "secret") || !strings.Contains(err.Error(), "let this user read it") {
		t.Errorf("error %v", err)
	}
	must(t, os.Chmod(filepath.Join(dir, "secret"), 0o700))
	check(t, dir, disk.With(first, tree{"secret/x": "x"}))
}
