package main

import (
	"archive/zip"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"log/slog"
	"net/url"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/net/html"

	"ayna/cli"
	"ayna/testrun"
)

const settings = "title: Deneme\nbase_url: https://ayna.example/haber/\nmarkdown: false\ncompress: []\nfeeds: {of: [home]}\n"

// synced has an archive of the sample. It is made once.
var synced = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "ayna-sample")
	if err != nil {
		return "", err
	}
	madeOnce = append(madeOnce, dir)
	if err := os.WriteFile(filepath.Join(dir, "site.yaml"), []byte(settings), 0o644); err != nil {
		return "", err
	}
	c := exec.Command("ayna", "sync", "--quiet")
	c.Dir = dir
	if out, err := c.CombinedOutput(); err != nil {
		return "", fmt.Errorf("ayna sync: %w\n%s", err, out)
	}
	return dir, nil
})

// sampleMirror is a folder with a copy of it, and a site.yaml for a site of few files.
func sampleMirror(t *testing.T) string {
	t.Helper()
	from, err := synced()
	dir := t.TempDir()
	if err == nil {
		err = errors.Join(os.CopyFS(filepath.Join(dir, ".ayna"), os.DirFS(filepath.Join(from, ".ayna"))),
			os.WriteFile(filepath.Join(dir, "site.yaml"), []byte(settings+"content: {include: [/gundem/]}\n"), 0o644))
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// The scripts find an archive of the sample where site.yaml says.
func TestScripts(t *testing.T) {
	testrun.NotShort(t)
	testscript.Run(t, testscript.Params{
		Dir:   "testdata",
		Setup: putMirror,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"unzip": unzip,
			"links": links,
			"exits": exits,
			"spoil": spoil,
		},
		Condition: func(name string) (bool, error) {
			if name != "slow" {
				return false, errors.New("unknown condition")
			}
			return testrun.Slow(), nil
		},
	})
}

func putMirror(env *testscript.Env) error {
	from, err := synced()
	if err != nil {
		return err
	}
	return os.CopyFS(filepath.Join(env.WorkDir, ".ayna"), os.DirFS(filepath.Join(from, ".ayna")))
}

// unzip unpacks the only folder of a zip file: unzip FILE DIR FOLDER.
func unzip(ts *testscript.TestScript, neg bool, args []string) {
	z, err := zip.OpenReader(ts.MkAbs(args[0]))
	ts.Check(err)
	defer z.Close()
	for _, f := range z.File {
		inFolder, ok := strings.CutPrefix(f.Name, args[2]+"/")
		if !ok {
			ts.Fatalf("%s has %s beside the folder %s", args[0], f.Name, args[2])
		}
		name := filepath.Join(ts.MkAbs(args[1]), filepath.FromSlash(inFolder))
		ts.Check(os.MkdirAll(filepath.Dir(name), 0o755))
		from, err := f.Open()
		ts.Check(err)
		content, err := io.ReadAll(from)
		ts.Check(err)
		ts.Check(os.WriteFile(name, content, 0o644))
	}
}

// links checks that every relative link of every page in a folder leads to a
// file in it: links DIR.
func links(ts *testscript.TestScript, neg bool, args []string) {
	fsys := os.DirFS(ts.MkAbs(args[0]))
	followed := 0
	ts.Check(fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || path.Ext(name) != ".html" {
			return err
		}
		f, err := fsys.Open(name)
		ts.Check(err)
		defer f.Close()
		for z := html.NewTokenizer(f); z.Next() != html.ErrorToken; {
			for _, a := range z.Token().Attr {
				u, err := url.Parse(a.Val)
				if a.Key != "href" && a.Key != "src" || err == nil && (u.Scheme != "" || u.Path == "") {
					continue
				}
				ts.Check(err)
				followed++
				to := path.Join(path.Dir(name), u.Path)
				if rest, rooted := strings.CutPrefix(u.Path, "/haber/"); rooted && name == "404.html" { // it is served at any address
					to = path.Join(".", rest)
				}
				if _, err := fs.Stat(fsys, to); err != nil {
					ts.Fatalf("%s links %s: %v", name, a.Val, err)
				}
			}
		}
		return nil
	}))
	if followed < 20 {
		ts.Fatalf("only %d links", followed)
	}
}

// spoil changes the archive in the file behind its back: spoil FILE STATEMENT.
func spoil(ts *testscript.TestScript, neg bool, args []string) {
	db, err := sql.Open("sqlite", ts.MkAbs(args[0]))
	ts.Check(err)
	defer db.Close()
	_, err = db.Exec(args[1])
	ts.Check(err)
}

// exits runs a command and checks its exit code: exits 2 pack --format rar.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if _, err := strconv.Atoi(args[0]); err != nil {
		ts.Fatalf("usage: exits CODE COMMAND [ARGUMENT ...]")
	}
	ts.Check(ts.Exec("sh", "-c", strings.Join(args[1:], " ")+"; code=$?; test $code = "+args[0]+" || { echo exit code $code >&2; exit 1; }"))
}

// Whatever a dependency logs stays out of stderr.
func TestStandardLoggerIsSilent(t *testing.T) {
	var logged strings.Builder
	before := log.Writer()
	log.SetOutput(&logged)
	t.Cleanup(func() { log.SetOutput(before) })
	for _, command := range []string{"serve", "pack", "build"} {
		if code := cli.Ayna([]string{command, "--help"}, io.Discard, io.Discard); code != 0 {
			t.Fatalf("exit code %d", code)
		}
	}
	log.Print("from net/http")
	slog.Error("from slog")
	if logged.Len() > 0 {
		t.Errorf("logged: %s", &logged)
	}
}
