//go:build unix

package main

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ayna/testrun"
	"ayna/testrun/fakepaper"
)

// refused checks that builds and doctor end alike, and that nothing was asked.
func (p *workdir) refused(t *testing.T, s *fakepaper.Service) {
	t.Helper()
	run := func(command ...string) (code int, out string) {
		t.Helper()
		c := p.startCommand(t, command...)
		return c.wait(t, time.Minute), c.out.String() + c.err.String()
	}
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
	s := startUpstream(t, fakepaper.Options{Items: 8})
	first := newWorkdir(t, s, concurrency, fewFiles)
	built := first.copy(t)
	built.mustBuild(t)
	s.Add(fakepaper.Record{Group: "articles", ID: "50000001", Title: "Yeni", Text: "<p>Yeni</p>", Path: "/spor/"})
	built.mustBuild(t) // there is a previous site
	s.Add(fakepaper.Record{Group: "articles", ID: "50000002", Title: "Yeni", Text: "<p>Yeni</p>", Path: "/spor/"})
	// A file in the place of a folder: so for every user.
	for _, name := range []string{".ayna/media", ".ayna/sizes"} {
		t.Run("file "+name, func(t *testing.T) {
			p := built.copy(t)
			path := filepath.Join(p.dir, name)
			if err := errors.Join(os.Rename(path, path+".aside"), os.WriteFile(path, nil, 0o644)); err != nil {
				t.Fatal(err)
			}
			p.refused(t, s)
			if err := errors.Join(os.Remove(path), os.Rename(path+".aside", path)); err != nil {
				t.Fatal(err)
			}
			p.mustBuild(t)
		})
	}
	testrun.NotAsRoot(t)
	for _, test := range []struct {
		name string
		from *workdir
		path string
		mode os.FileMode
	}{
		{"folder of everything", first, ".", 0o555},
		{"parent of the site", built, ".", 0o555},
		{"site", built, "public", 0o555},
		{"site, to read", built, "public", 0},
		{"a manifest", built, "public/manifest.sha256", 0},
		{"staging folder", built, ".public.ayna", 0o555},
		{"lock of the site", built, ".public.ayna/lock", 0},
		{"state of the site", built, ".public.ayna/state", 0},
		{"previous site", built, ".public.ayna/previous", 0o555},
		{"archive", built, ".ayna/archive.db", 0o444},
		{"archive, to read", built, ".ayna/archive.db", 0},
		{"lock of the archive", built, ".ayna/archive.db.lock", 0},
		{"folder of the archive", built, ".ayna", 0o555},
		{"folder of the archive, to read", built, ".ayna", 0},
		{"pictures", built, ".ayna/media", 0o555},
		{"sizes", built, ".ayna/sizes", 0o555},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := test.from.copy(t)
			var before map[string]string
			if test.from == built {
				before = p.tree(t, "public")
			}
			path := filepath.Join(p.dir, test.path)
			info, err := os.Stat(path)
			if err == nil {
				err = os.Chmod(path, test.mode)
			}
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { os.Chmod(path, info.Mode()) })
			p.refused(t, s)
			if err := os.Chmod(path, info.Mode()); err != nil {
				t.Fatal(err)
			}
			if before != nil && !maps.Equal(p.tree(t, "public"), before) {
				t.Error("the site has changed")
			}
			if testrun.Long() {
				p.mustBuild(t)
			}
		})
	}
}
