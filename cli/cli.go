// Package cli is the command line: the program ayna with its commands, and its
// command build as a program of its own.
package cli

import (
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
	"github.com/spf13/pflag"

	"ayna/generator/config"
)

// app is one run of the program: its output, its flags and its exit code.
type app struct {
	stdout, stderr io.Writer
	name           string // of the command, which begins every message
	settings
	config *config.Config // nil until it is loaded
	code   int
}

// Ayna runs the program ayna and returns its exit code.
func Ayna(args []string, stdout, stderr io.Writer) int {
	a := &app{stdout: stdout, stderr: stderr}
	return a.execute(a.root(), args)
}

// Build runs the command build of ayna as a program of its own.
func Build(args []string, stdout, stderr io.Writer) int {
	a := &app{stdout: stdout, stderr: stderr}
	return a.execute(a.command(buildSpec), args)
}

// spec describes a command. Its arguments are the words after the first of use.
type spec struct {
	use, short, long, example string
	flags                     string      // names
	usage                     [][2]string // name and text of flags that mean something else here
	mode                      string      // the flag of build that does the same; the argument is its value
	run                       func(a *app, args []string) int
}

// groups are the commands of ayna as --help lists them.
var groups = []struct {
	title string
	specs []spec
}{
	{"Mirror:", []spec{buildSpec, syncSpec, probeSpec, serveSpec}},
	{"Keep:", []spec{checkSpec, forgetSpec, rollbackSpec, exportSpec, importSpec, packSpec}},
	{"One site, several processes:", []spec{shardSpec, mergeSpec}},
}

// root is the command ayna.
func (a *app) root() *cobra.Command {
	cobra.EnableCommandSorting = false // groups have an order of their own
	root := &cobra.Command{
		Use:   "ayna COMMAND",
		Short: "Mirror a news service into an archive and a static site",
	}
	for _, group := range groups {
		root.AddGroup(&cobra.Group{ID: group.title, Title: group.title})
		for _, s := range group.specs {
			cmd := a.command(s)
			cmd.GroupID = group.title
			root.AddCommand(cmd)
		}
	}
	root.AddCommand(a.command(versionSpec), &cobra.Command{
		Use: "man DIR", Short: "Write the manual pages into a folder", Hidden: true, Args: checkArgs,
		RunE: func(_ *cobra.Command, args []string) error {
			root.DisableAutoGenTag = true
			return errors.Join(os.MkdirAll(args[0], 0o755), doc.GenManTree(root, &doc.GenManHeader{Section: "1", Source: "ayna"}, args[0]))
		},
	})
	root.SetHelpCommand(&cobra.Command{Hidden: true}) // execute knows help
	root.InitDefaultCompletionCmd()
	return root
}

func (a *app) command(s spec) *cobra.Command {
	cmd := &cobra.Command{Use: s.use, Short: s.short, Long: s.long, Example: s.example, Args: checkArgs}
	all := a.settings.flags()
	for name := range strings.FieldsSeq(s.flags) {
		cmd.Flags().AddFlag(all.Lookup(name))
	}
	for _, u := range s.usage {
		all.Lookup(u[0]).Usage = u[1]
	}
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		a.name = cmd.Name()
		if s.mode != "" {
			value := "true"
			if len(args) > 0 {
				value = args[0]
			}
			if err := all.Lookup(s.mode).Value.Set(value); err != nil {
				return fmt.Errorf("%s: %w", value, err)
			}
		}
		a.code = s.run(a, args)
		return nil
	}
	return cmd
}

// checkArgs accepts as many arguments as the usage line of the command names.
func checkArgs(cmd *cobra.Command, args []string) error {
	wanted := strings.Fields(cmd.Use)[1:]
	switch {
	case len(args) > len(wanted):
		return fmt.Errorf("unexpected argument %q; flags begin with a hyphen", args[len(wanted)])
	case len(args) < len(wanted):
		return fmt.Errorf("%s is missing", wanted[len(args)])
	case slices.Contains(args, ""):
		return fmt.Errorf("%s is empty", wanted[slices.Index(args, "")])
	}
	return nil
}

// execute runs a program. Wrong usage is reported here, once.
func (a *app) execute(root *cobra.Command, args []string) int {
	log.SetOutput(io.Discard) // net/http logs parts of answers, which may hold the key
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(50) // 10,000 items take 95 MiB instead of 108, at the same CPU time
	}
	root.SilenceErrors, root.SilenceUsage, root.DisableSuggestions = true, true, true
	root.SuggestionsMinimumDistance = 2
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	root.SetHelpFunc(printHelp)
	root.SetFlagErrorFunc(flagError)

	switch {
	case !root.HasSubCommands() || len(args) == 0:
	case args[0] == "help":
		args = append(slices.Clone(args[1:]), "--help")
	case args[0] == "-version" || args[0] == "--version":
		args = []string{"version"}
	}
	if !slices.ContainsFunc(args[:min(1, len(args))], isCompletion) {
		cmd, _, err := root.Find(args)
		switch {
		case err != nil && strings.HasPrefix(args[0], "-"):
			flag, _, _ := strings.Cut(args[0], "=")
			return a.misused(root, fmt.Errorf("%s: flags follow the command", flag))
		case err != nil:
			return a.misused(root, didYouMean(fmt.Errorf("unknown command %q", args[0]), root.SuggestionsFor(args[0])))
		}
		cmd.InitDefaultHelpFlag()
		args = twoDashes(cmd.Flags(), args)
	}
	root.SetArgs(args)
	if cmd, err := root.ExecuteC(); err != nil {
		return a.misused(cmd, err)
	}
	return a.code
}

func isCompletion(word string) bool {
	return word == cobra.ShellCompRequestCmd || word == cobra.ShellCompNoDescRequestCmd
}

func (a *app) misused(cmd *cobra.Command, err error) int {
	a.name = cmd.Name()
	return a.complainWith(exitUsage, err, "see "+cmd.CommandPath()+" --help")
}

// twoDashes gives flags with one dash, as scripts write them, the second one
// that pflag wants. Values of flags stay as they are.
func twoDashes(flags *pflag.FlagSet, args []string) []string {
	var changed []string
	for i := 0; i < len(args); i++ {
		arg := args[i]
		if arg == "--" {
			return append(changed, args[i:]...)
		}
		name, value, hasValue := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(arg, "-"), "-"), "=")
		flag := flags.Lookup(name)
		if len(name) == 1 {
			flag = flags.ShorthandLookup(name)
		}
		switch {
		case !strings.HasPrefix(arg, "-") || flag == nil:
			changed = append(changed, arg)
		case !hasValue && flag.NoOptDefVal == "" && i+1 < len(args):
			i++
			changed = append(changed, "--"+flag.Name+"="+args[i])
		case hasValue:
			changed = append(changed, "--"+flag.Name+"="+value)
		default:
			changed = append(changed, "--"+flag.Name)
		}
	}
	return changed
}

// flagError names the flags that an unknown one may stand for.
func flagError(cmd *cobra.Command, err error) error {
	unknown := (*pflag.NotExistError)(nil)
	if !errors.As(err, &unknown) {
		return err
	}
	name := unknown.GetSpecifiedName()
	if letters := unknown.GetSpecifiedShortnames(); letters != "" {
		name, _, _ = strings.Cut(letters, "=")
	}
	// Cobra compares names of commands only.
	like := &cobra.Command{SuggestionsMinimumDistance: 2}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		like.AddCommand(&cobra.Command{Use: f.Name, Run: func(*cobra.Command, []string) {}})
	})
	var names []string
	for _, suggested := range like.SuggestionsFor(name) {
		names = append(names, "--"+suggested)
	}
	return didYouMean(fmt.Errorf("flag provided but not defined: -%s", name), names)
}

func didYouMean(err error, names []string) error {
	if len(names) == 0 {
		return err
	}
	return fmt.Errorf("%w; did you mean %s?", err, strings.Join(names, " or "))
}

// printHelp prints the help of a command; that of ayna fits a screen.
func printHelp(cmd *cobra.Command, _ []string) {
	w := cmd.OutOrStdout()
	text := cmd.Long
	if text == "" {
		text = cmd.Short
	}
	fmt.Fprintf(w, "%s.\n\nusage: %s\n", strings.TrimSuffix(strings.TrimSpace(text), "."), cmd.UseLine())
	if cmd.HasExample() {
		fmt.Fprintf(w, "\nfor example:\n%s\n", cmd.Example)
	}
	list := func(group, title string) {
		fmt.Fprintln(w, title)
		for _, sub := range cmd.Commands() {
			if sub.GroupID == group && sub.IsAvailableCommand() {
				fmt.Fprintf(w, "  %-11s %s\n", sub.Name(), sub.Short)
			}
		}
	}
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintln(w)
		for _, group := range cmd.Groups() {
			list(group.ID, group.Title)
		}
		list("", "More:")
		fmt.Fprintf(w, "\nsee %s COMMAND --help\n", cmd.CommandPath())
		return
	}
	fmt.Fprintf(w, "\nflags:\n%s", cmd.LocalFlags().FlagUsagesWrapped(110))
}
