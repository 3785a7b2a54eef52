package output_test

import (
	"context"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"ayna/generator/output"
	"ayna/generator/site"
	"ayna/testrun/disk"
)

// keyed is a site whose files have keys: of their contents, unless named in keys. It records
// which were rendered.
type keyed struct {
	tree
	keys     map[string]string
	mu       sync.Mutex
	rendered []string
}

func (k *keyed) files() iter.Seq2[output.File, error] {
	return func(yield func(output.File, error) bool) {
		for file := range files(k.tree) {
			key, named := k.keys[file.Path]
			if !named {
				key = k.tree[file.Path]
			}
			if file.Key = nil; key != "" {
				file.Key = func() site.Digest { return site.Digest([]byte(fmt.Sprintf("%-16.16s", key))) }
			}
			write := file.Write
			file.Write = func(ctx context.Context, w io.Writer) error {
				k.mu.Lock()
				defer k.mu.Unlock()
				k.rendered = append(k.rendered, file.Path)
				return write(ctx, w)
			}
			if !yield(file, nil) {
				return
			}
		}
	}
}

// publish returns which files were rendered.
func (k *keyed) publish(t *testing.T, dir string, o output.Options) (string, output.Result) {
	t.Helper()
	k.rendered = nil
	if o.Program == "" {
		o.Program = "program"
	}
	o.Jobs = 2
	result, err := output.Publish(t.Context(), dir, k.files(), o)
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(k.rendered)
	return strings.Join(k.rendered, " "), result
}

// TestKeys: a file is rendered unless it was published with its key by the same program.
func TestKeys(t *testing.T) {
	start := tree{"a.html": "a", "b.html": "b", "c.html": "c", "d.jpg": "d"}
	const all = "a.html b.html c.html d.jpg"
	fail := func(t *testing.T, err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name     string
		change   func(t *testing.T, dir string, k *keyed)
		options  output.Options
		rendered string
	}{
		{"nothing", func(*testing.T, string, *keyed) {}, output.Options{}, ""},
		{"a file", func(_ *testing.T, _ string, k *keyed) { k.tree["b.html"] = "B" }, output.Options{}, "b.html"},
		{"a key alone", func(_ *testing.T, _ string, k *keyed) { k.keys["b.html"] = "new" }, output.Options{}, "b.html"},
		{"no key", func(t *testing.T, dir string, k *keyed) {
			k.keys["b.html"] = ""
			k.publish(t, dir, output.Options{})
		}, output.Options{}, "b.html"},
		{"a new file", func(_ *testing.T, _ string, k *keyed) { k.tree["aa.html"] = "aa" }, output.Options{}, "aa.html"},
		{"a lost file", func(t *testing.T, dir string, _ *keyed) { fail(t, os.Remove(filepath.Join(dir, "c.html"))) }, output.Options{}, "c.html"},
		{"a file cut short", func(t *testing.T, dir string, _ *keyed) { fail(t, os.Truncate(filepath.Join(dir, "c.html"), 0)) }, output.Options{}, "c.html"},
		{"compression", func(*testing.T, string, *keyed) {}, output.Options{Compress: []string{"gzip"}}, "a.html b.html c.html"},
		{"another program", func(*testing.T, string, *keyed) {}, output.Options{Program: "other"}, all},
		{"all", func(*testing.T, string, *keyed) {}, output.Options{All: true}, all},
		{"distrust", func(t *testing.T, dir string, _ *keyed) { fail(t, output.Distrust(dir)) }, output.Options{}, all},
		{"no keys", func(t *testing.T, dir string, _ *keyed) { fail(t, os.Remove(keysOf(dir))) }, output.Options{}, all},
		{"keys that are a directory", func(t *testing.T, dir string, _ *keyed) {
			fail(t, os.Remove(keysOf(dir)))
			fail(t, os.Mkdir(keysOf(dir), 0o755))
			t.Cleanup(func() { os.Remove(keysOf(dir)) })
		}, output.Options{Whole: func() bool { return false }}, all},
		{"keys of another site", func(t *testing.T, dir string, _ *keyed) {
			other := filepath.Join(t.TempDir(), "public")
			(&keyed{tree: tree{"a.html": "x", "b.html": "b", "c.html": "c", "d.jpg": "d"}}).publish(t, other, output.Options{})
			content, err := os.ReadFile(keysOf(other))
			fail(t, err)
			fail(t, os.WriteFile(keysOf(dir), content, 0o644))
		}, output.Options{}, all},
		{"a rollback", func(t *testing.T, dir string, k *keyed) {
			k.tree["b.html"] = "B"
			k.publish(t, dir, output.Options{})
			fail(t, output.Rollback(dir))
		}, output.Options{}, all},
		{"a part that could not be read", func(t *testing.T, dir string, k *keyed) {
			k.tree["b.html"] = "B"
			k.publish(t, dir, output.Options{Whole: func() bool { return false }})
		}, output.Options{}, all},
		{"a failure", func(t *testing.T, dir string, k *keyed) {
			k.tree["b.html"], k.keys["b.html"] = "!B", "B"
			k.publish(t, dir, output.Options{})
		}, output.Options{}, "b.html"},
		{"a fallback", func(t *testing.T, dir string, k *keyed) {
			k.tree["e.html"], k.keys["e.html"] = "?E", "E"
			k.publish(t, dir, output.Options{})
			k.tree["e.html"] = "E"
		}, output.Options{}, "e.html"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "public")
			k := &keyed{tree: disk.With(start, tree{}), keys: make(map[string]string)}
			k.publish(t, dir, output.Options{})
			c.change(t, dir, k)
			if got, _ := k.publish(t, dir, c.options); got != c.rendered {
				t.Errorf("rendered %q, want %q", got, c.rendered)
			}
			if k.tree["b.html"] != "!B" && len(c.options.Compress) == 0 {
				checkContents(t, dir, k.tree)
			}
		})
	}
}

func keysOf(dir string) string { return filepath.Join(filepath.Dir(dir), ".public.ayna", "keys") }

// TestDamagedKeys: keys with any bit flipped, or cut at any byte, cost time only.
func TestDamagedKeys(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "public")
	k := &keyed{tree: tree{"a.html": "a", "b.html": "b"}}
	k.publish(t, dir, output.Options{})
	sound, err := os.ReadFile(keysOf(dir))
	if err != nil {
		t.Fatal(err)
	}
	for i := range sound {
		flipped := slices.Clone(sound)
		flipped[i] ^= 1 << (i % 8)
		for _, damaged := range [][]byte{flipped, sound[:i]} {
			if err := os.WriteFile(keysOf(dir), damaged, 0o644); err != nil {
				t.Fatal(err)
			}
			if got, _ := k.publish(t, dir, output.Options{}); got != "a.html b.html" {
				t.Fatalf("byte %d: rendered %q", i, got)
			}
		}
	}
	if got, _ := k.publish(t, dir, output.Options{}); got != "" {
		t.Errorf("sound keys: rendered %q", got)
	}
}

// TestLackingKeys: a kept file that is rendered all the same and differs is published, reported,
// and has the next build render all.
func TestLackingKeys(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "public")
	k := &keyed{tree: tree{"a.html": "a"}, keys: make(map[string]string)}
	for i := range 5000 {
		name := fmt.Sprintf("%d.html", i)
		k.tree[name], k.keys[name] = "old", "stays"
	}
	k.publish(t, dir, output.Options{})
	for name := range k.keys {
		k.tree[name] = "new"
	}
	got, result := k.publish(t, dir, output.Options{Inputs: output.Inputs{Key: "inputs"}})
	if n := len(strings.Fields(got)); n == 0 || n > 50 || n != len(result.Differing) || n != result.Written || result.Kept != 5001-n {
		t.Errorf("%d files were rendered, %d reported, %d written, %d kept", n, len(result.Differing), result.Written, result.Kept)
	}
	if s, err := output.Published(dir); err != nil || s.Key != "" {
		t.Errorf("the site counts as up to date: %q, %v", s.Key, err)
	}
	if got, result = k.publish(t, dir, output.Options{}); len(strings.Fields(got)) != 5001 || len(result.Differing) > 0 {
		t.Errorf("the next build rendered %d files, and reports %v", len(strings.Fields(got)), result.Differing)
	}
	checkContents(t, dir, k.tree)
}

// TestStore: values last while builds use them, and are not read when all files are rendered.
func TestStore(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "public")
	k := &keyed{tree: tree{"a.html": "a"}}
	build := func(o output.Options, put bool, key byte) (found string) {
		o.Program, o.Store = "program", new(output.Store)
		_, err := output.Publish(t.Context(), dir, func(yield func(output.File, error) bool) {
			value, _ := o.Store.Get(site.Digest{key})
			if found = string(value); put {
				o.Store.Put(site.Digest{key}, []byte("value"))
			}
			k.files()(yield)
		}, o)
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	for i, step := range []struct {
		options output.Options
		put     bool
		key     byte
		want    string
	}{
		{put: true, key: 1}, {key: 1, want: "value"}, {key: 1, want: "value"}, {options: output.Options{All: true}, put: true, key: 1},
		{key: 1, want: "value"}, {put: true, key: 2}, {key: 1}, {key: 2},
	} {
		if got := build(step.options, step.put, step.key); got != step.want {
			t.Errorf("step %d: %q, want %q", i, got, step.want)
		}
	}
	build(output.Options{}, true, 3)
	name := filepath.Join(filepath.Dir(dir), ".public.ayna", "kept", "03"+strings.Repeat("0", 30))
	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	content[len(content)-1]++
	if err := os.WriteFile(name, content, 0o644); err != nil {
		t.Fatal(err)
	}
	if got := build(output.Options{}, false, 3); got != "" {
		t.Errorf("a damaged value was read: %q", got)
	}
}
