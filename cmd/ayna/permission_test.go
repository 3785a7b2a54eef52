//go:build linux

package main

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"ayna/server/newsroom"
	"ayna/testrun"
)

// nobody is a user who may write only what is its own.
const nobody = 65534

// asNobody runs a command of this test as that user, and returns its exit code and what it
// prints.
func (p *place) asNobody(t *testing.T, command ...string) (code int, out string) {
	t.Helper()
	c := exec.Command("/proc/self/exe", command[1:]...) // the folder of the commands is closed to others
	c.Args[0] = command[0]
	c.Dir, c.Env = p.dir, append(os.Environ(), "AYNA_API_KEY="+p.key)
	c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	text, err := c.CombinedOutput()
	if c.ProcessState == nil {
		t.Fatal(err)
	}
	return c.ProcessState.ExitCode(), string(text)
}

// give makes a user the owner of all that a place holds.
func (p *place) give(t *testing.T, uid int) {
	t.Helper()
	err := filepath.WalkDir(p.dir, func(name string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Lchown(name, uid, uid)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// refused checks that builds and doctor end alike, and that nothing was asked.
func (p *place) refused(t *testing.T, s *newsroom.Service, run func(command ...string) (code int, out string)) {
	t.Helper()
	s.ClearLog()
	if code, out := run("build", "--quiet"); code != exitDisk || !strings.Contains(out, "hint: ") {
		t.Errorf("build: exit code %d\n%s", code, out)
	}
	if asked := s.Requests(); len(asked) > 0 {
		t.Errorf("%d requests were made", len(asked))
	}
	if code, out := run("ayna", "doctor", "--offline"); code != exitDisk || !strings.Contains(out, "FAIL") {
		t.Errorf("doctor: exit code %d\n%s", code, out)
	}
}

// What cannot be written is found before the first request, by builds and by doctor alike.
func TestWithoutPermission(t *testing.T) {
	testrun.NeedsSlow(t, "builds many sites")
	t.Parallel()
	s := startUpstream(t, newsroom.Options{Items: 8})
	first := newPlace(t, s, concurrency, fewFiles)
	built := first.copy(t)
	built.mustBuild(t)
	s.Add(newsroom.Record{Group: "articles", ID: "50000001", Title: "Yeni", Text: "<p>Yeni</p>", Path: "/spor/"})
	built.mustBuild(t) // there is a previous site
	s.Add(newsroom.Record{Group: "articles", ID: "50000002", Title: "Yeni", Text: "<p>Yeni</p>", Path: "/spor/"})
	// A file in the place of a folder: so for every user.
	for _, name := range []string{".ayna/media", ".ayna/sizes"} {
		t.Run("file "+name, func(t *testing.T) {
			p := built.copy(t)
			path := filepath.Join(p.dir, name)
			if err := errors.Join(os.Rename(path, path+".aside"), os.WriteFile(path, nil, 0o644)); err != nil {
				t.Fatal(err)
			}
			p.refused(t, s, func(command ...string) (int, string) {
				c := p.startCommand(t, command...)
				return c.wait(t, time.Minute), c.out.String() + c.err.String()
			})
			if err := errors.Join(os.Remove(path), os.Rename(path+".aside", path)); err != nil {
				t.Fatal(err)
			}
			p.mustBuild(t)
		})
	}
	if os.Geteuid() != 0 {
		t.Skip("SKIPPED: only root may run a command as another user")
	}
	for _, test := range []struct {
		name string
		from *place
		path string
		mode os.FileMode // with root as the owner
	}{
		{"folder of everything", first, ".", 0o755},
		{"parent of the site", built, ".", 0o755},
		{"site", built, "public", 0o755},
		{"site, to read", built, "public", 0},
		{"a manifest", built, "public/manifest.sha256", 0o600},
		{"staging folder", built, ".public.ayna", 0o755},
		{"lock of the site", built, ".public.ayna/lock", 0o600},
		{"state of the site", built, ".public.ayna/state", 0o600},
		{"previous site", built, ".public.ayna/previous", 0o755},
		{"archive", built, ".ayna/archive.db", 0o644},
		{"archive, to read", built, ".ayna/archive.db", 0o600},
		{"lock of the archive", built, ".ayna/archive.db.lock", 0o600},
		{"folder of the archive", built, ".ayna", 0o755},
		{"folder of the archive, to read", built, ".ayna", 0},
		{"pictures", built, ".ayna/media", 0o755},
		{"sizes", built, ".ayna/sizes", 0o755},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := test.from.copy(t)
			for dir := filepath.Dir(p.dir); strings.HasPrefix(dir, os.TempDir()+"/"); dir = filepath.Dir(dir) {
				if err := os.Chmod(dir, 0o755); err != nil {
					t.Fatal(err)
				}
			}
			p.give(t, nobody)
			path := filepath.Join(p.dir, test.path)
			if err := os.Chown(path, 0, 0); err != nil {
				t.Fatal(err)
			}
			if err := os.Chmod(path, test.mode); err != nil {
				t.Fatal(err)
			}
			var before map[string]string
			if test.from == built {
				before = p.tree(t, "public")
			}
			p.refused(t, s, func(command ...string) (int, string) { return p.asNobody(t, command...) })
			if before != nil {
				if !maps.Equal(p.tree(t, "public"), before) {
					t.Error("the site has changed")
				}
			}
			if !testrun.Long() {
				return
			}
			if err := os.Chmod(path, test.mode|0o700); err != nil {
				t.Fatal(err)
			}
			p.give(t, nobody)
			if code, out := p.asNobody(t, "build", "--quiet"); code != exitOK {
				t.Errorf("build, with permission: exit code %d\n%s", code, out)
			}
		})
	}
}
