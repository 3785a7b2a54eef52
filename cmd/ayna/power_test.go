package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"ayna/testrun"
	"ayna/testrun/fakepaper"
)

// writers are the commands that write files, and these.
var writers = []struct {
	command []string
	wrote   []string
}{
	{[]string{"ayna", "init", "--sample", "--config", "other.yaml"}, []string{"other.yaml", "site.schema.json", ".gitignore"}},
	{[]string{"ayna", "build", "--quiet", "--report", "report.json"}, []string{"report.json", ".ayna/media/*", ".ayna/sizes/*"}},
	{[]string{"ayna", "pack", "zip", "--quiet", "--out", "site.zip"}, []string{"site.zip"}},
	{[]string{"ayna", "pack", "epub", "--quiet", "--out", "site.epub"}, []string{"site.epub"}},
	{[]string{"ayna", "pack", "zim", "--quiet", "--out", "site.zim"}, []string{"site.zim"}},
	{[]string{"ayna", "export", "--quiet", "--out", "records.jsonl"}, []string{"records.jsonl"}},
	{[]string{"ayna", "backup", "--quiet", "copy"}, []string{"copy/archive.db", "copy/site.yaml", "copy/media/*"}},
}

// fakeZIM is a program that packs a ZIM file.
const fakeZIM = "#!/bin/sh\nif [ \"$1\" = --help ]; then exit; fi\nwhile [ $# -gt 2 ]; do shift; done\ncp \"$1/index.html\" \"$2\"\n"

// packWorkdir returns a workdir whose paper has pictures, where a program of that text is
// zimwriterfs.
func packWorkdir(t *testing.T, zimwriterfs string) *workdir {
	t.Helper()
	programs := t.TempDir()
	if err := os.WriteFile(filepath.Join(programs, "zimwriterfs"), []byte(zimwriterfs), 0o755); err != nil {
		t.Fatal(err)
	}
	s := startUpstream(t, fakepaper.Options{Items: 8})
	illustrate(s)
	p := newWorkdir(t, s, concurrency, fewFiles+"widths: [16]\n")
	p.env = []string{"PATH=" + programs + string(os.PathListSeparator) + os.Getenv("PATH")}
	return p
}

func (p *workdir) run(t *testing.T, command ...string) {
	t.Helper()
	c := p.startCommand(t, command...)
	if code := c.wait(t, 2*time.Minute); code != exitOK {
		t.Fatalf("%s: exit code %d\n%s", strings.Join(command, " "), code, c.err)
	}
}

var (
	synced  = regexp.MustCompile(`f(?:data)?sync\(\d+<([^>]*)>`)
	renamed = regexp.MustCompile(`renameat2?\((?:AT_FDCWD|\d+)<([^>]*)>, "([^"]*)", (?:AT_FDCWD|\d+)<([^>]*)>, "([^"]*)"`)
)

func under(dir, name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(dir, name)
}

// A power cut may lose what is not on the disk yet, and keep its name: files get their names
// afterwards, and their folders are written to the disk at the end.
func TestFilesAreOnDiskBeforeTheirNames(t *testing.T) {
	needStrace(t)
	t.Parallel()
	p := packWorkdir(t, fakeZIM)
	for _, w := range writers {
		trace := filepath.Join(t.TempDir(), "trace")
		p.run(t, append(append(strace, "-y", "-o", trace, "-e", "trace=fsync,fdatasync,?rename,?renameat,renameat2"), w.command...)...)
		text, err := os.ReadFile(trace)
		if err != nil {
			t.Fatal(err)
		}
		onDisk, waiting, named := make(map[string]bool), make(map[string]bool), make(map[string]bool)
		for line := range strings.Lines(string(text)) {
			if m := synced.FindStringSubmatch(line); m != nil {
				onDisk[m[1]] = true
				delete(waiting, m[1])
			}
			if !strings.Contains(line, " rename") || strings.Contains(line, "resumed>") {
				continue
			}
			m := renamed.FindStringSubmatch(line)
			if m == nil {
				t.Errorf("not understood: %s", line)
				continue
			}
			from, to := under(m[1], m[2]), under(m[3], m[4])
			if strings.Contains(from, "/.public.ayna") { // the site is synced as a whole
				continue
			}
			if !onDisk[from] {
				t.Errorf("%s: not on the disk: %s", w.command, line)
			}
			waiting[filepath.Dir(to)], named[to] = true, true
		}
		for dir := range waiting {
			t.Errorf("%s: the names in %s are not on the disk", w.command, dir)
		}
		for _, pattern := range w.wrote {
			files, err := filepath.Glob(filepath.Join(p.dir, pattern))
			if err != nil || len(files) == 0 {
				t.Errorf("%s: no %s, %v", w.command, pattern, err)
			}
			for _, file := range files {
				if !named[file] {
					t.Errorf("%s: %s was not renamed", w.command, file)
				}
			}
		}
	}
}

// A power cut before files were synced may have left them empty. The next run of each
// command writes them again.
func TestEmptyFilesAreMended(t *testing.T) {
	testrun.NeedsSlow(t, "writes files of all kinds twice")
	t.Parallel()
	p := packWorkdir(t, fakeZIM)
	for _, w := range writers {
		p.run(t, w.command...)
	}
	before := p.tree(t, ".")
	for _, w := range writers[1:] {
		for _, pattern := range w.wrote {
			files, err := filepath.Glob(filepath.Join(p.dir, pattern))
			if err != nil || len(files) == 0 {
				t.Fatalf("no %s, %v", pattern, err)
			}
			for _, file := range files {
				if err := os.Truncate(file, 0); err != nil { // of pictures, with those in the site
					t.Fatal(err)
				}
			}
		}
	}
	for _, w := range writers[1:] {
		p.run(t, w.command...)
		for _, pattern := range w.wrote {
			files, _ := filepath.Glob(filepath.Join(p.dir, pattern))
			for _, file := range files {
				if info, err := os.Stat(file); err != nil || info.Size() == 0 {
					t.Errorf("%s: %s is empty, %v", w.command, file, err)
				}
			}
		}
	}
	after := p.tree(t, ".")
	for name, content := range before {
		isResult := strings.HasPrefix(name, "public/") || strings.HasPrefix(name, "site.") || strings.Contains(name, "media/") || strings.Contains(name, "sizes/")
		if isResult && after[name] != content {
			t.Errorf("%s differs from what it was (%d bytes, then %d)", name, len(content), len(after[name]))
		}
	}
}
