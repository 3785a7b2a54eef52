package generator_test

import (
	"path/filepath"
	"testing"

	"ayna/generator"
	"ayna/testrun"
)

// TestProgramVersion: another program and another number of workers publish
// the same bytes, both into a new folder and over what an earlier program made.
func TestProgramVersion(t *testing.T) {
	testrun.NotShort(t)
	t.Parallel()
	p := newPress(t)
	p.mustBuild(t, func(*generator.Options) {})
	first := treeOf(t, p.config.Output)
	other := func(o *generator.Options) { o.Offline, o.Version, o.Jobs = true, "2", 6 }
	elsewhere := filepath.Join(p.dir, "elsewhere", "public")
	fresh := p.mustBuild(t, func(o *generator.Options) { other(o); o.Config.Output = elsewhere })
	if fresh.Files.Written < len(first)-2 { // all but the manifests
		t.Fatalf("%+v", fresh.Files)
	}
	sameFiles(t, "in another folder", first, treeOf(t, elsewhere))

	again := p.mustBuild(t, other)
	if again.Files.Written != 0 {
		t.Errorf("%d files written again", again.Files.Written)
	}
	sameFiles(t, "over the first", first, treeOf(t, p.config.Output))
}
