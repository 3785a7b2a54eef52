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

// settings are the values of all flags.
type settings struct {
	configFile, out, report string
	offline, full, moved    bool
	check, quiet, verbose   bool
	budget, jobs            int
	allowDelete             int
	path, month             string
	writer, search          string
	addr, keyName           string
	sample, open            bool
	healthcheck             bool
	title, baseURL, folders string
	language, timezone      string
	keyEnv, keyFile         string
	yes, keepRemoved        bool
	absent, undo            bool
}

// flags defines every flag. A command takes those that its spec names.
func (s *settings) flags() *pflag.FlagSet {
	f := pflag.NewFlagSet("", pflag.ContinueOnError)
	f.StringVar(&s.configFile, "config", "site.yaml", "read the configuration from `FILE`")
	f.StringVar(&s.out, "out", "", "publish to `DIR` instead of the configuration's output")
	f.BoolVar(&s.offline, "offline", false, "send no request; publish what the archive holds")
	f.BoolVar(&s.full, "full", false, "list and fetch all records again, over several runs if the limits require it; keep pictures")
	f.IntVar(&s.budget, "budget", 0, "send at most `N` requests in this run; 0 is no limit")
	f.IntVar(&s.jobs, "jobs", runtime.GOMAXPROCS(0), "render `N` files side by side")
	f.Lookup("jobs").DefValue = "number of processors"
	f.IntVar(&s.allowDelete, "allow-delete", 0, "delete up to `N` records of a kind at once if the source has removed them")
	f.BoolVar(&s.moved, "moved", false, "the service has moved: use the archive of its old address for source.url from now on")
	f.BoolVar(&s.check, "check", false, "check the archive before the build, and the whole site after it")
	f.BoolVar(&s.absent, "absent", false, "forget a record that the archive never had, so that it is never stored")
	f.BoolVar(&s.undo, "undo", false, "take the record off the list of forgotten records; it comes back when the source lists it")
	f.StringVar(&s.report, "report", "", "write a report of the run as JSON to `FILE`, whose folder must be writable")
	f.BoolVar(&s.quiet, "quiet", false, "print no progress and no summary, only errors")
	f.BoolVarP(&s.verbose, "verbose", "v", false, "print every failure")

	f.StringVar(&s.path, "path", "", "only the folder `PATH`, as /ekonomi/, and its sub-folders")
	f.StringVar(&s.month, "month", "", "only what was published in the `MONTH`, as 2026-09")
	f.StringVar(&s.writer, "writer", "", "only items of the writer `NAME`, or of the directory that the writer's page has")
	f.StringVar(&s.search, "search", "", "only items that the saved search `TITLE` finds")
	f.StringVar(&s.addr, "addr", "127.0.0.1:8080", "listen at `HOST:PORT`, or at a port of this machine; 0 picks a free one")
	f.StringVar(&s.keyName, "api-key-env", "", "require the API key in the environment variable `NAME` of clients of /v1/")
	f.BoolVar(&s.sample, "sample", false, "serve the built-in news service, without any files")
	f.BoolVar(&s.open, "open", false, "serve other machines without an API key")
	f.BoolVar(&s.healthcheck, "healthcheck", false, "ask the server at --addr whether it answers, and end with 0 or 1; for containers")

	f.StringVar(&s.title, "title", "", "`TITLE` of the site; by default the name of the source, or its host")
	f.StringVar(&s.baseURL, "base-url", "", "`URL` where the site will be served; by default that of ayna serve")
	f.StringVar(&s.language, "language", "", "`LANGUAGE` of the pages, as tr, de or pt-BR; by default that of the source")
	f.StringVar(&s.timezone, "timezone", "", "time `ZONE`; by default that of the source, or of this machine")
	f.StringVar(&s.folders, "folders", "", "mirror only the folders `PATHS`, as /spor/,/ekonomi/")
	f.StringVar(&s.keyEnv, "key-env", "", "the API key is, or will be, in the environment variable `NAME`; by default AYNA_API_KEY, if the source asks for a key")
	f.StringVar(&s.keyFile, "key-file", "", "the API key is in `FILE`")
	f.BoolVar(&s.keepRemoved, "keep-removed", false, "keep what is deleted at a site of WordPress or Ghost; by default it goes from the mirror, too")
	f.BoolVar(&s.yes, "yes", false, "ask nothing; take defaults for what no flag gives")
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
