//go:build linux

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// process is a running ayna serve.
type process struct {
	program string
	command *exec.Cmd
	url     string // as http://127.0.0.1:1234
	client  *http.Client
}

// start runs a build of cmd/ayna on a free port. The site that it also shows
// is an empty page.
func start(ctx context.Context, program, archive string) (*process, error) {
	dir := filepath.Dir(archive)
	public := filepath.Join(dir, "site", "public")
	err := errors.Join(os.MkdirAll(public, 0o755), os.WriteFile(filepath.Join(public, "index.html"), nil, 0o644))
	if err != nil {
		return nil, err
	}
	p := &process{program: program, client: &http.Client{Transport: &http.Transport{DisableCompression: true}}}
	if program, err = filepath.Abs(program); err != nil {
		return nil, err
	}
	p.command = exec.CommandContext(ctx, program, "serve", "--config", "site.yaml", "--addr", "127.0.0.1:0")
	p.command.Dir = dir
	p.command.Stderr = os.Stderr
	output, err := p.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.command.Start(); err != nil {
		return nil, err
	}
	lines := bufio.NewScanner(output)
	for lines.Scan() {
		if _, address, found := strings.Cut(lines.Text(), "Read API at "); found {
			p.url = strings.TrimSuffix(address, "/v1/")
			return p, nil
		}
	}
	p.stop()
	return nil, errors.New("it did not print its address")
}

func (p *process) stop() {
	p.command.Process.Signal(os.Interrupt)
	p.command.Wait()
}

// get requests a path and returns the whole answer, which must have status 200.
func (p *process) get(ctx context.Context, path string) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, p.url+path, nil)
	if err != nil {
		return nil, err
	}
	response, err := p.client.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: status %d", path, response.StatusCode)
	}
	return body, err
}

// cpu returns the time that the process has had on processors in milliseconds.
func (p *process) cpu() (float64, error) {
	tasks, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", p.command.Process.Pid))
	if err != nil {
		return 0, err
	}
	sum := 0.0
	for _, task := range tasks {
		stat, err := os.ReadFile(task)
		if err != nil {
			return 0, err
		}
		nanoseconds, _, _ := strings.Cut(string(stat), " ")
		n, err := strconv.ParseFloat(nanoseconds, 64)
		if err != nil {
			return 0, fmt.Errorf("%s: %w", task, err)
		}
		sum += n / 1e6
	}
	return sum, nil
}

// memory returns the resident memory of the process in MiB: now and at most.
func (p *process) memory() (now, peak float64, err error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.command.Process.Pid))
	if err != nil {
		return 0, 0, err
	}
	for line := range strings.Lines(string(status)) {
		name, value, _ := strings.Cut(line, ":")
		var kib float64
		fmt.Sscan(value, &kib)
		switch name {
		case "VmRSS":
			now = kib / 1024
		case "VmHWM":
			peak = kib / 1024
		}
	}
	return now, peak, nil
}
