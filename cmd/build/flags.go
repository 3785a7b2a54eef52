package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"

	"ayna/archive"
	"ayna/generator"
	"ayna/generator/output"
)

// settings are the flags.
type settings struct {
	config, out, report     string
	offline, syncOnly, full bool
	probe                   bool
	quiet, verbose          bool
	budget, jobs, allow     int
	forget                  *generator.Forget
	moved                   bool
	imports                 string
	rollback, check         bool
	shard                   output.Shard
	merge                   int
}

func parseFlags(args []string, stderr io.Writer) (settings, error) {
	var s settings
	flags := flag.NewFlagSet("build", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&s.config, "config", "site.yaml", "read the configuration from `FILE`")
	flags.StringVar(&s.out, "out", "", "publish to `DIR` instead of the configuration's output")
	flags.BoolVar(&s.offline, "offline", false, "make no request; publish what the archive holds")
	flags.BoolVar(&s.syncOnly, "sync-only", false, "fill the archive, publish nothing")
	flags.BoolVar(&s.full, "full", false, "list and fetch all records again; what the limits leave of it, later runs do; pictures that are there stay")
	flags.IntVar(&s.allow, "allow-delete", 0, "let this run find up to `N` records of a kind gone at once")
	flags.BoolVar(&s.moved, "moved", false, "the service has moved: use the archive of its old address for source.url from now on")
	flags.BoolVar(&s.probe, "probe", false, "find out what the source can do, print it as a table, keep it for later runs, change nothing else")
	flags.Func("forget", "take the record `KIND/ID` out for good, make no request", s.setForget)
	flags.StringVar(&s.imports, "import", "", "read records that pack has exported to `FILE` as jsonl back into the archive, make no request")
	flags.IntVar(&s.budget, "budget", 0, "make at most `N` requests in this run; 0 is no limit")
	flags.BoolVar(&s.check, "check", false, "check the archive before the build, and the whole site after it")
	flags.BoolVar(&s.rollback, "rollback", false, "bring the previous site back, do nothing else")
	flags.Func("shard", "render share `I/N` of the site (I from 0) into a tree of its own, make no request", s.setShard)
	flags.IntVar(&s.merge, "merge", 0, "publish what `N` shards have rendered, make no request")
	flags.IntVar(&s.jobs, "jobs", runtime.GOMAXPROCS(0), "render `N` files side by side")
	flags.StringVar(&s.report, "report", "", "write the run's report as JSON to `FILE`")
	flags.BoolVar(&s.quiet, "quiet", false, "print no progress and no summary, only errors")
	flags.BoolVar(&s.verbose, "v", false, "print every failure")
	if err := flags.Parse(args); err != nil {
		return s, err
	}
	switch {
	case flags.NArg() > 0:
		return s, fmt.Errorf("unexpected argument %q; flags begin with a hyphen, see -help", flags.Arg(0))
	case s.jobs < 1:
		return s, fmt.Errorf("-jobs %d: at least one is needed", s.jobs)
	case s.allow < 0:
		return s, fmt.Errorf("-allow-delete %d: must not be negative", s.allow)
	case s.budget < 0:
		return s, fmt.Errorf("-budget %d: must not be negative", s.budget)
	case s.merge < 0:
		return s, fmt.Errorf("-merge %d: must not be negative", s.merge)
	}
	return s, s.checkTogether()
}

// asks reports whether requests are made to the source.
func (s *settings) asks() bool {
	return !s.offline && !s.rollback && s.forget == nil && s.imports == "" && s.shard.N == 0 && s.merge == 0
}

// setForget reads the flag -forget.
func (s *settings) setForget(value string) error {
	kind, id, ok := strings.Cut(value, "/")
	switch {
	case !ok || id == "" || !slices.Contains(archive.Kinds, archive.Kind(kind)):
		return errors.New("write it as article/41010101")
	case s.forget != nil:
		return errors.New("one record is forgotten in a run; make one for each")
	}
	s.forget = &generator.Forget{Kind: archive.Kind(kind), ID: id}
	return nil
}

// alone says which flags leave others undone.
var alone = []struct {
	flag, does string
	undone     []string
}{
	{"-rollback", "only brings the previous site back", []string{"-probe", "-sync-only", "-full", "-forget", "-import", "-check", "-shard", "-merge", "-report", "-moved"}},
	{"-probe", "only asks the source what it can do", []string{"-offline", "-sync-only", "-full", "-forget", "-import", "-check", "-shard", "-merge", "-report", "-moved"}},
	{"-shard", "only renders", []string{"-merge", "-sync-only", "-full", "-forget", "-import", "-moved"}},
	{"-merge", "only publishes what shards have rendered", []string{"-sync-only", "-full", "-forget", "-import", "-moved"}},
	{"-sync-only", "publishes nothing, and the site would go on showing the record", []string{"-forget"}},
	{"-sync-only", "publishes nothing, which leaves nothing to do", []string{"-offline"}},
	{"-forget", "makes no request", []string{"-full"}},
	{"-import", "makes no request", []string{"-full"}},
}

// checkTogether refuses flags of which one would leave the other undone.
func (s *settings) checkTogether() error {
	given := map[string]bool{
		"-rollback": s.rollback, "-probe": s.probe, "-shard": s.shard.N > 0, "-merge": s.merge > 0,
		"-offline": s.offline, "-sync-only": s.syncOnly, "-full": s.full, "-check": s.check,
		"-forget": s.forget != nil, "-import": s.imports != "", "-moved": s.moved, "-report": s.report != "",
	}
	for _, a := range alone {
		for _, undone := range a.undone {
			if given[a.flag] && given[undone] {
				return fmt.Errorf("%s %s; leave out %s", a.flag, a.does, undone)
			}
		}
	}
	return nil
}
