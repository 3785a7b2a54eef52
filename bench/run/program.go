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
	"slices"
	"strings"
	"syscall"
	"time"
)

// hugoVersion is the Hugo to install where none is given: the newest one that
// the Go version of go.mod compiles.
const hugoVersion = "v0.165.0"

// programs are the programs to run, by path, and what they say of themselves.
type programs struct {
	ayna, hugo, corpus, floor string
	versions                  string
}

// install compiles what this module holds into dir, and Hugo if it is wanted,
// but for what the settings name.
func install(ctx context.Context, dir string, s settings) (programs, error) {
	p := programs{
		ayna: s.ayna, corpus: filepath.Join(dir, "corpus"), floor: filepath.Join(dir, "floor"),
		hugo: s.hugo,
	}
	args := []string{"build", "-o", dir + "/", "ayna/bench/corpus", "ayna/bench/floor"}
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

// installHugo compiles Hugo, which takes some minutes, unless it did so before.
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

// cost is what a run of a program took.
type cost struct {
	wall, cpu float64 // seconds; cpu is user and system time
	memory    float64 // MiB at most
	output    string
}

// measured runs a command after everything older has been written to disk.
func measured(ctx context.Context, c command) (cost, error) {
	syscall.Sync()
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, c.program, c.args...)
	cmd.Dir, cmd.Env = c.dir, append(os.Environ(), c.env...)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	start := time.Now()
	err := cmd.Run()
	wall := time.Since(start)
	if err != nil {
		return cost{}, fmt.Errorf("%s %s: %w\n%s", filepath.Base(c.program), strings.Join(c.args, " "), err, &stderr)
	}
	state := cmd.ProcessState
	return cost{
		wall:   wall.Seconds(),
		cpu:    (state.UserTime() + state.SystemTime()).Seconds(),
		memory: float64(state.SysUsage().(*syscall.Rusage).Maxrss) / 1024,
		output: stdout.String(),
	}, nil
}
