//go:build linux

package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"ayna/archive"
	"ayna/record"
	"ayna/testrun"
	"ayna/testrun/fakepaper"
)

// nobody is a user who may write only what is its own.
const nobody = 65534

// asNobody has a command of this test run as a user who may write nowhere.
func asNobody(c *exec.Cmd) {
	c.Path, c.Err = "/proc/self/exe", nil // the folder of the commands is closed to others
	c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
}

// Who may not write beside the archive reads it all the same, follows those who
// do, and is in nobody's way.
func TestReadsWithoutWritingAsRoot(t *testing.T) {
	testrun.NeedsRoot(t, "runs a command as another user")
	dir := standing(t, "")
	if err := os.Chmod(filepath.Dir(dir), 0o755); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "archive.db")
	write := func(title string) *archive.Archive {
		t.Helper()
		a, err := archive.Open(context.Background(), path)
		if err != nil {
			t.Fatal(err)
		}
		fakepaper.Put(t, a, fakepaper.Fields(record.Article, title, "Title", title))
		return a
	}
	end := func(a *archive.Archive) {
		t.Helper()
		if err := a.Close(); err != nil {
			t.Fatal(err)
		}
	}
	end(write("bir"))
	var r *running
	has := func(when, title string) {
		t.Helper()
		for _, target := range []string{"/v1/articles", "/v1/search/" + title} {
			status, body := ask(t, r.base+target, "", "")
			for end := time.Now().Add(10 * time.Second); !strings.Contains(body, title) && time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
				status, body = ask(t, r.base+target, "", "") // it may just have looked whether it has changed
			}
			if status != 200 || !strings.Contains(body, title) {
				t.Errorf("%s, %s: %d %s, want %s", when, target, status, body, title)
			}
		}
		if _, body := ask(t, r.base+"/healthz", "", ""); !strings.Contains(body, `"status":"ok"`) {
			t.Errorf("%s: %s", when, body)
		}
	}
	r = launch(t, dir, asNobody, "--addr", "127.0.0.1:0")
	has("at first", "bir")
	a := write("iki")
	has("beside the first writer", "iki")
	end(a)
	has("after it", "iki")
	a = write("uc")
	has("beside the second writer", "uc")
	end(a)
	end(write("dort"))
	has("after the third", "dort")
	if code := r.end(t, syscall.SIGTERM); code != 0 {
		t.Errorf("exit %d: %s", code, &r.log)
	}
	r = launch(t, dir, asNobody, "--addr", "127.0.0.1:0")
	has("started anew", "dort")
	end(write("bes"))
	has("after the last", "bes")
}
