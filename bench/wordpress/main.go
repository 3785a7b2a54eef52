//go:build linux

// Command wordpress mirrors an invented site of WordPress with many posts, in runs of a few
// requests each, and prints what that takes.
//
//	go run ./bench/wordpress -posts 100000 -budget 40
package main

import (
	"bytes"
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"ayna/server/newsroom"
)

const siteYAML = `title: Measured
base_url: https://mirror.example/
source:
  url: http://%s
  kind: wordpress
  per_second: 0
  per_hour: 0
  page_size: 100
content:
  removed: drop
media: link
`

func main() {
	posts := flag.Int("posts", 100_000, "number of posts")
	budget := flag.Int("budget", 40, "requests in a run")
	program := flag.String("ayna", "", "the program; \"\" compiles this module's")
	address := flag.String("serve", "", "serve the site at this address, and do nothing else")
	flag.Parse()
	if *address != "" {
		site := newsroom.NewWordPress(newsroom.Options{Base: "http://" + *address, Items: *posts})
		log.Fatal(http.ListenAndServe(*address, site))
	}
	if err := measure(*posts, *budget, *program); err != nil {
		log.Fatal(err)
	}
}

// measure runs the site in a process of its own, so that the runs' memory is theirs alone.
func measure(posts, budget int, program string) (err error) {
	dir, err := os.MkdirTemp("", "ayna-wordpress-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if program == "" {
		program = filepath.Join(dir, "ayna")
		if out, err := exec.Command("go", "build", "-o", program, "ayna/cmd/ayna").CombinedOutput(); err != nil {
			return fmt.Errorf("compile: %w: %s", err, out)
		}
	}
	address, err := freeAddress()
	if err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	site := exec.Command(self, "-serve", address, "-posts", fmt.Sprint(posts))
	site.Stderr = os.Stderr
	if err := site.Start(); err != nil {
		return err
	}
	defer func() {
		_ = site.Process.Kill()
		_ = site.Wait()
	}()
	if err := await(address); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "site.yaml"), fmt.Appendf(nil, siteYAML, address), 0o600); err != nil {
		return err
	}
	return runs(dir, program, budget)
}

// runs mirrors until nothing is left, builds the site, and prints a line for each stage.
func runs(dir, program string, budget int) error {
	n, most, cpu := 0, int64(0), time.Duration(0)
	began := time.Now()
	for done := false; !done; n++ {
		if n == 100_000 {
			return fmt.Errorf("the mirror is not complete after %d runs", n)
		}
		code, memory, spent, err := run(dir, program, "sync", "--quiet", "--budget", fmt.Sprint(budget))
		if err != nil {
			return err
		}
		done, most, cpu = code == 0, max(most, memory), cpu+spent
	}
	fmt.Printf("sync      %d runs of at most %d requests, %.0f s, CPU %.0f s, at most %d MiB\n", n, budget, time.Since(began).Seconds(), cpu.Seconds(), most>>10)
	for _, command := range [][]string{{"sync"}, {"sync", "--full"}, {"build"}, {"build"}} {
		began := time.Now()
		code, memory, spent, err := run(dir, program, append(command, "--quiet")...)
		if err != nil {
			return err
		}
		fmt.Printf("%-9s exit code %d, %.1f s, CPU %.1f s, %d MiB\n", strings.Join(command, " "), code, time.Since(began).Seconds(), spent.Seconds(), memory>>10)
	}
	return nil
}

// run returns the exit code of a command, its peak of memory in KiB and its CPU time.
func run(dir, program string, args ...string) (code int, memory int64, cpu time.Duration, err error) {
	command := exec.Command(program, args...)
	var output bytes.Buffer
	command.Dir, command.Stdout, command.Stderr = dir, &output, &output
	err = command.Run()
	state := command.ProcessState
	if state == nil {
		return 0, 0, 0, err
	}
	const budgetUsed = 6
	if code = state.ExitCode(); code != 0 && code != budgetUsed {
		return code, 0, 0, fmt.Errorf("%s: exit code %d: %s", strings.Join(args, " "), code, output.Bytes())
	}
	return code, state.SysUsage().(*syscall.Rusage).Maxrss, state.UserTime() + state.SystemTime(), nil
}

func freeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer l.Close()
	return l.Addr().String(), nil
}

// await waits until the site answers.
func await(address string) error {
	for range 600 {
		if c, err := net.Dial("tcp", address); err == nil {
			return c.Close()
		}
		time.Sleep(100 * time.Millisecond)
	}
	return fmt.Errorf("no answer from %s", address)
}
