//go:build linux

package main

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"strings"
	"syscall"
)

// machine says what the programs ran on.
func machine() string {
	name := field("/proc/cpuinfo", "model name")
	if name == "" {
		name = runtime.GOARCH
	}
	var info syscall.Sysinfo_t
	memory := "?"
	if syscall.Sysinfo(&info) == nil {
		memory = fmt.Sprint((uint64(info.Totalram)*uint64(info.Unit) + 1<<29) >> 30)
	}
	kernel, err := os.ReadFile("/proc/sys/kernel/osrelease")
	if err != nil {
		kernel = []byte("?")
	}
	return fmt.Sprintf("%d × %s, %s GiB, Linux %s", runtime.NumCPU(), name, memory, bytes.TrimSpace(kernel))
}

// field returns the first value of that name in one of the kernel's lists.
func field(file, name string) string {
	text, _ := os.ReadFile(file)
	for line := range strings.Lines(string(text)) {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// What is told apart: a file system in memory, and one on a disk.
const (
	tmpfs = "tmpfs"
	disk  = "disk"
)

// tmpfsMagic is the type that statfs gives for a file system in memory.
const tmpfsMagic = 0x01021994

// fileSystem tells memory from disk.
func fileSystem(dir string) (string, error) {
	var stat syscall.Statfs_t
	if err := syscall.Statfs(dir, &stat); err != nil {
		return "", fmt.Errorf("%s: %w", dir, err)
	}
	if stat.Type == tmpfsMagic {
		return tmpfs, nil
	}
	return disk, nil
}
