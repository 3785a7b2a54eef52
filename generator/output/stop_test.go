package output_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"ayna/generator/output"
	"ayna/generator/swap"
	"ayna/testrun"
	"ayna/testrun/disk"
)

// stopped publishes files up to one path, and then stops in the way that the
// stop says.
func stopped(t *testing.T, dir string, tr tree, last string, stop func(yield func(output.File, error) bool)) error {
	t.Helper()
	_, err := output.Publish(t.Context(), dir, func(yield func(output.File, error) bool) {
		for file := range files(tr) {
			if !yield(file, nil) {
				return
			}
			if file.Path == last {
				stop(yield)
				return
			}
		}
	}, output.Options{Jobs: 1})
	return err
}

func TestInterrupted(t *testing.T) {
	dir := t.TempDir()
	publish(t, dir, small)
	ctx, cancel := context.WithCancelCause(t.Context())
	reason := errors.New("Ctrl-C")
	next := disk.With(small, tree{"index.html": "HOME", "spor/index.html": "SPOR", "z.html": "z"})
	_, err := output.Publish(ctx, dir, func(yield func(output.File, error) bool) {
		for file := range files(next) {
			inner := file.Write
			file.Write = func(ctx context.Context, w io.Writer) error {
				if file.Path == "spor/index.html" {
					cancel(reason)
					return ctx.Err()
				}
				return inner(ctx, w)
			}
			if !yield(file, nil) {
				return
			}
		}
	}, output.Options{Jobs: 1})
	if !errors.Is(err, reason) {
		t.Errorf("error %v, want %v", err, reason)
	}
	if got := read(t, dir, "spor/index.html"); got != "spor" {
		t.Errorf("the file in work became %q", got)
	}
	publish(t, dir, next)
	checkContents(t, dir, next)
}

// TestAbortedRun: an error of the sequence leaves the published tree as it is,
// and the next run finishes the work.
func TestAbortedRun(t *testing.T) {
	broken := errors.New("the archive is gone")
	fails := func(yield func(output.File, error) bool) { yield(output.File{}, broken) }
	second := tree{"a/new.html": "new", "index.html": "HOME", "spor/index.html": "SPOR", "z.html": "z"}
	third := tree{"index.html": "home", "media/a.jpg": "picture", "z.html": "z"}

	for name, first := range map[string]tree{"a first run": {}, "a later run": small} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "public")
			disk.Write(t, dir, "CNAME", "mine")
			if len(first) > 0 {
				publish(t, dir, first)
			}
			before := contents(t, dir)
			age(t, dir)
			for range 2 {
				err := stopped(t, dir, second, "index.html", fails)
				if !errors.Is(err, broken) || strings.Count(err.Error(), broken.Error()) != 1 {
					t.Fatalf("error %v, want %v, once", err, broken)
				}
				if after := contents(t, dir); !maps.Equal(before, after) || len(touched(t, dir)) > 0 {
					t.Fatalf("the published tree changed: %q", after)
				}
			}
			result := publish(t, dir, third)
			checkContents(t, dir, disk.With(third, tree{"CNAME": "mine"}))
			if result.Files() != len(third) || len(result.Failed) > 0 {
				t.Errorf("result %+v", result)
			}
			checkCounts(t, publish(t, dir, third), counts{unchanged: 3})
		})
	}
}

// checkHidden looks for litter beside the trees.
func checkHidden(t testing.TB, dir string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(filepath.Dir(dir), ".public.ayna"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !slices.Contains([]string{"previous", "state", "lock", "delta", "keys"}, e.Name()) {
			t.Errorf("litter: %s", e.Name())
		}
	}
}

// TestMain also is the process that tests kill.
func TestMain(m *testing.M) {
	testrun.InMemory()
	if dir := os.Getenv("AYNA_PUBLISH_FOR_EVER"); dir != "" {
		for i := 0; ; i++ {
			if _, err := output.Publish(context.Background(), dir, files(numbered(i)), output.Options{Jobs: 4}); err != nil {
				fmt.Println(err)
				os.Exit(1)
			}
		}
	}
	if dir := os.Getenv("AYNA_PUBLISH_C"); dir != "" { // of applyKilled
		runtime.LockOSThread() // strace counts the calls of a thread
		if _, err := output.Publish(context.Background(), dir, files(siteC), output.Options{Jobs: 1, Program: "program"}); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// numbered is a site every file of which says which one it is, and some of
// whose files come and go.
func numbered(i int) tree {
	site := make(tree)
	for n := range 40 {
		site[fmt.Sprintf("folder%d/%d.html", n%5, n)] = fmt.Sprintf("%d\n%s", i, strings.Repeat("text ", n*50))
	}
	site[fmt.Sprintf("new/%d.html", i%3)] = fmt.Sprintf("%d\n", i)
	return site
}

func previousOf(dir string) string {
	return filepath.Join(filepath.Dir(dir), swap.HiddenName(filepath.Base(dir)), "previous")
}

// The sites of tests of applying.
var (
	siteA = disk.With(numbered(0), tree{"gone/deep/a.html": "a", "back.html": "1", "assets/old.css": "old", "folder3/was.html": "a"})
	siteB = disk.With(siteA, tree{"folder1/1.html": "new", "back.html": "2", "gone/deep/a.html": "", "b/c/d.html": "d", "assets/old.css": "", "folder3/was.html": ""})
	siteC = disk.With(siteB, tree{"folder1/6.html": "newer", "back.html": "1", "b/c/d.html": "", "fresh/er/e.html": "e", "folder3/3.html": ""})
)

// TestKilled: a process killed at any moment leaves a whole site.
func TestKilled(t *testing.T) {
	kills := testrun.Counts{Plain: 8, Long: 200}.Now()
	dir := filepath.Join(t.TempDir(), "public")
	random := rand.New(rand.NewPCG(7, 7))
	for n := range kills {
		process := exec.Command(os.Args[0])
		process.Env = append(os.Environ(), "AYNA_PUBLISH_FOR_EVER="+dir)
		var said bytes.Buffer
		process.Stdout = &said
		if err := process.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(10*time.Millisecond + time.Duration(random.IntN(60))*time.Millisecond)
		process.Process.Kill()
		process.Wait()
		if said.Len() > 0 {
			t.Fatalf("kill %d: %s", n, said.String())
		}
		if _, err := os.Stat(dir); err != nil {
			continue // killed before anything was published
		}
		site := contents(t, dir)
		number, _, _ := strings.Cut(site["folder0/0.html"], "\n")
		i, err := strconv.Atoi(number)
		if err != nil {
			t.Fatal(err)
		}
		if !maps.Equal(site, numbered(i)) {
			t.Fatalf("kill %d: the site is not whole", n)
		}
		checkManifest(t, dir)
	}
	publish(t, dir, numbered(0))
	checkContents(t, dir, numbered(0))
	checkHidden(t, dir)
}

// TestRandomEdits: after any edits, also the owner's and with a damaged delta, the tree is what a
// build from nothing makes, byte for byte, and the previous one is whole.
func TestRandomEdits(t *testing.T) {
	seeds := testrun.Counts{Plain: 3, Long: 100}.Now()
	applied, compared := 0, 0
	for seed := range seeds {
		random := rand.New(rand.NewPCG(uint64(seed), 1))
		outer := t.TempDir()
		dir := filepath.Join(outer, "public")
		site := numbered(0)
		foreign := tree{}
		published := 0
		for step := range 20 {
			edit(random, site)
			options := output.Options{Jobs: 1 + random.IntN(4), Fewer: true}
			switch random.IntN(10) {
			case 0: // the owner puts something in, or takes it out
				name := fmt.Sprintf("folder%d/mine%d.txt", random.IntN(3), random.IntN(2))
				if _, there := foreign[name]; there {
					delete(foreign, name)
					os.Remove(filepath.Join(dir, name))
				} else if step > 0 {
					foreign[name] = fmt.Sprint(step)
					disk.Write(t, dir, name, foreign[name])
				}
				if random.IntN(3) > 0 { // some time ago
					os.Chtimes(filepath.Join(dir, path.Dir(name)), past, past)
				}
			case 1: // a run before this one is interrupted
				stopped(t, dir, numbered(seed+100), "folder3/8.html", func(yield func(output.File, error) bool) {
					yield(output.File{}, errRender)
				})
			case 2:
				if published > 1 {
					rollback(t, dir)
				}
			case 3: // in place
				for name := range foreign {
					foreign[name] += "!"
					disk.Write(t, dir, name, foreign[name])
				}
			case 4:
				damage(random, filepath.Join(previousOf(dir), "../delta"))
			case 5:
				options.Verify = func(string) error { return nil }
			}
			before, _ := os.Stat(previousOf(dir))
			result, err := output.Publish(t.Context(), dir, files(site), options)
			if err != nil {
				t.Fatalf("seed %d, step %d: %v", seed, step, err)
			}
			if result.Written+result.Removed > 0 {
				published++
			}
			want := maps.Clone(site)
			maps.Copy(want, foreign)
			if got := contents(t, dir); !maps.Equal(got, want) {
				t.Fatalf("seed %d, step %d: the tree holds %v, want %v", seed, step, slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
			}
			checkManifest(t, dir)
			if previous, err := os.Stat(previousOf(dir)); err == nil {
				checkManifest(t, previousOf(dir))
				compared++
				if now, err := os.Stat(dir); err == nil && before != nil && os.SameFile(now, before) && !os.SameFile(previous, before) {
					applied++
				}
			}
			compared++
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
	t.Logf("%d trees compared, %d made of the previous one", compared, applied)
	if applied == 0 && runtime.GOOS == "linux" {
		t.Error("no build changed the previous tree")
	}
}

// damage flips a bit of a file, or cuts it off.
func damage(random *rand.Rand, file string) {
	content, err := os.ReadFile(file)
	if err != nil || len(content) == 0 {
		return
	}
	at := random.IntN(len(content))
	content[at] ^= 1 << random.IntN(8)
	if random.IntN(3) == 0 {
		content = content[:at]
	}
	os.WriteFile(file, content, 0o644)
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
