package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"ayna/testrun"
	"ayna/testrun/fakepaper"
)

// readmeBlocks returns the blocks of a language in a section of README.md.
func readmeBlocks(t *testing.T, section, language string) (blocks []string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(text), "\n## "+section+"\n")
	after, _, _ = strings.Cut(after, "\n## ")
	for _, match := range regexp.MustCompile("(?s)```"+language+"\n(.*?)```").FindAllStringSubmatch(after, -1) {
		blocks = append(blocks, match[1])
	}
	return blocks
}

// What README says about a real service works as pasted, by hand and by cron,
// against a service that asks for the key. Address, key and folder aside.
func TestReadmeAsPasted(t *testing.T) {
	testrun.NeedsSlow(t, "builds two mirrors")
	t.Parallel()
	const section = "Mirror a Read API"
	shell, cron := readmeBlocks(t, section, "sh"), readmeBlocks(t, section, "crontab")
	if len(shell) != 1 || len(cron) != 1 {
		t.Fatalf("%d and %d blocks", len(shell), len(cron))
	}
	s := startUpstream(t, fakepaper.Options{Items: 3})
	dir := t.TempDir()
	replace := func(text, old, with string) string {
		t.Helper()
		if strings.Count(text, old) != 1 {
			t.Fatalf("%q is not once in %q", old, text)
		}
		return strings.Replace(text, old, with, 1)
	}
	program, err := exec.LookPath("ayna")
	if err != nil {
		t.Fatal(err)
	}
	run := func(script string) (stdout, stderr string) {
		t.Helper()
		c := exec.Command("/bin/sh", "-c", script)
		var out, errs bytes.Buffer
		c.Dir, c.Env, c.Stdout, c.Stderr = dir, []string{"PATH=" + filepath.Dir(program) + ":/usr/bin:/bin", "HOME=" + dir}, &out, &errs
		if err := c.Run(); err != nil {
			t.Fatalf("%s: %v\n%s%s", script, err, &out, &errs)
		}
		return out.String(), errs.String()
	}
	site := fakepaper.ListenWordPress(t, fakepaper.Options{Items: 3})
	paper := readmeBlocks(t, "Mirror a paper", "sh")
	if stdout, _ := run(replace("mkdir wp && cd wp\n"+paper[0], "https://kiyi.example", site.Base)); !strings.Contains(stdout, "open:     "+dir+"/wp/public/index.html") {
		t.Errorf("WordPress: %s", stdout)
	}
	stdout, _ := run(replace(replace(shell[0], "https://api.example", s.Base), "'...'", canary))
	if !strings.Contains(stdout, "open:     "+dir+"/public/index.html") {
		t.Errorf("stdout: %s", stdout)
	}
	if info, err := os.Stat(filepath.Join(dir, "key")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("key: %v, %v", info.Mode(), err)
	}
	page, err := os.ReadFile(filepath.Join(dir, "public", "index.html"))
	if err != nil || !bytes.Contains(page, []byte("<title>127.0.0.1")) {
		t.Errorf("no home page of the mirror: %v", err)
	}
	s.ClearLog()
	line := regexp.MustCompile(`^7 \* \* \* \*  `).ReplaceAllString(cron[0], "")
	if stdout, stderr := run(replace(line, "/srv/ayna", dir)); stdout+stderr != "" {
		t.Errorf("cron would mail: %s%s", stdout, stderr)
	}
	if n := s.Count(func(r fakepaper.Request) bool { return r.Key == canary }); n == 0 {
		t.Error("cron's run has made no request with the key")
	}
}

// What README says about the package client compiles in a module beside a clone.
func TestReadmeClient(t *testing.T) {
	testrun.NeedsSlow(t, "compiles a program")
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```(?:go)?\n(require ayna .*?|c, err := client.*?)```").FindAllStringSubmatch(string(text), -1)
	if len(blocks) != 2 {
		t.Fatalf("%d blocks", len(blocks))
	}
	clone, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	beside := t.TempDir()
	dir := filepath.Join(beside, "user")
	if err := errors.Join(os.Symlink(clone, filepath.Join(beside, "ayna")), os.Mkdir(dir, 0o755)); err != nil {
		t.Fatal(err)
	}
	body := strings.Replace(blocks[1][1], "...\n", "_, _ = article, err\n", 1)
	for name, content := range map[string]string{
		"go.mod":  "module example.org/user\n\ngo 1.26.0\n\n" + blocks[0][1],
		"main.go": "package main\n\nimport (\n\t\"context\"\n\n\t\"ayna/client\"\n)\n\nfunc main() { _ = run(context.Background(), \"\") }\n\nfunc run(ctx context.Context, key string) error {\n" + body + "\treturn nil\n}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"mod", "tidy"}, {"vet", "."}} {
		c := exec.Command("go", args...)
		c.Dir, c.Env = dir, append(os.Environ(), "GOFLAGS=")
		if out, err := c.CombinedOutput(); err != nil {
			t.Errorf("go %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
}
