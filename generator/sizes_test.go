package generator_test

import (
	"bytes"
	"maps"
	"path/filepath"
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
	widths := []int{100, 200, 4000}
	var trees []map[string][]byte
	for _, jobs := range []int{1, 8} {
		p := newPress(t)
		p.config.Widths = widths
		first := p.mustBuild(t, func(o *generator.Options) { o.Jobs, o.Check = jobs, true })
		if first.Sizes == nil || first.Sizes.Made == 0 || first.Sizes.None != 0 {
			t.Fatalf("%d jobs: %+v", jobs, first.Sizes)
		}
		if _, timed := first.Seconds["sizes"]; !timed {
			t.Error("the stage is not timed")
		}
		trees = append(trees, treeOf(t, p.config.Output))
		if jobs == 8 {
			continue
		}
		again := p.mustBuild(t, func(o *generator.Options) { o.Full, o.Offline, o.Jobs = true, true, jobs })
		if again.Sizes.Made != 0 || again.Files.Written != 0 {
			t.Errorf("the second build made %d sizes and wrote %d files", again.Sizes.Made, again.Files.Written)
		}
	}
	sameFiles(t, "1 job and 8", trees[0], trees[1])

	count := 0
	for name := range trees[0] {
		if strings.HasPrefix(name, "media/") && strings.Contains(name, "-100.") {
			count++
		}
	}
	if count == 0 {
		t.Errorf("no small pictures in %v", slices.Sorted(maps.Keys(trees[0])))
	}
	for _, page := range []string{"index.html", "yasam/index.html", "arsiv/2026-10.html", "yasam/page/1.html"} {
		if text, ok := trees[0][page]; ok && !candidate.Match(text) {
			t.Errorf("%s has no srcset", page)
		}
	}
	items := 0
	for name, text := range trees[0] {
		if strings.HasPrefix(name, "yasam/") && candidate.Match(text) && strings.Contains(string(text), `<figure class="lead`) {
			items++
		}
	}
	if items == 0 {
		t.Error("no item shows sizes")
	}
	texts := 0
	for name, content := range trees[0] {
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

func TestNoSizes(t *testing.T) {
	testrun.NotShort(t)
	t.Parallel()
	p := newPress(t)
	p.config.Widths = nil
	if r := p.mustBuild(t, func(*generator.Options) {}); r.Sizes != nil {
		t.Errorf("%+v", r.Sizes)
	}
	for name, text := range treeOf(t, p.config.Output) {
		if strings.HasSuffix(name, ".html") && strings.Contains(string(text), "srcset") {
			t.Errorf("%s has a srcset", name)
		}
	}
	if found, _ := filepath.Glob(filepath.Join(p.dir, "whole", "sizes", "*")); len(found) > 0 {
		t.Errorf("sizes were made: %v", found)
	}
}
