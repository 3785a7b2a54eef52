package generator_test

import (
	"fmt"
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
	p.config.Media = "link"
	p.mustBuild(t, func(*generator.Options) {})
	first := treeOf(t, p.config.Output)
	for version := 2; version < 4; version++ {
		name := fmt.Sprintf("version %d", version)
		other := func(o *generator.Options) { o.Offline, o.Version, o.Jobs = true, fmt.Sprint(version), 3*version }
		elsewhere := filepath.Join(p.dir, name, "public")
		fresh := p.mustBuild(t, func(o *generator.Options) { other(o); o.Config.Output = elsewhere })
		if fresh.Files.Written < len(first)-2 { // all but the manifests
			t.Fatalf("%s: %+v", name, fresh.Files)
		}
		sameFiles(t, name+", in another folder", first, treeOf(t, elsewhere))

		again := p.mustBuild(t, other)
		if again.Files.Written != 0 {
			t.Errorf("%s: %d files written again", name, again.Files.Written)
		}
		sameFiles(t, name+", over the first", first, treeOf(t, p.config.Output))
	}
}
