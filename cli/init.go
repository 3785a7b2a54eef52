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
	"time"

	"github.com/mattn/go-isatty"

	"ayna"
	"ayna/generator"
	"ayna/generator/config"
	"ayna/generator/release"
	"ayna/generator/sync"
)

var initSpec = spec{
	use: "init [URL]", short: "Write a site.yaml for a news service",
	long: `Write a site.yaml with comments for the news service at URL, and a .gitignore.
The service is asked for its newest articles, its folders and its date. On a
terminal init asks for what no flag gives. It never overwrites a file.`,
	example: "  ayna init https://api.example.com\n  ayna init https://api.example.com --key-file key --base-url https://mirror.example.org/ --yes\n  ayna init --sample",
	flags:   "config title base-url language timezone folders key-env key-file sample yes",
	usage: map[string]string{
		"config": "write the configuration to `FILE`",
		"sample": "write the configuration of the built-in sample",
	},
	run: func(ctx context.Context, a *app, address string) int { return a.initialise(ctx, address) },
}

// setup is one run of init.
type setup struct {
	*app
	outline config.Outline
	answers *bufio.Scanner // nil unless questions are answered
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
	if !a.yes && isatty.IsTerminal(os.Stdin.Fd()) {
		s.answers = bufio.NewScanner(os.Stdin)
	}
	s.outline.URL = strings.TrimSuffix(strings.TrimRight(s.ask("Address of the news service, without /v1", address, ""), "/"), "/v1")
	if s.outline.URL == "" {
		return a.fail(ctx, usagef("give the URL of the news service, or --sample to try the built-in one"))
	}
	if s.outline.URL == config.Sample {
		return a.writeSetup(ctx, ayna.SampleConfig)
	}
	if !strings.Contains(s.outline.URL, "://") {
		s.outline.URL = "https://" + s.outline.URL
	}
	return s.run(ctx)
}

// run asks, greets the source and writes the configuration.
func (s *setup) run(ctx context.Context) int {
	s.preset()
	greeting, failure := s.greet(ctx)
	if s.config == nil {
		return s.fail(ctx, failure)
	}
	s.outline.Folders = greeting.Folders
	if len(greeting.Folders) > 0 {
		fmt.Fprintf(s.stdout, "folders:  %s\n", printable(strings.Join(greeting.Folders, " ")))
	}
	s.askRest()
	text := config.Write(s.outline)
	if _, err := config.Parse(s.configFile, text, os.LookupEnv); err != nil {
		return s.fail(ctx, usageError{err})
	}
	if code := s.writeSetup(ctx, text); code != exitOK || failure == nil {
		return code
	}
	return s.fail(ctx, failure)
}

// preset fills the outline from flags and defaults, and asks for the key.
func (s *setup) preset() {
	o := &s.outline
	o.Title, o.BaseURL, o.Language, o.Timezone = s.title, s.baseURL, s.language, s.timezone
	o.KeyFile, o.KeyName, o.Include = s.keyFile, s.keyEnv, folderList(s.folders)
	if o.KeyFile == "" {
		o.KeyName = strings.Trim(s.ask("Environment variable with the API key", o.KeyName, "AYNA_API_KEY"), "${} ")
	}
}

// askRest asks for what is easier to answer once the source has been seen.
func (s *setup) askRest() {
	o := &s.outline
	o.Language = s.ask("Language of the pages, tr or en", o.Language, "tr")
	host := o.Host()
	o.Title = s.ask("Title of the site", o.Title, cmp.Or(map[string]string{"tr": host + " aynası", "en": "Mirror of " + host}[o.Language], host))
	o.BaseURL = s.ask("Address where the site will be served", o.BaseURL, "http://"+s.addr+"/")
	o.Timezone = s.ask("Time zone", o.Timezone, "Europe/Istanbul")
	o.Include = folderList(s.ask("Folders to mirror", strings.Join(o.Include, " "), "/"))
}

// folderList splits a list of folders at its commas and blanks.
func folderList(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' })
}

// ask returns what a flag has given, or else the answer to a question, or else the
// default.
func (s *setup) ask(question, given, otherwise string) string {
	if given != "" || s.answers == nil {
		return cmp.Or(given, otherwise)
	}
	fmt.Fprintf(s.stdout, "%s [%s]: ", question, otherwise)
	if !s.answers.Scan() {
		return otherwise
	}
	return cmp.Or(strings.TrimSpace(s.answers.Text()), otherwise)
}

// variableName is what ${NAME} in site.yaml can name.
var variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// greet asks the source, with the key if there is one. It sets the configuration, nil
// if the flags make none, and drops the key from the outline if the source answers
// without one.
func (s *setup) greet(ctx context.Context) (sync.Greeting, error) {
	o := &s.outline
	if o.KeyFile == "" && !variableName.MatchString(o.KeyName) {
		return sync.Greeting{}, usagef("--key-env %s: not the name of a variable, as AYNA_API_KEY", o.KeyName)
	}
	draft := setup{app: s.app, outline: *o} // asks nothing
	draft.askRest()
	c, err := config.Parse(s.configFile, config.Write(draft.outline), os.LookupEnv)
	if err != nil {
		return sync.Greeting{}, usageError{err}
	}
	s.config = c
	missing := c.Need(func(string) bool { return true })
	greeting, err := generator.Greet(ctx, s.options(ctx, nil))
	switch {
	case errors.Is(err, sync.ErrKey) && missing != nil:
		fmt.Fprintln(s.stdout, "source:   asks for an API key, which is not set yet")
		return greeting, nil
	case err != nil:
		return greeting, err
	case missing != nil && o.KeyFile == "":
		o.KeyName = ""
	}
	fmt.Fprintf(s.stdout, "source:   answers, with %d articles on a page\n", greeting.Articles)
	if greeting.Ahead.Abs() > time.Minute {
		fmt.Fprintf(s.stdout, "clock:    the source's is %s ahead of this machine's (below 0: behind)\n", greeting.Ahead)
	}
	return greeting, nil
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
	ignore := filepath.Join(filepath.Dir(a.configFile), ".gitignore")
	lines := fmt.Sprintf(".ayna/\n/%s/\n/%s/\n", c.Output, release.HiddenName(c.Output))
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
			hint = "export " + unset.Name + "=…"
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
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return fmt.Errorf("init: %w", err)
	}
	_, err = f.Write(content)
	if err = errors.Join(err, f.Close()); err != nil {
		os.Remove(name)
		return fmt.Errorf("init: %w", err)
	}
	return nil
}
