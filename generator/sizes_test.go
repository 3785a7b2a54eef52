package generator_test

import (
	"bytes"
	"maps"
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

	count := 0
	for name := range tree {
		if strings.HasPrefix(name, "media/") && strings.Contains(name, "-100.") {
			count++
		}
	}
	if count == 0 {
		t.Errorf("no small pictures in %v", slices.Sorted(maps.Keys(tree)))
	}
	for _, page := range []string{"index.html", "yasam/index.html", "arsiv/2026-10.html", "yasam/page/1.html"} {
		if text, ok := tree[page]; ok && !candidate.Match(text) {
			t.Errorf("%s has no srcset", page)
		}
	}
	items := 0
	for name, text := range tree {
		if strings.HasPrefix(name, "yasam/") && candidate.Match(text) && strings.Contains(string(text), `<figure class="lead`) {
			items++
		}
	}
	if items == 0 {
		t.Error("no item shows sizes")
	}
	texts := 0
	for name, content := range tree {
		for _, tag := range inText.FindAll(content, -1) {
			texts++
			several, feed := bytes.Contains(tag, []byte("srcset")), !strings.HasSuffix(name, ".html")
			if several == feed || several && !candidate.Match(tag) || !bytes.Contains(tag, []byte(` width="`)) {
				t.Errorf("%s: %s", name, tag)
			}
		}
	}
	if texts == 0 {
		t.Error("no text shows a picture")
	}
}
