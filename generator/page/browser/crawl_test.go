package browser

import (
	"bytes"
	"compress/gzip"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// document is what of a page leads to others, or is led to.
type document struct{ links, anchors []string }

// TestCrawl follows every link of every page of the sample.
func TestCrawl(t *testing.T) {
	p := build(t)
	documents := p.documents(t)
	if len(documents) < 500 {
		t.Fatalf("only %d pages", len(documents))
	}
	followed := 0
	for name, d := range documents {
		from, err := url.Parse(p.url + name)
		if err != nil {
			t.Fatal(err)
		}
		for _, link := range d.links {
			to, err := from.Parse(link)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			target, inside := strings.CutPrefix(to.Scheme+"://"+to.Host+to.Path, p.url)
			if !inside {
				continue
			}
			followed++
			if target == "" || strings.HasSuffix(target, "/") { // as a server answers it
				target += "index.html"
			}
			if info, err := os.Stat(filepath.Join(p.dir, target)); err != nil || info.IsDir() {
				t.Errorf("%s links %s, which is no file", name, link)
			} else if to.Fragment != "" && !contains(documents[target].anchors, to.Fragment) {
				t.Errorf("%s links %s, but there is no such anchor", name, link)
			}
		}
	}
	if followed < 10_000 {
		t.Errorf("only %d links followed", followed)
	}
}

func contains(all []string, one string) bool {
	for _, other := range all {
		if other == one {
			return true
		}
	}
	return false
}

var doubly = regexp.MustCompile(`&amp;(?:amp|lt|gt|quot|nbsp|#\d+);`)

// documents reads every page of the tree.
func (p published) documents(t *testing.T) map[string]document {
	t.Helper()
	documents := make(map[string]document)
	err := filepath.WalkDir(p.dir, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || path.Ext(file) != ".html" {
			return err
		}
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if found := doubly.Find(data); found != nil {
			t.Errorf("%s: doubly escaped: %s", file, found)
		}
		root, err := html.Parse(bytes.NewReader(data))
		if err != nil {
			return err
		}
		var d document
		for n := range root.Descendants() {
			for _, a := range n.Attr {
				switch {
				case a.Key == "id":
					d.anchors = append(d.anchors, a.Val)
				case a.Key == "href" || a.Key == "src" || a.Key == "data-manifest":
					d.links = append(d.links, a.Val)
				}
			}
		}
		name, err := filepath.Rel(p.dir, file)
		documents[filepath.ToSlash(name)] = d
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return documents
}

// TestWeight adds up what a browser has to fetch to show a page, but for
// pictures, as a server compresses it.
func TestWeight(t *testing.T) {
	const most = 30 << 10
	p := build(t)
	for _, name := range p.find(t, pages...) {
		html, err := os.ReadFile(filepath.Join(p.dir, name))
		if err != nil {
			t.Fatal(err)
		}
		sum := compressed(t, html)
		for _, asset := range needed.FindAllStringSubmatch(string(html), -1) {
			data, err := os.ReadFile(filepath.Join(p.dir, "assets", asset[1]))
			if err != nil {
				t.Fatal(err)
			}
			sum += compressed(t, data)
		}
		t.Logf("%6d bytes: %s", sum, name)
		if sum > most {
			t.Errorf("%s: %d bytes, more than %d", name, sum, most)
		}
	}
}

var needed = regexp.MustCompile(`(?:src|rel="stylesheet" href)="[^"]*assets/([^"/]+\.(?:css|js))"`)

func compressed(t *testing.T, data []byte) int {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Len()
}

// TestHTML has the Nu HTML Checker read a page of each template, and those of
// package page's golden files, whose records are hostile.
func TestHTML(t *testing.T) {
	jar := os.Getenv("AYNA_VNU")
	if jar == "" {
		t.Skip("AYNA_VNU does not name vnu.jar (npm pack vnu-jar): HTML is not checked")
	}
	p := build(t)
	var files []string
	for _, name := range p.find(t, pages...) {
		files = append(files, filepath.Join(p.dir, name))
	}
	err := filepath.WalkDir("../testdata/golden", func(file string, entry fs.DirEntry, err error) error {
		if err == nil && path.Ext(file) == ".html" {
			files = append(files, file)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("java", append([]string{"-XX:TieredStopAtLevel=1", "-Xss4m", "-jar", jar, "--errors-only"}, files...)...).CombinedOutput()
	if err != nil || len(out) > 0 {
		t.Errorf("%v\n%s", err, out)
	}
}
