//go:build linux

package main

import (
	"bytes"
	"context"
	"debug/buildinfo"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"
)

// hugoVersion is the Hugo to install by default: the newest that the Go version of
// go.mod can compile.
const hugoVersion = "v0.165.0"

// programs are the paths of the programs to run, and their versions.
type programs struct {
	ayna, hugo, corpus string
	versions           string
}

// install compiles this module's programs into dir, and Hugo if it is measured,
// unless the settings name them.
func install(ctx context.Context, dir string, s settings) (programs, error) {
	p := programs{ayna: s.ayna, hugo: s.hugo, corpus: filepath.Join(dir, "corpus")}
	// As releases are built: with the commit, by which ayna knows its version.
	args := []string{"build", "-trimpath", "-buildvcs=auto", "-o", dir + "/", "ayna/bench/corpus"}
	if p.ayna == "" {
		p.ayna, args = filepath.Join(dir, "build"), append(args, "ayna/cmd/build")
	}
	if _, err := measured(ctx, command{program: "go", args: args}); err != nil {
		return p, err
	}
	info, err := buildinfo.ReadFile(p.ayna)
	if err != nil {
		return p, err
	}
	p.versions = "ayna with " + info.GoVersion
	if !slices.Contains(s.tools, hugo) {
		return p, nil
	}
	if p.hugo == "" {
		if p.hugo, err = installHugo(ctx); err != nil {
			return p, err
		}
	}
	c, err := measured(ctx, command{program: p.hugo, args: []string{"version"}})
	version, _, _ := strings.Cut(c.output, " BuildDate")
	p.versions += "; " + version
	return p, err
}

// installHugo compiles Hugo, which takes some minutes, unless it is in the cache.
func installHugo(ctx context.Context) (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(cache, "ayna-bench", "hugo-"+hugoVersion)
	program := filepath.Join(dir, "hugo")
	if _, err := os.Stat(program); err == nil {
		return program, nil
	}
	_, err = measured(ctx, command{program: "go", args: []string{"install", "github.com/gohugoio/hugo@" + hugoVersion},
		env: []string{"CGO_ENABLED=0", "GOBIN=" + dir}})
	return program, err
}

// command is a program to run.
type command struct {
	dir, program string
	args, env    []string
}

// cost is the time and memory of a run of a program.
type cost struct {
	wall, cpu float64 // seconds; cpu is user and system time
	memory    float64 // peak, in MiB
	output    string
}

// measured runs a command after syncing the disk.
func measured(ctx context.Context, c command) (cost, error) {
	syscall.Sync()
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, c.program, c.args...)
	cmd.Dir, cmd.Env = c.dir, append(os.Environ(), c.env...)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	start := time.Now()
	err := cmd.Start()
	memory := make(chan float64, 1)
	if err == nil {
		ended := make(chan struct{})
		go func() { memory <- peak(cmd.Process.Pid, ended) }()
		err = cmd.Wait()
		close(ended)
	}
	wall := time.Since(start)
	if err != nil {
		return cost{}, fmt.Errorf("%s %s: %w\n%s", filepath.Base(c.program), strings.Join(c.args, " "), err, &stderr)
	}
	state, most := cmd.ProcessState, <-memory
	if most == 0 { // it has ended before it was seen
		most = float64(state.SysUsage().(*syscall.Rusage).Maxrss) / 1024
	}
	return cost{
		wall:   wall.Seconds(),
		cpu:    (state.UserTime() + state.SystemTime()).Seconds(),
		memory: most,
		output: stdout.String(),
	}, nil
}

// peak returns the most resident memory of a process in MiB until it has ended, 0 if it ends
// unseen. What the kernel says afterwards is at least the size of this process, which began it.
func peak(pid int, ended <-chan struct{}) (most float64) {
	for {
		var kib float64
		fmt.Sscan(field(fmt.Sprintf("/proc/%d/status", pid), "VmHWM"), &kib)
		most = max(most, kib/1024)
		select {
		case <-ended:
			return most
		case <-time.After(2 * time.Millisecond):
		}
	}
}

// machine describes the machine.
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

// field returns the first value of a name in a file of /proc.
func field(file, name string) string {
	text, _ := os.ReadFile(file)
	for line := range strings.Lines(string(text)) {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// The kinds of file system: in memory, and on a disk.
const (
	tmpfs = "tmpfs"
	disk  = "disk"
)

// tmpfsMagic is the type that statfs gives for a file system in memory.
const tmpfsMagic = 0x01021994

// fileSystem returns the kind of file system of a directory.
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
