//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
)

// The programs that are measured.
const (
	ayna = "ayna"
	hugo = "hugo"
)

// step is a build that is measured in each round.
type step struct{ tool, build string }

// The builds, in the order of a round.
const (
	first     = "first"
	unchanged = "unchanged"
	second    = "second" // not in the table: from then on a site has two trees, which builds change in turn
	added     = "added"
	edited    = "edited"
	changed   = "changed"
	full      = "full"
)

// newItems is how many items are added before the builds "added".
const newItems = 10

// changedShare is the percentage of items that are edited before the builds from
// "changed" on.
const changedShare = "1"

// rounds measures builds of one newspaper.
type rounds struct {
	programs
	items       int    // before some are added
	isAdded     bool   // these are there
	paper, work string // the newspaper, and the copy that a round works on
	away        int    // number of directories put away
	ayna, hugo  bool
	block       *block
	progress    io.Writer
}

// corpus runs the command corpus for the newspaper in dir.
func (r *rounds) corpus(ctx context.Context, dir string, args ...string) error {
	args = append(args, "-items", strconv.Itoa(r.items+newItems))
	if r.ayna {
		args = append(args, "-archive", filepath.Join(dir, "archive.db"))
	}
	if r.hugo {
		args = append(args, "-hugo", filepath.Join(dir, "hugo"))
	}
	_, err := measured(ctx, command{program: r.programs.corpus, args: args})
	return err
}

func (r *rounds) makePaper(ctx context.Context) error {
	if err := os.Mkdir(r.paper, 0o755); err != nil {
		return err
	}
	hold := strconv.Itoa(newItems)
	if err := r.corpus(ctx, r.paper, "-hold", hold); err != nil {
		return err
	}
	// Each living paper has corrections; the first ones would add their page to all menus.
	return r.corpus(ctx, r.paper, "-hold", hold, "-change", "0.1", "-seed2", "0")
}

// steps are the builds of a round, the two programs in turn.
var steps = []step{
	{ayna, first}, {hugo, full}, {ayna, unchanged}, {hugo, unchanged},
	{ayna, second}, {ayna, added}, {hugo, added}, {ayna, edited}, {hugo, edited},
	{ayna, changed}, {hugo, changed}, {ayna, full},
}

// edit makes the edits that come before the builds of a name, in the round of a number.
func (r *rounds) edit(ctx context.Context, build string, number int) error {
	switch build {
	case second:
		return r.corpus(ctx, r.work, "-text", strconv.Itoa(newItems+r.items/3))
	case added:
		r.isAdded = true
		return r.corpus(ctx, r.work, "-add", strconv.Itoa(newItems))
	case edited:
		return r.corpus(ctx, r.work, "-text", strconv.Itoa(newItems+r.items/2), "-seed2", strconv.Itoa(number))
	case changed:
		return r.corpus(ctx, r.work, "-change", changedShare, "-seed2", strconv.Itoa(number))
	}
	return nil
}

// round makes each build once.
func (r *rounds) round(ctx context.Context, number int) error {
	if err := r.putAway(r.work); err != nil {
		return err
	}
	if err := os.CopyFS(r.work, os.DirFS(r.paper)); err != nil {
		return fmt.Errorf("copy the newspaper: %w", err)
	}
	done := map[string]bool{full: true} // edits
	r.isAdded = false
	for _, s := range steps {
		if s.tool == ayna && !r.ayna || s.tool == hugo && !r.hugo {
			continue
		}
		if !done[s.build] {
			if err := r.edit(ctx, s.build, number); err != nil {
				return err
			}
			done[s.build] = true
		}
		if err := r.build(ctx, s); err != nil {
			return fmt.Errorf("%s, build %q: %w", s.tool, s.build, err)
		}
	}
	return r.floor()
}

// build makes one build and records its cost.
func (r *rounds) build(ctx context.Context, s step) error {
	out := r.out(s.tool)
	if s.build == first || s.build == full {
		// ayna keeps earlier trees beside the published one.
		if err := errors.Join(r.putAway(filepath.Dir(out)), os.Mkdir(filepath.Dir(out), 0o755)); err != nil {
			return err
		}
	}
	c := command{dir: r.work, program: r.programs.ayna, args: []string{"--offline", "--quiet", "--out", out}}
	if s.tool == hugo {
		c.program, c.args = r.programs.hugo, []string{"build", "--quiet", "--source", "hugo", "--destination", out}
	}
	cost, err := measured(ctx, c)
	if err != nil {
		return err
	}
	tree, err := count(out)
	if err != nil {
		return err
	}
	items := r.items
	if r.isAdded {
		items += newItems
	}
	if tree.articles != items {
		return fmt.Errorf("the site has pages of %d items, not of %d", tree.articles, items)
	}
	r.block.costs[s] = append(r.block.costs[s], cost)
	if s.tool == ayna {
		r.block.ayna = tree
	} else {
		r.block.hugo = tree
	}
	fmt.Fprintf(r.progress, "  %-5s %-9s %8.2f s %8.2f s CPU %6.0f MiB\n", s.tool, s.build, cost.wall, cost.cpu, cost.memory)
	return nil
}

// out is the directory that a tool publishes to, in a directory of its own.
func (r *rounds) out(tool string) string { return filepath.Join(r.work, "out-"+tool, "public") }

// putAway frees a name. On a disk it only renames the directory: for minutes after
// many files were removed, creating others takes much longer.
func (r *rounds) putAway(name string) error {
	if r.block.on == tmpfs {
		return os.RemoveAll(name)
	}
	r.away++
	err := os.Rename(name, filepath.Join(filepath.Dir(r.paper), "away-"+strconv.Itoa(r.away)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// tree has the size of a built site.
type tree struct {
	files, articles int
	bytes           int64
}

// articlePage matches the file names of items' pages in either site: they end
// with the item's id.
var articlePage = regexp.MustCompile(`-[0-9]{8}\.html$`)

func count(dir string) (tree, error) {
	var t tree
	err := filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		t.files++
		t.bytes += info.Size()
		if articlePage.MatchString(name) {
			t.articles++
		}
		return nil
	})
	return t, err
}
