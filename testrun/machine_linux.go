package testrun

import (
	"os"
	"syscall"
	"time"
)

// InMemory has a package's tests keep their files in memory, if there is room and
// TMPDIR does not say otherwise: they make thousands of small ones, and sync them. A
// TestMain calls it.
func InMemory() {
	const dir, needed = "/dev/shm", 2 << 30
	var fs syscall.Statfs_t
	if os.Getenv("TMPDIR") == "" && syscall.Statfs(dir, &fs) == nil && fs.Bavail*uint64(fs.Bsize) > needed {
		os.Setenv("TMPDIR", dir)
	}
}

// CPU is the processor time that this process has used. Tests measure that, and not
// the time that passes: other programs have no part in it.
func CPU() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		panic(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
