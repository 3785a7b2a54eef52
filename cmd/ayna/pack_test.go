package main

import (
	"archive/zip"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/net/html"
)

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
