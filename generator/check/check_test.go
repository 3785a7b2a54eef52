package check_test

import (
	"context"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ayna/generator/check"
	"ayna/generator/output"
)

const base = "https://ayna.example/haber/"

// publish publishes files, by their paths.
func publish(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "public")
	_, err := output.Publish(t.Context(), dir, filesOf(files), output.Options{Jobs: 1})
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func filesOf(files map[string]string) iter.Seq2[output.File, error] {
	return func(yield func(output.File, error) bool) {
		for name, content := range files {
			f := output.File{Path: name, Write: func(_ context.Context, w io.Writer) error {
				_, err := io.WriteString(w, content)
				return err
			}}
			if !yield(f, nil) {
				return
			}
		}
	}
}

// flaws returns what is wrong with a site, a line each.
func flaws(t *testing.T, dir string) []string {
	t.Helper()
	var list []string
	for f, err := range check.Site(t.Context(), dir, check.Options{BaseURL: base, Jobs: 2, Hash: hashes}) {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, f.String())
	}
	return list
}

func hashes(_ context.Context, kind, id string) (string, error) {
	if kind == "article" && id == "1" {
		return "aa", nil
	}
	return "", nil
}

// Each page is one of a site with these other files; what is wrong with it is
// named, and nothing else.
func TestFlaws(t *testing.T) {
	t.Parallel()
	page := func(head, body string) string {
		return "<!DOCTYPE html><html><head>" + head + "</head><body id=top>" + body + "</body></html>"
	}
	for _, test := range []struct{ name, path, content, want string }{
		{"good links", "a/x.html", page(`<link rel="canonical" href="`+base+`a/"><link href="../style.css">`,
			`<a href="y.html#here"></a><a href="#top"></a><a href="../">x</a><a href="https://other.example/gone"></a><img srcset="../p.jpg 1x, ../p.jpg 2x">`), ""},
		{"from the root", "404.html", page("", `<a href="`+strings.TrimPrefix(base, "https://ayna.example")+`a/y.html"></a>`), ""},
		{"from the root, dead", "404.html", page("", `<a href="`+strings.TrimPrefix(base, "https://ayna.example")+`gone.html"></a>`), "links to " + strings.TrimPrefix(base, "https://ayna.example") + "gone.html"},
		{"from the root, outside", "404.html", page("", `<a href="/outside.html"></a>`), "links to /outside.html"},
		{"the source may link what is not there", "a/x.html", page("", `<a href="`+base+`nothing.html"></a>`), ""},
		{"dead link", "a/x.html", page("", `<a href="z.html"></a>`), "links to z.html, which does not exist"},
		{"dead link up", "a/x.html", page("", `<a href="../../../etc/passwd"></a>`), "links to ../../../etc/passwd, which does not exist"},
		{"dead picture", "a/x.html", page("", `<img src="../q.jpg">`), "links to ../q.jpg"},
		{"dead picture of a set", "a/x.html", page("", `<img srcset="../p.jpg 1x, ../q.jpg 2x">`), "links to ../q.jpg"},
		{"dead canonical link", "a/x.html", page(`<link rel="canonical" href="`+base+`b/">`, ""), "links to " + base + "b/"},
		{"own anchor", "a/x.html", page("", `<a href="#gone"></a>`), "its anchor #gone, which does not exist"},
		{"anchor of another page", "a/x.html", page("", `<a href="y.html#gone"></a>`), "links to a/y.html#gone, but that page has no such anchor"},
		{"good record", "a/x.html", page(`<meta name="ayna-record" content="article/1 sha256:aa">`, ""), ""},
		{"old record", "a/x.html", page(`<meta name="ayna-record" content="article/1 sha256:bb">`, ""), "another version of article/1"},
		{"unknown record", "a/x.html", page(`<meta name="ayna-record" content="article/2 sha256:bb">`, ""), "which is not in the archive"},
		{"no record", "a/x.html", page(`<meta name="ayna-record" content="x">`, ""), `names its record as "x", which is malformed`},
		{"feed", "feed.xml", `<rss><channel><link>` + base + `a/y.html</link></channel></rss>`, ""},
		{"broken feed", "feed.xml", `<rss><channel></rss>`, "is not well-formed XML"},
		{"control character", "feed.xml", "<rss>\x01</rss>", "is not well-formed XML"},
		{"dead item", "feed.xml", `<rss><channel><item><link>` + base + `gone.html</link></item></channel></rss>`, "links to " + base + "gone.html"},
		{"dead entry", "atom.xml", `<feed><entry><link rel="alternate" href="` + base + `gone.html"/></entry></feed>`, "links to " + base + "gone.html"},
		{"entry of the source", "atom.xml", `<feed><entry><link rel="via" href="` + base + `gone.html"/></entry></feed>`, ""},
		{"JSON feed", "feed.json", `{"feed_url":"` + base + `feed.json","items":[{"url":"` + base + `a/y.html"}]}`, ""},
		{"broken JSON", "feed.json", `{"items":[}`, "is not valid JSON"},
		{"dead JSON item", "feed.json", `{"items":[{"url":"` + base + `gone.html"}]}`, "links to " + base + "gone.html"},
		{"Markdown", "a/x.md", "---\ntitle: \"x\"\npicture: \"../p.jpg\"\n---\n\n[y](y.html#here) ![p](<../p.jpg>) [up](../) <https://other.example/gone> [gone](" + base + "gone.html)\n\n    [z](z.html)\n", ""},
		{"Markdown without front matter", "a/x.md", "# x\n\n\\[z](z.html) \\`[y](y.html)\n", ""},
		{"dead link of Markdown", "a/x.md", "---\ntitle: \"x\"\n---\n\n*[z](z.html)*\n", "links to z.html, which does not exist"},
		{"dead reference of Markdown", "a/x.md", "[z]\n\n[z]: z.html\n", "links to z.html, which does not exist"},
		{"dead picture of Markdown", "a/x.md", "[![q](<../q.jpg>)](y.html)\n", "links to ../q.jpg, which does not exist"},
		{"anchor of Markdown", "a/x.md", "[y](y.html#gone)\n", "links to a/y.html#gone, but that page has no such anchor"},
		{"lead picture of Markdown", "a/x.md", "---\npicture: \"../q.jpg\"\n---\n\nx\n", "links to ../q.jpg, which does not exist"},
		{"whole address in front matter", "a/x.md", "---\npicture: \"" + base + "q.jpg\"\n---\n\nx\n", "links to " + base + "q.jpg"},
		{"addresses that are none", "a/x.md", "http://a.example/100% http://user:pa%ss@x.example/ [x](//x.example/%zz) <ftp://x.example/%>\n", ""},
		{"an address of ours that is none", "a/x.md", "---\npicture: \"" + base + "%.jpg\"\n---\n\nx\n", "links to " + base + "%.jpg"},
		{"a link that is none", "a/x.html", page("", `<a href="100%.html"></a>`), "links to 100%.html, which does not exist"},
		{"front matter without end", "a/x.md", "---\ntitle: \"x\"\n", "its front matter has no end"},
		{"sitemap", "sitemap.xml", `<urlset><url><loc>` + base + `gone.html</loc></url></urlset>`, "links to " + base + "gone.html"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			dir := publish(t, map[string]string{
				"index.html": page("", ""), "a/index.html": page("", ""), "a/y.html": page("", `<p id="here">`), "style.css": "", "p.jpg": "x",
				test.path: test.content,
			})
			got := flaws(t, dir)
			if test.want == "" && len(got) > 0 {
				t.Errorf("flaws %q, want none", got)
			}
			if test.want != "" && (len(got) != 1 || !strings.HasPrefix(got[0], test.path+": ") || !strings.Contains(got[0], test.want)) {
				t.Errorf("flaws %q, want one of %s: %s", got, test.path, test.want)
			}
		})
	}
}

// Files that are not as the manifest says, and those that it does not list.
func TestFiles(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name string
		do   func(dir string) error
		want []string
	}{
		{"nothing", func(string) error { return nil }, nil},
		{"another byte", func(dir string) error { return os.WriteFile(dir+"/a.txt", []byte("y"), 0o644) }, []string{"a.txt: its bytes differ from the manifest"}},
		{"missing", func(dir string) error { return os.Remove(dir + "/a.txt") }, []string{"a.txt: is in the manifest, but missing"}},
		{"missing, with an anchor that others link", func(dir string) error { return os.Remove(dir + "/b.html") }, []string{"b.html: is in the manifest, but missing"}},
		{"a link", func(dir string) error {
			os.Remove(dir + "/a.txt")
			return os.Symlink("/etc/hostname", dir+"/a.txt")
		}, []string{"a.txt: is in the manifest, but missing"}},
		{"the owner's", func(dir string) error { return os.WriteFile(dir+"/CNAME", []byte("x"), 0o644) }, nil},
		{"left behind", func(dir string) error { return os.WriteFile(dir+"/.ayna-x", []byte("x"), 0o644) },
			[]string{".ayna-x: was written by this program"}},
		{"a lost page", func(dir string) error {
			return os.WriteFile(dir+"/lost.html", []byte(`<meta name="generator" content="ayna">`), 0o644)
		}, []string{"lost.html: was written by this program"}},
		{"another manifest", func(dir string) error { return os.WriteFile(dir+"/manifest.sha256", []byte("x\n"), 0o644) },
			[]string{".: read "}},
		{"no manifest", func(dir string) error { return os.Remove(dir + "/manifest.sha256") }, []string{".: read manifest.sha256"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			dir := publish(t, map[string]string{"index.html": `<a href="b.html#x">`, "a.txt": "x", "b.html": `<p id="x">`})
			if err := test.do(dir); err != nil {
				t.Fatal(err)
			}
			got := flaws(t, dir)
			if !slices.EqualFunc(got, test.want, strings.HasPrefix) {
				t.Errorf("flaws %q, want %q", got, test.want)
			}
		})
	}
}

// Flaws are reported in the order of the manifest, whichever reader finds them first.
func TestOrder(t *testing.T) {
	t.Parallel()
	files := map[string]string{"index.html": "x"}
	var want []string
	for i := range 600 {
		name := fmt.Sprintf("p%03d.html", i)
		files[name] = `<a href="gone.html"></a>`
		want = append(want, name+": links to gone.html, which does not exist")
	}
	if got := flaws(t, publish(t, files)); !slices.Equal(got, want) {
		t.Errorf("%d flaws in another order than the manifest's", len(got))
	}
}
