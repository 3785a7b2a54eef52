package output_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"ayna/generator/output"
	"ayna/testrun"
	"ayna/testrun/disk"
)

// TestRandomEdits: after any edits the tree is what a build from nothing makes,
// byte for byte.
func TestRandomEdits(t *testing.T) {
	seeds := testrun.Counts{Plain: 3, Long: 100}.Now()
	for seed := range seeds {
		random := rand.New(rand.NewPCG(uint64(seed), 1))
		outer := t.TempDir()
		dir := filepath.Join(outer, "public")
		site := numbered(0)
		foreign := tree{}
		for step := range 12 {
			edit(random, site)
			options := output.Options{Jobs: 1 + random.IntN(4), Fewer: true}
			switch random.IntN(8) {
			case 0: // the owner puts something in, or takes it out
				name := fmt.Sprintf("folder%d/mine%d.txt", random.IntN(3), random.IntN(2))
				if _, there := foreign[name]; there {
					delete(foreign, name)
					os.Remove(filepath.Join(dir, name))
				} else if step > 0 {
					foreign[name] = fmt.Sprint(step)
					disk.Write(t, dir, name, foreign[name])
				}
			case 1: // a run before this one is interrupted
				stopped(t, dir, numbered(seed+100), "folder3/8.html", func(yield func(output.File, error) bool) {
					yield(output.File{}, errRender)
				})
			case 2:
				if step > 1 {
					rollback(t, dir)
				}
			}
			if _, err := output.Publish(t.Context(), dir, files(site), options); err != nil {
				t.Fatalf("seed %d, step %d: %v", seed, step, err)
			}
			want := maps.Clone(site)
			maps.Copy(want, foreign)
			if got := contents(t, dir); !maps.Equal(got, want) {
				t.Fatalf("seed %d, step %d: the tree holds %v, want %v", seed, step, slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
			}
			checkManifest(t, dir)
			fresh := filepath.Join(t.TempDir(), "public")
			publish(t, fresh, site)
			if read(t, dir, "manifest.sha256") != read(t, fresh, "manifest.sha256") {
				t.Fatalf("seed %d, step %d: the manifest is not that of a build from nothing", seed, step)
			}
			checkHidden(t, dir)
			if t.Failed() {
				t.FailNow()
			}
		}
	}
}

// edit changes, adds, removes and renames files.
func edit(random *rand.Rand, site tree) {
	for range random.IntN(6) {
		names := slices.Sorted(maps.Keys(site))
		name := names[random.IntN(len(names))]
		switch random.IntN(4) {
		case 0:
			site[name] = fmt.Sprint("edit ", random.IntN(3)) // often as it was before
		case 1:
			delete(site, name)
		case 2:
			site[fmt.Sprintf("folder%d/more/%d.html", random.IntN(6), random.IntN(9))] = "more"
		case 3:
			site[fmt.Sprintf("moved/%d.html", random.IntN(9))] = site[name]
			delete(site, name)
		}
	}
}
