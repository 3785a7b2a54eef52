//go:build linux

// Run builds the same newspaper with ayna and with Hugo in turn, and prints a table
// of their time and memory.
//
//	go run ./bench/run                                        # 1,000 items in memory: a minute or two
//	go run ./bench/run -items 1000,10000,100000 -in /dev/shm,/var/tmp -rounds 5
//	go run ./bench/run -items 1000000 -in /var/tmp -rounds 1 -tools ayna
//
// A round begins with a fresh copy of the newspaper (command corpus) and makes
// these builds of it:
//
//   - first: ayna, with an archive that was never rendered
//   - unchanged: again, with nothing to do
//   - added: again, after ten items were added, the newest ones
//   - edited: again, after an edit of the text of one item, of middle age
//   - changed: again, after edits to 1 % of the items, of all ages; a quarter of
//     them have a new headline
//   - full: the whole edited site, into an empty directory; ayna's archive has the
//     cleaned texts of the builds before. Hugo's is its first build
//
// Both sites must have a page for each item after each build. The floor is the
// time for writing ayna's files from memory.
//
// Wall time, CPU time (user and system) and peak memory are the kernel's figures
// for each process. The disk is synced before each step.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "run:", err)
		stop()
		os.Exit(1)
	}
}

// settings are the flags.
type settings struct {
	items  []int
	dirs   []string // to work in
	rounds int
	tools  []string
	ayna   string
	hugo   string
}

func parseFlags(args []string, stderr io.Writer) (settings, error) {
	var s settings
	flags := flag.NewFlagSet("run", flag.ContinueOnError)
	flags.SetOutput(stderr)
	items := flags.String("items", "1000", "sizes of the newspapers, a `LIST` of numbers of items")
	dirs := flags.String("in", "/dev/shm", "work in these directories, a `LIST`")
	tools := flags.String("tools", "ayna,hugo", "measure these programs, a `LIST`")
	flags.IntVar(&s.rounds, "rounds", 3, "make `N` rounds; the table shows their medians")
	flags.StringVar(&s.ayna, "ayna", "", "use the ayna (cmd/build) at `FILE`; default: compile this module")
	flags.StringVar(&s.hugo, "hugo", "", "use the Hugo at `FILE`; default: install "+hugoVersion+" in the user's cache")
	if err := flags.Parse(args); err != nil {
		return s, err
	}
	s.dirs, s.tools = strings.Split(*dirs, ","), strings.Split(*tools, ",")
	for _, text := range strings.Split(*items, ",") {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			return s, fmt.Errorf("-items %s: %q is not a number of items", *items, text)
		}
		s.items = append(s.items, n)
	}
	for _, tool := range s.tools {
		if tool != ayna && tool != hugo {
			return s, fmt.Errorf("-tools %s: must be ayna, hugo or both", *tools)
		}
	}
	switch {
	case flags.NArg() > 0:
		return s, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	case s.rounds < 1:
		return s, fmt.Errorf("-rounds %d: must be at least 1", s.rounds)
	}
	return s, nil
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	s, err := parseFlags(args, stderr)
	if err != nil {
		return err
	}
	bin, err := os.MkdirTemp("", "ayna-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(bin)
	p, err := install(ctx, bin, s)
	if err != nil {
		return err
	}
	var blocks []block
	for _, items := range s.items {
		for _, parent := range s.dirs {
			b, err := measure(ctx, s, p, items, parent, stderr)
			if err != nil {
				return fmt.Errorf("%d items in %s: %w", items, parent, err)
			}
			blocks = append(blocks, b)
		}
	}
	return table{machine: machine(), versions: p.versions, rounds: s.rounds, blocks: blocks}.write(stdout)
}

// measure makes the rounds over one newspaper in a directory below parent.
func measure(ctx context.Context, s settings, p programs, items int, parent string, progress io.Writer) (block, error) {
	kind, err := fileSystem(parent)
	if err != nil {
		return block{}, err
	}
	dir, err := os.MkdirTemp(parent, "ayna-bench-")
	if err != nil {
		return block{}, err
	}
	defer os.RemoveAll(dir)
	b := block{items: items, on: kind, costs: make(map[step][]cost)}
	r := rounds{programs: p, items: items, block: &b, progress: progress,
		paper: filepath.Join(dir, "paper"), work: filepath.Join(dir, "work"),
		ayna: slices.Contains(s.tools, ayna), hugo: slices.Contains(s.tools, hugo)}
	if err := r.makePaper(ctx); err != nil {
		return b, err
	}
	for n := range s.rounds {
		fmt.Fprintf(progress, "%d items on %s, round %d of %d\n", items, kind, n+1, s.rounds)
		if err := r.round(ctx, n+1); err != nil {
			return b, err
		}
	}
	return b, nil
}
