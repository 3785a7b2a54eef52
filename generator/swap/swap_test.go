package swap_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"ayna/generator/swap"
	"ayna/testrun/disk"
)

func rollback(t *testing.T, dir string) {
	t.Helper()
	p, err := swap.Open(dir)
	must(t, err)
	must(t, errors.Join(p.Publish(swap.Previous, ""), p.Close()))
}

// checkHidden looks for litter beside the published tree.
func checkHidden(t testing.TB, dir string) {
	t.Helper()
	entries, err := os.ReadDir(hidden(dir))
	must(t, err)
	for _, e := range entries {
		if !slices.Contains([]string{"previous", "lock"}, e.Name()) {
			t.Errorf("litter: %s", e.Name())
		}
	}
}

// cut is a step of a publish or a rollback: a directory is renamed, removed in
// part, or exchanged with another one.
type cut struct {
	op       string
	from, to string
}

// TestEachCut: after a kill between any two steps, one whole tree is published,
// the other one can be gone back to, and nothing else is left.
func TestEachCut(t *testing.T) {
	const stage, previous, aside, trash = ".public.ayna/stage", ".public.ayna/previous", ".public.ayna/aside", ".public.ayna/.ayna-previous"
	keep := []cut{{"rename", previous, trash}, {"half", trash, ""}, {"rename", stage, previous}}
	for _, test := range []struct {
		name  string
		tree  string // that is published
		steps []cut
		swap  int // number of steps after which the new tree is published
	}{
		{"publish", "stage", append([]cut{{"exchange", stage, "public"}}, keep...), 1},
		{"publish in two steps", "stage", append([]cut{{"rename", "public", aside}, {"rename", stage, "public"}, {"rename", aside, stage}}, keep...), 2},
		{"rollback", "previous", []cut{{"exchange", previous, "public"}}, 1},
		{"rollback in two steps", "previous", []cut{{"rename", "public", aside}, {"rename", previous, "public"}, {"rename", aside, previous}}, 2},
	} {
		for done := range len(test.steps) + 1 {
			t.Run(fmt.Sprintf("%s, %d steps", test.name, done), func(t *testing.T) {
				outer, p := ready(t)
				dir := filepath.Join(outer, "public")
				digest, err := p.Digest(test.tree)
				must(t, errors.Join(err, p.Put("next", test.tree+" "+digest+"\n"), p.Close()))
				for _, step := range test.steps[:done] {
					step.do(t, outer)
				}
				disk.Write(t, hidden(dir), ".ayna-next", "half")

				mustOpen(t, dir)
				now, before := second, first
				switch {
				case done >= test.swap && test.tree == "stage":
					now, before = third, second
				case done >= test.swap:
					now, before = first, second
				}
				check(t, dir, now)
				check(t, filepath.Join(hidden(dir), "previous"), before)
				checkHidden(t, dir)
			})
		}
	}
}

func (c cut) do(t *testing.T, outer string) {
	t.Helper()
	from, to := filepath.Join(outer, c.from), filepath.Join(outer, c.to)
	switch c.op {
	case "rename":
		must(t, os.Rename(from, to))
	case "exchange":
		free := filepath.Join(outer, "free")
		must(t, errors.Join(os.Rename(to, free), os.Rename(from, to), os.Rename(free, from)))
	case "half":
		must(t, os.Remove(filepath.Join(from, "index.html")))
	}
}

// ready makes a target where first was published, second is, and third is in the
// stage.
func ready(t *testing.T) (outer string, p *swap.Target) {
	t.Helper()
	outer = t.TempDir()
	dir := filepath.Join(outer, "public")
	mustPublish(t, dir, first, second)
	p, err := swap.Open(dir)
	must(t, err)
	must(t, stage(t, p, swap.Stage, third))
	return outer, p
}

// TestPutFails: a file that cannot get its name leaves nothing behind, since the next run
// may find that nothing has changed and open no target.
func TestPutFails(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "public")
	mustPublish(t, dir, first)
	p, err := swap.Open(dir)
	must(t, err)
	must(t, os.Mkdir(filepath.Join(hidden(dir), "keys"), 0o755))
	if err := p.Put("keys", "new"); err == nil {
		t.Error("a file replaced a directory")
	}
	must(t, errors.Join(p.Close(), os.Remove(filepath.Join(hidden(dir), "keys"))))
	checkHidden(t, dir)
}

// TestOtherCuts: neither a first publish nor a note of it that was lost or cut
// off does harm.
func TestOtherCuts(t *testing.T) {
	t.Run("nothing was published, before", func(t *testing.T) {
		dir := filepath.Join(t.TempDir(), "public")
		p, err := swap.Open(dir)
		must(t, err)
		must(t, stage(t, p, swap.Stage, first))
		digest, err := p.Digest(swap.Stage)
		must(t, errors.Join(err, p.Put("next", "stage "+digest+"\n"), p.Close()))
		mustOpen(t, dir)
		checkHidden(t, dir)
		if _, err := os.Stat(dir); err == nil {
			t.Error("it is published")
		}
	})
	t.Run("nothing was published, after", func(t *testing.T) {
		dir := filepath.Join(t.TempDir(), "public")
		mustPublish(t, dir, first)
		p, err := swap.Open(dir)
		must(t, err)
		digest, err := p.Digest(swap.Published)
		must(t, errors.Join(err, p.Put("next", "stage "+digest+"\n"), p.Close()))
		mustOpen(t, dir)
		check(t, dir, first)
		checkHidden(t, dir)
	})
	for _, note := range []string{"", "st", "stage", "stage ", "lock 0"} {
		t.Run(fmt.Sprintf("the note is %q", note), func(t *testing.T) {
			outer, p := ready(t)
			dir := filepath.Join(outer, "public")
			must(t, p.Close())
			disk.Write(t, hidden(dir), "next", note)
			mustOpen(t, dir)
			check(t, dir, second)
			check(t, filepath.Join(hidden(dir), "previous"), first)
			checkHidden(t, dir)
		})
	}
	t.Run("the published tree is aside, and nothing was noted", func(t *testing.T) {
		outer, p := ready(t)
		dir := filepath.Join(outer, "public")
		must(t, errors.Join(p.Close(), os.Rename(dir, filepath.Join(hidden(dir), "aside"))))
		mustOpen(t, dir)
		check(t, dir, second)
		checkHidden(t, dir)
	})
}
