package prose

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the expected output in testdata")

// asIs shows every address as it is at the source, and knows the size of one
// picture and the absence of others.
type asIs struct{}

func (asIs) Link(source string) string {
	if strings.Contains(source, "//kayip.example") {
		return ""
	}
	return source
}

func (asIs) Anchor(id string) (string, bool) { return "#" + id, true }

func (asIs) Plays() bool { return false }

func (asIs) Card(page string) (title, note string, picture Image) {
	if strings.Contains(page, "bilinen") || strings.HasSuffix(page, "/98765") {
		return `Kıyı <b> & "liman"`, "vimeo", Image{Src: "../media/film.jpg", Width: 480, Height: 360}
	}
	return "", "", Image{}
}

func (asIs) File(string) (href, note string) { return "", "" }

func (asIs) Image(source string) (Image, bool) {
	switch {
	case strings.Contains(source, "//kayip.example"):
		return Image{}, false
	case strings.HasSuffix(source, "/olculu.jpg"):
		return Image{Src: "../media/1.jpg", Width: 640, Height: 400}, true
	case strings.Contains(source, "//i.ytimg.com/vi/"), strings.Contains(source, "/thumbnail/"):
		return Image{Src: "../media/film/" + strings.Split(source, "/")[4] + ".jpg"}, true
	}
	return Image{Src: source}, true
}

var testOptions = Options{Title: "Körfezde bahar", Base: "https://haber.example/gundem/bahar-41010101", Table: "Tablo"}

// A pair is one case of testdata: its name, the source's text and what becomes
// of it. A file holds many, in the form that String writes.
type pair struct {
	name, input, html, markdown, text string
}

func (p pair) String() string {
	return fmt.Sprintf("=== %s\n%s\n--- html\n%s\n--- markdown\n%s\n--- text\n%s\n\n", p.name, p.input, p.html, p.markdown, p.text)
}

func readPairs(t *testing.T, file string) []pair {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var list []pair
	for _, s := range strings.Split("\n"+string(data), "\n=== ")[1:] {
		var p pair
		p.name, s, _ = strings.Cut(s, "\n")
		p.input, s, _ = strings.Cut(s, "\n--- html\n")
		p.html, s, _ = strings.Cut(s, "\n--- markdown\n")
		p.markdown, s, _ = strings.Cut(s, "\n--- text\n")
		p.text = strings.TrimSpace(s)
		p.input = strings.TrimRight(p.input, "\n")
		list = append(list, p)
	}
	return list
}

// unquote lets a case hold characters that an editor would not keep.
var unquote = strings.NewReplacer(`\r`, "\r", `\u0001`, "\x01", `\u0085`, "\u0085", `\u202E`, "\u202E", `\u202C`, "\u202C", `\uFEFF`, "\uFEFF", `\xff`, "\xff")

func TestPairs(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no cases in testdata", err)
	}
	for _, file := range files {
		var out strings.Builder
		for _, want := range readPairs(t, file) {
			body := Clean(unquote.Replace(want.input), testOptions)
			markdown, err := body.Markdown(asIs{})
			if err != nil {
				t.Errorf("%s: %s: %v", file, want.name, err)
			}
			got := pair{want.name, want.input, strings.TrimSpace(string(body.HTML(asIs{}))), markdown, body.Text()}
			out.WriteString(got.String())
			if *update {
				continue
			}
			t.Run(strings.TrimSuffix(filepath.Base(file), ".txt")+"/"+want.name, func(t *testing.T) {
				if got != want {
					t.Errorf("got\n%s\nwant\n%s", got, want)
				}
				checkSafe(t, got.html)
				checkStable(t, body)
			})
		}
		if *update {
			if err := os.WriteFile(file, []byte(out.String()), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// identity shows every address as it is.
type identity struct{}

func (identity) Link(source string) string         { return source }
func (identity) Image(source string) (Image, bool) { return Image{Src: source}, true }
func (identity) Anchor(id string) (string, bool)   { return "#" + id, true }
func (identity) Plays() bool                       { return false }

func (identity) Card(string) (title, note string, picture Image) { return "", "", Image{} }
func (identity) File(string) (href, note string)                 { return "", "" }

// checkStable cleans what was cleaned: nothing may change.
func checkStable(t *testing.T, body Body) {
	t.Helper()
	once := string(body.HTML(identity{}))
	opt := testOptions
	opt.Title = ""
	twice := string(Clean(once, opt).HTML(identity{}))
	if once != twice {
		t.Errorf("cleaned again, it changes\nfrom %q\nto   %q", once, twice)
	}
}

// article is of an ordinary size and shape: 6.5 KB.
var article = strings.Repeat("<p>Körfez'de sabah <b>erken</b> saatlerde &uuml;ç <a href=\"/gundem/x-41010102\">haber</a> vardı; deniz durgun, liman kalabalıktı.</p>\r\n", 52)

func BenchmarkClean(b *testing.B) {
	for b.Loop() {
		Clean(article, testOptions)
	}
}

func BenchmarkHTML(b *testing.B) {
	body := Clean(article, testOptions)
	for b.Loop() {
		body.HTML(identity{})
	}
}
