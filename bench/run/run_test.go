//go:build linux

package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"ayna/testrun"
)

func TestTable(t *testing.T) {
	seconds := func(walls ...float64) []cost {
		var costs []cost
		for _, wall := range walls {
			costs = append(costs, cost{wall: wall, cpu: 2 * wall, memory: 100 * wall})
		}
		return costs
	}
	tests := map[string]struct {
		table table
		want  string
	}{
		"both, three rounds": {
			table{"2 × CPU", "ayna, hugo", 3, []block{{
				items: 10000, on: "tmpfs",
				costs: map[step][]cost{
					{ayna, first}: seconds(4, 2, 3), {ayna, full}: seconds(1.5, 9, 1), {ayna, unchanged}: seconds(.05, .04, .03), {ayna, added}: seconds(.4, .5, .6), {ayna, edited}: seconds(.3), {ayna, changed}: seconds(.5, .5, .5),
					{hugo, full}: seconds(12, 15, 9), {hugo, unchanged}: seconds(12, 12, 12), {hugo, added}: seconds(13), {hugo, edited}: seconds(12), {hugo, changed}: seconds(1200, 1200, 1200),
				},
				floor: []float64{.2, .1, .15},
				ayna:  tree{files: 11655, bytes: 1_174_400_000}, hugo: tree{files: 999, bytes: 600_000},
			}}},
			`2 × CPU. ayna, hugo. Medians of 3 rounds; memory is the peak.

| items | on | build | ayna s | CPU s | MiB | Hugo s | CPU s | MiB | Hugo ÷ ayna |
|--:|---|---|--:|--:|--:|--:|--:|--:|--:|
| 10,000 | tmpfs | full, first time | 3.00 | 6.00 | 300 | 12.0 | 24.0 | 1200 | 4.00 |
| 10,000 | tmpfs | full | 1.50 | 3.00 | 150 | 12.0 | 24.0 | 1200 | 8.00 |
| 10,000 | tmpfs | nothing changed | 0.040 | 0.080 | 4 | 12.0 | 24.0 | 1200 | 300 |
| 10,000 | tmpfs | 10 new | 0.500 | 1.00 | 50 | 13.0 | 26.0 | 1300 | 26.0 |
| 10,000 | tmpfs | 1 edited | 0.300 | 0.600 | 30 | 12.0 | 24.0 | 1200 | 40.0 |
| 10,000 | tmpfs | 1 % changed | 0.500 | 1.00 | 50 | 1,200 | 2,400 | 120000 | 2,400 |

| items | on | ayna files | MB | Hugo files | MB | write floor s | ayna full ÷ floor |
|--:|---|--:|--:|--:|--:|--:|--:|
| 10,000 | tmpfs | 11,655 | 1,174 | 999 | 1 | 0.150 | 10.0 |
`,
		},
		"ayna alone, no floor": {
			table{"CPU", "ayna", 1, []block{{
				items: 1, on: "disk", costs: map[step][]cost{{ayna, full}: seconds(1)}, ayna: tree{files: 2, bytes: 1_500_000},
			}}},
			`CPU. ayna. One round; memory is the peak.

| items | on | build | ayna s | CPU s | MiB | Hugo s | CPU s | MiB | Hugo ÷ ayna |
|--:|---|---|--:|--:|--:|--:|--:|--:|--:|
| 1 | disk | full, first time | – | – | – | – | – | – | – |
| 1 | disk | full | 1.00 | 2.00 | 100 | – | – | – | – |
| 1 | disk | nothing changed | – | – | – | – | – | – | – |
| 1 | disk | 10 new | – | – | – | – | – | – | – |
| 1 | disk | 1 edited | – | – | – | – | – | – | – |
| 1 | disk | 1 % changed | – | – | – | – | – | – | – |

| items | on | ayna files | MB | Hugo files | MB | write floor s | ayna full ÷ floor |
|--:|---|--:|--:|--:|--:|--:|--:|
| 1 | disk | 2 | 2 | – | – | – | – |
`,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var b strings.Builder
			if err := test.table.write(&b); err != nil {
				t.Fatal(err)
			}
			if b.String() != test.want {
				t.Errorf("got\n%s\nwant\n%s", b.String(), test.want)
			}
		})
	}
}

func TestMedian(t *testing.T) {
	tests := []struct {
		values []float64
		want   float64
	}{{nil, 0}, {[]float64{7}, 7}, {[]float64{3, 1}, 2}, {[]float64{9, 1, 2}, 2}, {[]float64{4, 1, 3, 2}, 2.5}}
	for _, test := range tests {
		if got := median(test.values); got != test.want {
			t.Errorf("median of %v is %g, want %g", test.values, got, test.want)
		}
	}
}

// TestCount: what is a page of an item, and what is not.
func TestCount(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{
		"index.html", "spor/a-48999999.html", "spor/futbol/b-c-48999998.html", "spor/page/48999999.html",
		"yazar/ali-65aa020b0000000000000000/index.html", "spor/a-48999999.md", "etiket/yeni-1.html",
	} {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte("abc"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := count(dir)
	if want := (tree{files: 7, articles: 2, bytes: 21}); got != want || err != nil {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
}

func TestFloorCopiesTheTree(t *testing.T) {
	from, to := t.TempDir(), filepath.Join(t.TempDir(), "to")
	want := map[string]string{"index.html": "home", "spor/index.html": "", "spor/futbol/a.html": "ğ", "spor/futbol/b.html": "b"}
	for name, text := range want {
		name = filepath.Join(from, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	tree, err := load(from)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tree.write(to, 3); err != nil {
		t.Fatal(err)
	}
	written, err := load(to)
	if err != nil || len(written.files) != len(want) {
		t.Errorf("%d files, want %d; %v", len(written.files), len(want), err)
	}
	for _, f := range written.files {
		if text, ok := want[f.name]; !ok || text != string(f.data) {
			t.Errorf("%s holds %q, want %q", f.name, f.data, text)
		}
	}
	if _, err := tree.write(to, 1); err == nil || !strings.Contains(err.Error(), to) {
		t.Errorf("over a tree that is there: %v, want its name", err)
	}
}

func TestMeasured(t *testing.T) {
	c, err := measured(context.Background(), command{program: "sh", args: []string{"-c", "echo $WORD"}, env: []string{"WORD=bir"}})
	if err != nil || c.output != "bir\n" || c.wall <= 0 || c.memory <= 0 {
		t.Errorf("%+v, %v", c, err)
	}
	_, err = measured(context.Background(), command{program: "sh", args: []string{"-c", "echo why >&2; exit 3"}})
	if err == nil || !strings.Contains(err.Error(), "why") {
		t.Errorf("a failing program: %v, want what it said", err)
	}
}

func TestRefusals(t *testing.T) {
	tests := map[string]struct {
		args     []string
		want     string
		compiles bool // the command asks for programs before it sees what is wrong
	}{
		"an argument":          {[]string{"more"}, "more", false},
		"no number":            {[]string{"-items", "1000,many"}, "many", false},
		"no items":             {[]string{"-items", "0"}, "-items 0", false},
		"no rounds":            {[]string{"-rounds", "0"}, "-rounds 0", false},
		"another tool":         {[]string{"-tools", "ayna,jekyll"}, "jekyll", false},
		"an ayna not there":    {[]string{"-ayna", "none", "-tools", "ayna"}, "none", true},
		"a place not there":    {[]string{"-in", "none", "-tools", "ayna", "-ayna", "/proc/self/exe"}, "none", true},
		"a program that fails": {[]string{"-items", "1", "-in", t.TempDir(), "-tools", "ayna", "-ayna", "/proc/self/exe", "-rounds", "1"}, "--offline", true},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if test.compiles {
				testrun.NeedsLong(t, "compiles the programs to measure")
			}
			var stdout bytes.Buffer
			err := run(context.Background(), test.args, &stdout, io.Discard)
			if err == nil || !strings.Contains(err.Error(), test.want) || stdout.Len() > 0 {
				t.Errorf("%v, want %q and no table", err, test.want)
			}
		})
	}
}

// TestMemory: the size of this process is not the child's.
func TestMemory(t *testing.T) {
	testrun.NotShort(t)
	ballast := bytes.Repeat([]byte{1}, 256<<20)
	var c cost
	var err error
	for seconds := 1; seconds < 100; seconds *= 4 { // a busy machine may not see a process that ends soon
		c, err = measured(t.Context(), command{program: "sleep", args: []string{fmt.Sprint(float64(seconds) / 10)}})
		if err != nil || c.memory > 0 && c.memory <= 64 {
			break
		}
	}
	if err != nil || c.memory <= 0 || c.memory > 64 {
		t.Errorf("%.0f MiB, %v", c.memory, err)
	}
	runtime.KeepAlive(ballast)
}
