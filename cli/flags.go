package cli

import (
	"cmp"
	"errors"
	"fmt"
	"runtime"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// settings are the values of all flags: here those of many commands, and a struct for those of
// each command, which stands beside its spec.
type settings struct {
	configFile, out, report string
	quiet, verbose          bool
	offline, check, sample  bool
	json                    bool
	jobs                    int
	fetchFlags
	forgetFlags
	partFlags
	serveFlags
	initFlags
}

// flags defines every flag. A command takes those that its spec names.
func (s *settings) flags() *pflag.FlagSet {
	f := pflag.NewFlagSet("", pflag.ContinueOnError)
	f.StringVar(&s.configFile, "config", "site.yaml", "read the configuration from `FILE`")
	f.StringVar(&s.out, "out", "", "publish to `DIR` instead of the configuration's output")
	f.StringVar(&s.report, "report", "", "write a report of the run as JSON to `FILE`, whose folder must be writable")
	f.BoolVar(&s.quiet, "quiet", false, "print no progress and no summary, only errors")
	f.BoolVarP(&s.verbose, "verbose", "v", false, "print every failure")
	f.BoolVar(&s.offline, "offline", false, "send no request; publish what the archive holds")
	f.BoolVar(&s.check, "check", false, "check the archive before the build, and the whole site after it")
	f.BoolVar(&s.sample, "sample", false, "serve the built-in news service, without any files")
	f.BoolVar(&s.json, "json", false, "print JSON")
	f.IntVar(&s.jobs, "jobs", runtime.GOMAXPROCS(0), "render `N` files side by side")
	f.Lookup("jobs").DefValue = "number of processors"
	s.fetchFlags.define(f)
	s.forgetFlags.define(f)
	s.partFlags.define(f)
	s.serveFlags.define(f)
	s.initFlags.define(f)
	return f
}

// flagError describes an unknown flag. It does not print its value, which may be a key.
func flagError(cmd *cobra.Command, err error) error {
	unknown := (*pflag.NotExistError)(nil)
	if !errors.As(err, &unknown) {
		return err
	}
	name, _, _ := strings.Cut(cmp.Or(unknown.GetSpecifiedShortnames(), unknown.GetSpecifiedName()), "=")
	if cmd.Flags().Lookup(name) != nil {
		return fmt.Errorf("-%s has one dash; write --%s", name, name)
	}
	known := &cobra.Command{SuggestionsMinimumDistance: 2} // cobra suggests names of commands alone
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		known.AddCommand(&cobra.Command{Use: f.Name, Run: func(*cobra.Command, []string) {}})
	})
	if near := known.SuggestionsFor(name); len(near) > 0 {
		return fmt.Errorf("unknown flag: --%s; nearest: --%s", name, strings.Join(near, ", --"))
	}
	return fmt.Errorf("unknown flag: --%s", name)
}
