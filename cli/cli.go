// Package cli runs the command line: arguments go in; results on stdout, progress and
// errors on stderr, and an exit code come out. It has the program ayna with its commands,
// and the command build as a program of its own. Only this package prints, reads the
// environment or handles signals.
//
// Begin with the specs of the commands in build.go. exit.go has the exit codes and
// hints, console.go what a run prints.
package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	_ "golang.org/x/crypto/x509roots/fallback" // for machines without certificate roots

	"ayna/generator/config"
)

// app is one run of the program.
type app struct {
	Surroundings
	stdout, stderr io.Writer
	columns        int    // of the terminal at stdout; 0 without one
	serveCommand   string // the command that serves the site, as the summary names it

	spec   spec               // of the command
	name   string             // of the command, which begins every message
	help   string             // hint that names the command's help
	config *config.Config     // nil until it is loaded
	paths  []config.NamedPath // that flags and arguments name
	code   int                // exit code of the command
	settings
}

// Ayna runs the program ayna and returns its exit code.
func Ayna(args []string, stdout, stderr io.Writer) int {
	return Surroundings{}.Ayna(args, stdout, stderr)
}

// Surroundings are what tests replace.
type Surroundings struct {
	Now   func() time.Time        // nil is time.Now
	Hosts map[string]http.Handler // that answer in this process instead of the network
}

// Ayna is the function [Ayna] in these surroundings.
func (s Surroundings) Ayna(args []string, stdout, stderr io.Writer) int {
	a := &app{Surroundings: s, stdout: stdout, stderr: stderr, columns: columnsOf(stdout), serveCommand: "ayna serve"}
	return a.execute(a.root(), args)
}

// Root returns the command ayna, for its manual pages.
func Root() *cobra.Command { return (&app{}).root() }

// Build runs the command build of ayna as a program of its own.
func Build(args []string, stdout, stderr io.Writer) int {
	a := &app{stdout: stdout, stderr: stderr, columns: columnsOf(stdout), serveCommand: "go run ./cmd/ayna serve"}
	return a.execute(a.command(buildSpec), args)
}

// spec describes a command, which takes one argument if use has a second word.
type spec struct {
	use, short, long, example string
	flags                     string            // names
	usage                     map[string]string // of flags that mean something else here
	watched                   bool              // notify reports its runs
	choices                   []string          // for the argument, which shells complete
	slashed                   bool              // more follows a choice
	run                       func(ctx context.Context, a *app, argument string) int
}

// takes reports whether the command has a flag. The commands that fetch records are those with
// --budget.
func (s spec) takes(flag string) bool { return slices.Contains(strings.Fields(s.flags), flag) }

// groups are the commands of ayna as --help lists them.
var groups = []struct {
	title string
	specs []spec
}{
	{"Mirror:", []spec{initSpec, buildSpec, syncSpec, statusSpec, doctorSpec, serveSpec}},
	{"Keep:", []spec{checkSpec, forgetSpec, rollbackSpec, exportSpec, importSpec, packSpec, backupSpec}},
	{"", []spec{schemaSpec, versionSpec}}, // which --help only names
}

// root is the command ayna.
func (a *app) root() *cobra.Command {
	cobra.EnableCommandSorting = false // groups have an order of their own
	root := &cobra.Command{
		Use:   "ayna COMMAND",
		Short: "Mirror a paper (WordPress, Ghost, Read API) into an archive and a static site",
	}
	for _, group := range groups {
		if group.title != "" {
			root.AddGroup(&cobra.Group{ID: group.title, Title: group.title})
		}
		for _, s := range group.specs {
			cmd := a.command(s)
			cmd.GroupID = group.title
			root.AddCommand(cmd)
		}
	}
	root.SetHelpCommand(&cobra.Command{Hidden: true}) // execute handles help
	root.SetOut(a.stdout)                             // before the command completion copies it
	root.InitDefaultCompletionCmd()
	if completion, _, err := root.Find([]string{"completion"}); err == nil {
		completion.Example = "  ayna completion bash >/etc/bash_completion.d/ayna"
	}
	return root
}

func (a *app) command(s spec) *cobra.Command {
	long := s.long
	if a.columns > 0 {
		long = paragraphs(long)
	}
	cmd := &cobra.Command{Use: s.use, Short: s.short, Long: long, Example: s.example, Args: checkArgs}
	all := a.settings.flags()
	for name := range strings.FieldsSeq(s.flags) {
		flag := all.Lookup(name)
		flag.Usage = cmp.Or(s.usage[name], flag.Usage)
		cmd.Flags().AddFlag(flag)
	}
	a.completeArguments(cmd, s)
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		a.begin(cmd)
		argument := ""
		if len(args) > 0 {
			argument = args[0]
		}
		ctx, stop := interruptible()
		defer stop()
		a.spec = s
		a.code = s.run(ctx, a, argument)
		return nil
	}
	return cmd
}

// checkArgs accepts the arguments that the usage line of the command names.
func checkArgs(cmd *cobra.Command, args []string) error {
	wanted := strings.Fields(cmd.Use)[1:]
	if len(args) == 0 && len(wanted) == 1 && strings.HasPrefix(wanted[0], "[") {
		return nil
	}
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

// execute runs a program with its arguments, and returns the exit code. Wrong usage is
// reported here, once.
func (a *app) execute(root *cobra.Command, args []string) int {
	log.SetOutput(io.Discard) // net/http logs parts of answers, which may hold the key
	collectOften()
	root.SilenceErrors, root.SilenceUsage = true, true
	root.SetOut(a.folded())
	root.SetErr(a.stderr)
	root.SetHelpTemplate(fmt.Sprintf(helpTemplate, cmp.Or(a.columns, 80)))
	root.SetFlagErrorFunc(flagError)

	switch {
	case !root.HasSubCommands() || len(args) == 0:
	case args[0] == "help":
		args = append(slices.Clone(args[1:]), "--help")
	case args[0] == "--version":
		args = []string{"version"}
	}
	root.SetArgs(args)
	if cmd, err := root.ExecuteC(); err != nil {
		return a.misused(cmd, err)
	}
	return a.code
}

// misused reports wrong usage of a command.
func (a *app) misused(cmd *cobra.Command, err error) int {
	a.begin(cmd)
	return a.printError(exitUsage, err, a.help)
}

// begin sets how messages name the command and its help.
func (a *app) begin(cmd *cobra.Command) {
	a.name, a.help = cmd.Name(), "see "+cmd.CommandPath()+" --help"
}

// helpTemplate is the help of a command; that of ayna fits a screen.
const helpTemplate = `{{or .Long .Short}}

usage: {{.UseLine}}
{{if .HasExample}}
for example:
{{.Example}}
{{end}}{{if .HasAvailableSubCommands}}{{range $group := .Groups}}
{{.Title}}{{range $.Commands}}{{if eq .GroupID $group.ID}}
  {{rpad .Name 9}} {{.Short}}{{end}}{{end}}{{end}}
More:{{range .Commands}}{{if and (eq .GroupID "") .IsAvailableCommand}} {{.Name}}{{end}}{{end}}

see {{.CommandPath}} COMMAND --help
{{else}}
flags:
{{.LocalFlags.FlagUsagesWrapped %d}}{{end}}`
