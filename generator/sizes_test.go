package generator_test

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ayna/generator"
	"ayna/testrun"
)

var candidate = regexp.MustCompile(`srcset="(?:\.\./)*media/[0-9a-f]{32}-100\.(?:jpg|png) 100w, (?:\.\./)*media/[0-9a-f]{32}-200\.(?:jpg|png) 200w, (?:\.\./)*media/[0-9a-f]{32}\.[a-z]+ [0-9]+w" sizes="[^"]+"`)

// inText is a picture in a text, as package prose writes it into pages and feeds;
// those have one size.
var inText = regexp.MustCompile(`<img [^>]* decoding="async"/>`)

func TestSizes(t *testing.T) {
	testrun.NotShort(t)
	t.Parallel()
	p := newPress(t)
	p.config.Media, p.config.Widths = "mirror", []int{100, 200, 4000}
	first := p.mustBuild(t, func(o *generator.Options) { o.Jobs = 8 })
	if first.Sizes == nil || first.Sizes.Made == 0 || first.Sizes.None != 0 {
		t.Fatalf("%+v", first.Sizes)
	}
	if _, timed := first.Seconds["sizes"]; !timed {
		t.Error("the stage is not timed")
	}
	tree := treeOf(t, p.config.Output)
	again := p.mustBuild(t, func(o *generator.Options) { o.Full, o.Offline, o.Jobs = true, true, 1 })
	if again.Sizes.Made != 0 || again.Files.Written != 0 {
		t.Errorf("the second build made %d sizes and wrote %d files", again.Sizes.Made, again.Files.Written)
	}
	small, items, texts := 0, 0, 0
	for name, content := range tree {
		isPage := strings.HasSuffix(name, ".html")
		switch list := slices.Contains([]string{"index.html", "yasam/index.html", "arsiv/2026-10.html"}, name); {
		case list && !candidate.Match(content):
			t.Errorf("%s has no srcset", name)
		case strings.HasPrefix(name, "media/") && strings.Contains(name, "-100."):
			small++
		case strings.HasPrefix(name, "yasam/") && candidate.Match(content) && bytes.Contains(content, []byte(`<figure class="lead`)):
			items++
		}
		for _, tag := range inText.FindAll(content, -1) {
			texts++
			several := bytes.Contains(tag, []byte("srcset"))
			if several != isPage || several && !candidate.Match(tag) || !bytes.Contains(tag, []byte(` width="`)) {
				t.Errorf("%s: %s", name, tag)
			}
		}
	}
	if small == 0 || items == 0 || texts == 0 {
		t.Errorf("%d small pictures, %d items and %d texts show sizes", small, items, texts)
	}
}
