package cli

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/mattn/go-isatty"
	"github.com/spf13/pflag"

	"ayna"
	"ayna/durable"
	"ayna/generator/config"
	"ayna/generator/swap"
	"ayna/source/kinds"
)

var initSpec = spec{
	use: "init [URL]", short: "Write a site.yaml for a paper or a news service",
	long: `Write a site.yaml with comments for the paper at URL, its schema for editors, and a .gitignore. A site of
` + kinds.PapersByPage("or") + ` is found by its home page, and gives title, language and time zone. Any
other address is taken for a Read API. The source is asked for the first page of each list,
without a key unless it refuses that. On a terminal init then asks for what no flag gives. It
never overwrites a file, and writes none if it fails.`,
	example: "  ayna init kiyi.example\n  ayna init https://api.example.com --key-file key --base-url https://mirror.example.org/ --yes\n  ayna init --sample",
	flags:   "config title base-url language timezone folders key-env key-file keep-removed sample yes",
	usage: map[string]string{
		"config": "write the configuration to `FILE`",
		"sample": "write the configuration of the built-in sample",
	},
	run: func(ctx context.Context, a *app, address string) int { return a.initialise(ctx, address) },
}

// initFlags are the flags of init alone.
type initFlags struct {
	title, baseURL, folders string
	language, timezone      string
	keyEnv, keyFile         string
	keepRemoved, yes        bool
}

func (s *initFlags) define(f *pflag.FlagSet) {
	f.StringVar(&s.title, "title", "", "`TITLE` of the site; by default the name of the source, or its host")
	f.StringVar(&s.baseURL, "base-url", "", "`URL` where the site will be served; by default that of ayna serve")
	f.StringVar(&s.language, "language", "", "`LANGUAGE` of the pages, as tr, de or pt-BR; by default that of the source")
	f.StringVar(&s.timezone, "timezone", "", "time `ZONE`; by default that of the source, or of this machine")
	f.StringVar(&s.folders, "folders", "", "mirror only the folders `PATHS`, as /spor/,/ekonomi/")
	f.StringVar(&s.keyEnv, "key-env", "", "the API key is, or will be, in the environment variable `NAME`; by default AYNA_API_KEY, if the source asks for a key")
	f.StringVar(&s.keyFile, "key-file", "", "the API key is in `FILE`")
	f.BoolVar(&s.keepRemoved, "keep-removed", false, "keep what is deleted at a site of "+kinds.Papers("or")+"; by default it goes from the mirror, too")
	f.BoolVar(&s.yes, "yes", false, "ask nothing; take defaults for what no flag gives")
}

// setup is one run of init.
type setup struct {
	*app
	outline  config.Outline
	typed    string         // the address that was tried
	answers  *bufio.Scanner // nil unless questions are answered
	named    string         // the language that the site names, or ""
	needsKey error          // why the site needs a key; nil if it does not
}

func (a *app) initialise(ctx context.Context, address string) int {
	if _, err := os.Lstat(a.configFile); !errors.Is(err, fs.ErrNotExist) {
		if err == nil {
			err = usagef("%s is there already; edit it, or write another file with --config", a.configFile)
		}
		return a.fail(ctx, err)
	}
	if a.sample {
		if address != "" {
			return a.fail(ctx, usagef("give the URL of a service or --sample, not both"))
		}
		return a.writeSetup(ctx, ayna.SampleConfig)
	}
	s := &setup{app: a}
	s.preset()
	if !a.yes && isatty.IsTerminal(os.Stdin.Fd()) {
		s.answers = bufio.NewScanner(os.Stdin)
	}
	return s.run(ctx, address)
}

// preset fills the outline from the flags.
func (s *setup) preset() {
	o := &s.outline
	o.Title, o.BaseURL, o.Language, o.Timezone = s.title, s.baseURL, s.language, s.timezone
	o.Include, o.KeepRemoved, o.URL = folderList(s.folders), s.keepRemoved, config.Sample
}

// run looks at the source, asks what is left to ask and writes the configuration.
func (s *setup) run(ctx context.Context, address string) int {
	if _, err := s.draft(); err != nil { // of flags, before the first question
		return s.fail(ctx, err)
	}
	if s.keyEnv != "" && !variableName.MatchString(s.keyEnv) {
		return s.fail(ctx, usagef("--key-env: %w", errNoKey))
	}
	addresses, err := s.askAddress(address)
	switch {
	case err != nil:
		return s.fail(ctx, err)
	case addresses[0] == config.Sample:
		return s.writeSetup(ctx, ayna.SampleConfig)
	}
	greeting, err := s.look(ctx, addresses)
	if f := (*failure)(nil); errors.As(err, &f) && ctx.Err() == nil {
		return s.printFailure(f)
	}
	if err != nil {
		return s.fail(ctx, err)
	}
	s.describe(greeting)
	if err := s.askRest(greeting); err != nil {
		return s.fail(ctx, err)
	}
	s.takePictures(ctx, greeting.Site)
	text := config.Write(s.complete())
	if _, err := config.Parse(s.configFile, text, os.LookupEnv); err != nil {
		return s.fail(ctx, usageError{err})
	}
	return s.writeSetup(ctx, text)
}

// complete returns the outline with defaults for what is not known.
func (s *setup) complete() config.Outline {
	o := s.outline
	o.Name = cmp.Or(o.Name, hostOf(o.URL))
	o.Title, o.BaseURL = cmp.Or(o.Title, o.Name, "Ayna"), cmp.Or(o.BaseURL, "http://"+s.addr+"/")
	o.Language, o.Timezone = cmp.Or(o.Language, "tr"), cmp.Or(o.Timezone, "UTC")
	if len(o.Include) == 0 {
		o.Include = []string{"/"}
	}
	return o
}

// unwritten begins the errors of a configuration that is not written yet.
var unwritten = regexp.MustCompile(`(?m)^unwritten(:\d+)*: `)

// draft returns the configuration of the outline. Its errors name no file and no lines.
func (s *setup) draft() (*config.Config, error) {
	c, err := config.Parse("unwritten", config.Write(s.complete()), os.LookupEnv)
	if err != nil {
		return nil, usagef("%s", unwritten.ReplaceAllString(err.Error(), ""))
	}
	return c, nil
}

// writeSetup writes the configuration and a .gitignore, and names what to do next.
func (a *app) writeSetup(ctx context.Context, text []byte) int {
	if err := writeNew(a.configFile, text); err != nil {
		return a.fail(ctx, err)
	}
	fmt.Fprintf(a.stdout, "written:  %s\n", a.configFile)
	c, err := config.Parse(a.configFile, text, os.LookupEnv)
	if err != nil {
		return a.fail(ctx, usageError{err})
	}
	if err := a.writeSchema(); err != nil {
		return a.fail(ctx, err)
	}
	ignore := filepath.Join(filepath.Dir(a.configFile), ".gitignore")
	lines := fmt.Sprintf(".ayna/\n/%s/\n/%s/\n", c.Output, swap.HiddenName(c.Output))
	if key := c.Source.APIKeyFile; key != "" && filepath.IsLocal(key) {
		lines += "/" + filepath.ToSlash(key) + "\n"
	}
	switch err := writeNew(ignore, []byte(lines)); {
	case err == nil:
		fmt.Fprintf(a.stdout, "written:  %s\n", ignore)
	case !errors.Is(err, fs.ErrExist):
		return a.fail(ctx, err)
	default:
		if missing := missingLines(ignore, lines); missing != "" {
			fmt.Fprintf(a.stdout, "add:      %s to %s\n", missing, ignore)
		}
	}
	flag := ""
	if a.configFile != "site.yaml" {
		flag = " --config " + a.configFile
	}
	if missing := c.Need(func(string) bool { return c.Source.URL != config.Sample }); missing != nil {
		hint := "write the key into " + c.Source.APIKeyFile
		if unset := (*config.UnsetError)(nil); errors.As(missing, &unset) {
			hint = "export " + unset.Name + "=" + cmp.Or(kinds.Of(c.Source.Kind).Key.Sample, "…")
		}
		fmt.Fprintf(a.stdout, "first:    %s\n", hint)
	}
	fmt.Fprintf(a.stdout, "next:     ayna build%s    fetches and publishes into %s/\n          ayna serve%s    shows the site at http://%s/\n", flag, c.Output, flag, a.addr)
	return exitOK
}

// missingLines returns the lines that a file lacks, separated by blanks.
func missingLines(name, lines string) string {
	content, _ := os.ReadFile(name) // what cannot be read lacks all of them
	there := strings.Fields(string(content))
	return strings.Join(slices.DeleteFunc(strings.Fields(lines), func(line string) bool { return slices.Contains(there, line) }), " ")
}

// writeNew writes a file that must not exist, whole or not at all.
func writeNew(name string, content []byte) error {
	return durable.Write(name, func(f *durable.File) error {
		if _, err := os.Lstat(name); err == nil {
			return fmt.Errorf("write %s: %w", name, fs.ErrExist)
		}
		_, err := f.Write(content)
		return err
	})
}
