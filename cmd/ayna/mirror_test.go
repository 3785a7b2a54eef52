package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"ayna/cli"
)

// shared is the folder that mirrored made, if it did.
var shared string

// mirrored is a folder whose archive of the sample several tests begin with. It has no
// addresses, since no site was built of it.
var mirrored = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "mirror")
	if err != nil {
		return "", err
	}
	shared = dir
	name := filepath.Join(dir, "site.yaml")
	settings := fmt.Sprintf("base_url: https://ayna.example/\narchive: %s/.ayna/sample/archive.db\n", dir)
	if err := os.WriteFile(name, []byte(settings), 0o644); err != nil {
		return "", err
	}
	if code := cli.Ayna([]string{"sync", "--quiet", "--config", name}, os.Stdout, os.Stderr); code != exitOK {
		return "", fmt.Errorf("exit code %d", code)
	}
	return dir, nil
})

// putMirror puts an archive of the sample where site.yaml expects it, as a sync would.
func putMirror(ts *testscript.TestScript, neg bool, args []string) {
	ts.Check(copyMirror(ts.MkAbs(".")))
}

func copyMirror(dir string) error {
	from, err := mirrored()
	if err != nil {
		return err
	}
	return os.CopyFS(filepath.Join(dir, ".ayna"), os.DirFS(filepath.Join(from, ".ayna")))
}

// mirrorWorkdir returns a workdir with an archive of the sample, for a site of few files.
func mirrorWorkdir(t *testing.T) *workdir {
	t.Helper()
	p := &workdir{dir: t.TempDir()}
	settings := "title: Deneme\nbase_url: https://ayna.example/haber/\nmarkdown: false\ncompress: []\nfeeds: {of: [home]}\ncontent: {include: [/gundem/]}\n"
	if err := errors.Join(copyMirror(p.dir), os.WriteFile(filepath.Join(p.dir, "site.yaml"), []byte(settings), 0o644)); err != nil {
		t.Fatal(err)
	}
	return p
}
