package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"github.com/rogpeppe/go-internal/testscript"
)

// shared is the folder that mirrored made, if it did.
var shared string

// mirrored is a folder whose archive of the sample several scripts begin with. It has no
// addresses, since no site was built of it.
var mirrored = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "mirror")
	if err != nil {
		return "", err
	}
	shared = dir
	c := exec.Command("ayna", "sync", "--quiet")
	c.Dir = dir
	err = os.WriteFile(filepath.Join(dir, "site.yaml"), []byte("base_url: https://ayna.example/\nmedia: link\n"), 0o644)
	if err == nil {
		err = c.Run()
	}
	return dir, err
})

// putMirror puts an archive of the sample where site.yaml expects it, as a sync would.
func putMirror(ts *testscript.TestScript, neg bool, args []string) {
	from, err := mirrored()
	ts.Check(err)
	ts.Check(os.CopyFS(ts.MkAbs(".ayna"), os.DirFS(filepath.Join(from, ".ayna"))))
}

// exits runs a command and checks its exit code: exits 5 build -quiet. What it
// prints is there for stdout and stderr.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if _, err := strconv.Atoi(args[0]); err != nil || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND [ARGUMENT ...]")
	}
	// The code is seen through a shell, since exec tells success and failure only.
	script := strings.Join(args[1:], " ") + "; code=$?; test $code = " + args[0] + " || { echo exit code $code >&2; exit 1; }"
	ts.Check(ts.Exec("sh", "-c", script))
}
