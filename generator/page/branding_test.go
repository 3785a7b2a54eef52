package page_test

import (
	"bytes"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"ayna/generator/page"
	"ayna/generator/site"
	"ayna/prose"
)

// TestBranding puts the owner's logo, colour, menu, footer and snippets around pages.
func TestBranding(t *testing.T) {
	w := newWorld(t, "tr")
	w.branding = page.Branding{
		Logo: page.Asset{Name: "logo.svg", Data: []byte("<svg/>")}, Accent: "#0a5",
		Footer: "<p>Liman <em>Sokağı</em></p>",
		Menu:   []page.MenuLink{{"Künye", "kunye.html"}, {"Spor", "/spor/#son"}, {"Radyo", "https://radyo.example/?a=1"}},
		Head:   prose.OwnHTML(`<script src="https://stats.example/s.js"></script>`), Article: "<div id=comments></div>", Foot: "<p>son</p>",
		Sources: site.Sources{Scripts: []string{"https://stats.example", "'sha256-abc='"}, Frames: []string{"https://frames.example"}, FormsTo: []string{"https://forms.example"}},
	}
	files := w.render(t).files
	home, article := string(files["index.html"]), ""
	for name, text := range files {
		if strings.HasPrefix(name, "spor/") && bytes.Contains(text, []byte(`<article class="item">`)) {
			article = string(text)
		}
	}
	if article == "" {
		t.Fatal("no article in spor/")
	}
	for where, page := range map[string]struct{ text, root string }{"home": {home, ""}, "article": {article, "../"}} {
		for _, want := range []string{
			`<img src="` + page.root + `assets/logo.`, `alt="Körfez &amp; Ayna"`,
			`<li><a href="` + page.root + `kunye.html"><bdi>Künye</bdi></a></li>`,
			`<li><a href="` + page.root + `spor/index.html#son"><bdi>Spor</bdi></a></li>`,
			`<li><a href="https://radyo.example/?a=1"><bdi>Radyo</bdi></a></li>`,
			"<p>Liman <em>Sokağı</em></p>", `<script src="https://stats.example/s.js"></script>`, "<p>son</p>\n</body>",
			`script-src 'self' file: https://stats.example &#39;sha256-abc=&#39;;`, `frame-src https://frames.example;`, `form-action https://forms.example"`,
		} {
			if !strings.Contains(page.text, want) {
				t.Errorf("%s lacks %s", where, want)
			}
		}
	}
	if strings.Contains(home, "id=comments") || strings.Count(article, "<div id=comments></div>") != 1 {
		t.Error("the snippet below items is on home, or not once on an article")
	}
	for name, text := range files {
		if strings.HasSuffix(name, ".md") && bytes.Contains(text, []byte("comments")) {
			t.Errorf("%s holds the snippet", name)
		}
	}
}

// TestAccent reads the colours that pages get from any accent: small text is readable on
// the backgrounds of both looks.
func TestAccent(t *testing.T) {
	rule := regexp.MustCompile(`--light-accent: (#[0-9a-f]{6}); --dark-accent: (#[0-9a-f]{6});`)
	for _, accent := range []string{"#000", "#fff", "#ff0", "#ffd400", "#00f", "#0a5", "#96181d", "#7f7f7f", "#ABCDEF", "#fcfbf8", "#171614"} {
		w := newWorld(t, "tr")
		w.branding.Accent = accent
		list, err := page.Assets(w.assets, w.branding)
		if err != nil {
			t.Fatal(err)
		}
		found := []string(nil)
		for _, asset := range list {
			if asset.Name == "site.css" {
				all := rule.FindAllStringSubmatch(string(asset.Data), -1)
				found = all[len(all)-1]
			}
		}
		for i, grounds := range [][]string{{"#fcfbf8", "#f2efe8"}, {"#171614", "#211f1c", "#2c2925"}} {
			for _, ground := range grounds {
				if c := contrast(t, found[i+1], ground); c < 4.5 {
					t.Errorf("accent %s: %s on %s has a contrast of %.2f", accent, found[i+1], ground, c)
				}
			}
		}
		if accent == "#96181d" && found[1] != accent {
			t.Errorf("a readable colour became %s", found[1])
		}
	}
}

// TestFeedNote puts the note of the language into the style sheet of feeds.
func TestFeedNote(t *testing.T) {
	list, err := page.Assets(fstest.MapFS{"feed.css": {Data: []byte(`:root::before { content: "@note@"; }`)}}, page.Branding{Note: "a \"b\" </style>\\"})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(list[0].Data), `:root::before { content: "a \22 b\22  \3c /style>\5c "; }`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// contrast is that of WCAG 2.2.
func contrast(t *testing.T, a, b string) float64 {
	t.Helper()
	luminance := func(text string) (sum float64) {
		for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
			n, err := strconv.ParseUint(text[1+2*i:3+2*i], 16, 8)
			if err != nil {
				t.Fatal(fmt.Errorf("%s: %w", text, err))
			}
			v := float64(n) / 255
			if v <= 0.04045 {
				sum += weight * v / 12.92
			} else {
				sum += weight * math.Pow((v+0.055)/1.055, 2.4)
			}
		}
		return sum + 0.05
	}
	x, y := luminance(a), luminance(b)
	return math.Max(x, y) / math.Min(x, y)
}
