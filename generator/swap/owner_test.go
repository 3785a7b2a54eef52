//go:build linux

package swap_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"ayna/testrun"
	"ayna/testrun/disk"
)

// TestOtherOwnerAsRoot: the new tree has this user's copy of a folder of another user. If this
// user may not remove the original from the old tree, it stays there until somebody else removes
// it, and publishing goes on.
func TestOtherOwnerAsRoot(t *testing.T) {
	testrun.NeedsRoot(t, "works as two users")
	const nobody = 65534
	publishAll := func(dir string, trees ...tree) {
		t.Helper()
		runtime.LockOSThread() // SetfsuidRetUid is for this thread only
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

// TestRefusedBits: if this process may not set a bit of a folder, as under systemd's
// RestrictSUIDSGID, the new tree has the folder without the bit.
func TestRefusedBits(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "public")
	mustPublish(t, dir, first)
	disk.Write(t, dir, "shared/x", "x")
	must(t, os.Chmod(filepath.Join(dir, "shared"), 0o775|os.ModeSetgid))
	published := make(chan error)
	go func() {
		runtime.LockOSThread() // and never unlocked, so the thread with its filter ends with the goroutine
		err := refuseSetgid()
		for _, tr := range []tree{second, third} {
			err = errors.Join(err, publish(t, dir, tr))
		}
		published <- err
	}()
	must(t, <-published)
	check(t, dir, disk.With(third, tree{"shared/x": "x"}))
	if info, err := os.Stat(filepath.Join(dir, "shared")); err != nil || info.Mode() != os.ModeDir|0o775 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

// refuseSetgid makes chmod with the setgid bit fail with EPERM in this thread.
func refuseSetgid() error {
	load := func(offset uint32) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: offset}
	}
	jump := func(how uint16, k uint32, yes, no uint8) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_JMP | how | unix.BPF_K, Jt: yes, Jf: no, K: k}
	}
	// Offsets in struct seccomp_data: the number of the system call, and the lower half of its
	// third argument on little-endian machines.
	const number, mode = 0, 16 + 2*8
	filter := []unix.SockFilter{
		load(number),
		jump(unix.BPF_JEQ, unix.SYS_FCHMODAT, 1, 0),
		jump(unix.BPF_JEQ, unix.SYS_FCHMODAT2, 0, 3),
		load(mode),
		jump(unix.BPF_JSET, unix.S_ISGID, 0, 1),
		{Code: unix.BPF_RET, K: unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)},
		{Code: unix.BPF_RET, K: unix.SECCOMP_RET_ALLOW},
	}
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	return unix.Prctl(unix.PR_SET_SECCOMP, unix.SECCOMP_MODE_FILTER, uintptr(unsafe.Pointer(&program)), 0, 0)
}

// TestUnreadableFolder: if this user may not read a folder and so cannot copy it, the error names
// the folder, and the published tree stays.
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
