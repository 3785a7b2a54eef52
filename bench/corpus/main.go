// Corpus generates a newspaper of any size, as an archive for ayna and as a Hugo
// site with the same content. The same seed and number of items give the same
// newspaper on every machine.
//
//	go run ./bench/corpus -items 10000 -archive DIR/archive.db -hugo DIR/hugo
//	go run ./bench/corpus -items 10000 -archive DIR/archive.db -hugo DIR/hugo -change 1 -seed2 7
//
// The first command generates both, and a site.yaml beside the archive; the
// second edits one percent of the items in both. With -hold 10 the first one leaves
// out the ten newest items, and -add 10 adds these. Memory hardly grows with the
// number of items: an item is computed from its number and dropped once written.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
)

func main() { os.Exit(run(os.Args[1:], os.Stderr)) }

// settings are the flags.
type settings struct {
	items         int
	seed, seed2   uint64
	archive, hugo string
	change        float64 // percent of the items that are edited
	text          int     // number of an item that gets another text
	hold, add     int     // newest items to leave out, or to add
}

// isNew reports whether the newspaper is generated, not changed.
func (s settings) isNew() bool { return s.change == 0 && s.text < 0 && s.add == 0 }

func parseFlags(args []string, stderr io.Writer) (settings, error) {
	var s settings
	flags := flag.NewFlagSet("corpus", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.IntVar(&s.items, "items", 1000, "make `N` items")
	flags.Uint64Var(&s.seed, "seed", 1, "make the newspaper of this `NUMBER`")
	flags.StringVar(&s.archive, "archive", "", "write the archive `FILE`, and site.yaml beside it")
	flags.StringVar(&s.hugo, "hugo", "", "write a Hugo site to `DIR`")
	flags.Float64Var(&s.change, "change", 0, "edit `PERCENT` of the items of a newspaper that is there")
	flags.IntVar(&s.text, "text", -1, "edit the text of the item of this `NUMBER`, of a newspaper that is there; 0 is the newest")
	flags.IntVar(&s.hold, "hold", 0, "leave out the `N` newest items")
	flags.IntVar(&s.add, "add", 0, "add the `N` newest items to a newspaper that is there")
	flags.Uint64Var(&s.seed2, "seed2", 1, "make the edits of this `NUMBER`")
	if err := flags.Parse(args); err != nil {
		return s, err
	}
	switch {
	case flags.NArg() > 0:
		return s, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	case s.archive == "" && s.hugo == "":
		return s, errors.New("nothing to do: give -archive, -hugo or both")
	case s.items < 1 || s.items > mostItems:
		return s, fmt.Errorf("-items %d: must be from 1 to %d", s.items, mostItems)
	case min(s.hold, s.add) < 0 || max(s.hold, s.add, s.text) >= s.items:
		return s, fmt.Errorf("-hold, -add and -text: must be from 0 to %d", s.items-1)
	case s.change < 0 || s.change > 100:
		return s, fmt.Errorf("-change %g: must be from 0 to 100", s.change)
	}
	return s, nil
}

func run(args []string, stderr io.Writer) int {
	s, err := parseFlags(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	if err == nil {
		err = write(context.Background(), s)
	}
	if err != nil {
		fmt.Fprintln(stderr, "corpus:", err)
		return 1
	}
	return 0
}

// write generates the newspaper or edits its items.
func write(ctx context.Context, s settings) error {
	paper := newPaper(s.seed, s.items)
	orders := paper.between(s.hold, s.items)
	switch {
	case s.change > 0:
		orders = paper.edited(s.hold, s.seed2, s.change/100)
	case s.text >= 0:
		orders = paper.withText(s.text, s.seed2)
	case s.add > 0:
		orders = paper.between(0, s.add)
	}
	if s.archive != "" {
		if err := writeArchive(ctx, s, paper, orders); err != nil {
			return err
		}
	}
	if s.hugo != "" {
		return writeHugo(s, paper, orders)
	}
	return nil
}
