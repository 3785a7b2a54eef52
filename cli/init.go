package cli

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/mattn/go-isatty"

	"ayna"
	"ayna/durable"
	"ayna/generator"
	"ayna/generator/config"
	"ayna/generator/release"
	"ayna/generator/sync"
)

var initSpec = spec{
	use: "init [URL]", short: "Write a site.yaml for a paper or a news service",
	long: `Write a site.yaml with comments for the paper at URL, and a .gitignore. A site of
WordPress or Ghost is found by its home page, and gives title, language and time zone. Any
other address is taken for a Read API. The source is asked for the first page of each list. On a terminal init asks for
what no flag gives. It never overwrites a file, and writes none if it finds no
service.`,
	example: "  ayna init https://kiyi.example\n  ayna init https://api.example.com --key-file key --base-url https://mirror.example.org/ --yes\n  ayna init --sample",
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
	outline  config.Outline
	answers  *bufio.Scanner // nil unless questions are answered
	guessed  string         // the source's language, by its titles
	err      error          // why there is no answer
	home     error          // why the home page is neither that of WordPress nor of Ghost
	needsKey error          // why a site of Ghost needs a key; nil if it does not
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
	s.preset(cmp.Or(address, config.Sample))
	if _, err := s.draft(); err != nil { // of flags, before the first question
		return a.fail(ctx, err)
	}
	if !a.yes && isatty.IsTerminal(os.Stdin.Fd()) {
		s.answers = bufio.NewScanner(os.Stdin)
	}
	if s.ask("Address of the news service, without /v1", address, "", s.setAddress); s.err != nil {
		return a.fail(ctx, s.err)
	}
	switch s.outline.URL {
	case "":
		return a.fail(ctx, usagef("give the URL of the news service, or --sample to try the built-in one"))
	case config.Sample:
		return a.writeSetup(ctx, ayna.SampleConfig)
	}
	return s.run(ctx)
}

// run asks, greets the source and writes the configuration.
func (s *setup) run(ctx context.Context) int {
	if s.keyFile == "" {
		s.ask("Environment variable with the API key", s.keyEnv, "AYNA_API_KEY", s.setKeyName)
	}
	if s.err != nil {
		return s.fail(ctx, s.err)
	}
	if err := s.discover(ctx); err != nil {
		return s.fail(ctx, err)
	}
	greeting, failure := s.greet(ctx)
	if s.config == nil || ctx.Err() != nil {
		return s.fail(ctx, failure)
	}
	if errors.Is(failure, sync.ErrBudget) {
		return s.printError(exitBudget, fmt.Errorf("nothing is written: %w", failure), s.advice(exitBudget, failure))
	}
	if failure != nil && !isFound(failure) {
		return s.printError(exitShape, s.nothing(failure), "check the address, and whether this machine reaches it (network, DNS, proxy)")
	}
	s.outline.Folders, s.outline.Columns = greeting.Folders, columnsAmong(greeting.Folders)
	s.describe(greeting)
	s.outline.Host = cmp.Or(greeting.Host, s.outline.Host)
	if s.outline.Language == "" {
		if s.guessed = guessLanguage(greeting.Titles); s.guessed != "" {
			fmt.Fprintf(s.stdout, "language: %s, by the titles of the newest articles\n", s.guessed)
		}
	}
	s.setDates(greeting.Dates, cmp.Or(s.outline.Language, s.guessed))
	if len(greeting.Folders) > 0 {
		fmt.Fprintf(s.stdout, "folders:  %s\n", printable(strings.Join(greeting.Folders, " ")))
	}
	if s.askRest(); s.err != nil {
		return s.fail(ctx, s.err)
	}
	s.takePictures(ctx, greeting.Site)
	text := config.Write(s.outline)
	if _, err := config.Parse(s.configFile, text, os.LookupEnv); err != nil {
		return s.fail(ctx, usageError{err})
	}
	if code := s.writeSetup(ctx, text); code != exitOK || failure == nil {
		return code
	}
	code := exitCode(ctx, new(generator.Report), failure)
	return s.printError(code, failure, s.advice(code, failure))
}

// preset fills the outline from the address and the flags.
func (s *setup) preset(address string) {
	o := &s.outline
	o.Title, o.BaseURL, o.Language, o.Timezone = s.title, s.baseURL, s.language, s.timezone
	o.KeyFile, o.Include = s.keyFile, folderList(s.folders)
	s.setAddress(address)
	s.setKeyName(cmp.Or(s.keyEnv, "AYNA_API_KEY"))
}

func (s *setup) setAddress(answer string) {
	address := strings.TrimSuffix(strings.TrimRight(answer, "/"), "/v1")
	if address != "" && address != config.Sample && !strings.Contains(address, "://") {
		address = "https://" + address
	}
	s.outline.URL = address
	if u, err := url.Parse(address); err == nil {
		s.outline.Host = u.Hostname()
	}
}

func (s *setup) setKeyName(answer string) { s.outline.KeyName = strings.Trim(answer, "${} ") }

// askRest asks for what is easier to answer once the source has been seen.
func (s *setup) askRest() {
	o := &s.outline
	s.ask("Language of the pages, as tr, de or pt-BR", o.Language, cmp.Or(s.guessed, "tr"), func(answer string) { o.Language = answer })
	title := cmp.Or(map[string]string{"tr": o.Host + " aynası", "en": "Mirror of " + o.Host}[o.Language], o.Host)
	s.ask("Title of the site", o.Title, title, func(answer string) { o.Title = answer })
	s.ask("Address where the site will be served", o.BaseURL, "http://"+s.addr+"/", func(answer string) { o.BaseURL = answer })
	s.ask("Time zone", o.Timezone, "Europe/Istanbul", func(answer string) { o.Timezone = answer })
	s.ask("Folders to mirror", strings.Join(o.Include, " "), "/", func(answer string) { o.Include = folderList(answer) })
}

// folderList splits a list of folders at its commas and blanks.
func folderList(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' })
}

// attempts is how often a question is asked until its answer is right.
const attempts = 3

// ask sets a value to what a flag has given, or else to the answer to a question, or
// else to the default.
func (s *setup) ask(question, given, otherwise string, set func(string)) {
	if given != "" || s.answers == nil {
		set(cmp.Or(given, otherwise))
		return
	}
	for left := attempts - 1; s.err == nil; left-- {
		fmt.Fprintf(s.stdout, "%s [%s]: ", question, otherwise)
		if !s.answers.Scan() {
			s.err = usagef("%s: no answer; --yes takes the defaults", question)
			return
		}
		set(cmp.Or(strings.TrimSpace(s.answers.Text()), otherwise))
		_, err := s.draft()
		switch {
		case err == nil:
			return
		case left == 0:
			s.err = err
		default:
			_, reason, _ := strings.Cut(err.Error(), ": ") // without file and line
			fmt.Fprintln(s.stdout, printable(reason))
		}
	}
}

// variableName is what ${NAME} in site.yaml can name.
var variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// draft returns the configuration as it would be with defaults for what is not answered
// yet.
func (s *setup) draft() (*config.Config, error) {
	o := s.outline
	if o.KeyFile == "" && o.KeyName != "" && !variableName.MatchString(o.KeyName) {
		return nil, usagef("--key-env %s: not the name of a variable, as AYNA_API_KEY", o.KeyName)
	}
	draft := setup{app: s.app, outline: o} // asks nothing
	if draft.askRest(); o.Kind == "" {     // the address may lead to another one, and gets no key yet
		draft.outline.Kind, draft.outline.KeyName, draft.outline.KeyFile = config.Ghost, "", ""
	}
	c, err := config.Parse(s.configFile, config.Write(draft.outline), os.LookupEnv)
	if err != nil {
		return nil, usageError{err}
	}
	return c, nil
}

// greet asks the source, with the key if there is one. It sets the configuration, nil
// if the flags make none, and drops the key from the outline if the source answers
// without one.
func (s *setup) greet(ctx context.Context) (sync.Greeting, error) {
	o := &s.outline
	c, err := s.draft()
	if s.config = c; err != nil {
		return sync.Greeting{}, err
	}
	missing := c.Need(func(string) bool { return true })
	greeting, err := generator.Greet(ctx, s.options(ctx, nil))
	switch {
	case errors.Is(err, sync.ErrKey) && isFound(err) && missing != nil:
		asks := "asks for an API key, which is not set yet"
		switch {
		case o.Kind == config.WordPress:
			asks = "closes its REST API; ask its owner for an application password"
		case s.needsKey != nil:
			asks = "shows no key of its Content API; ask its owner for a content API key"
		}
		fmt.Fprintf(s.stdout, "source:   %s\n", asks)
		return greeting, nil
	case err != nil:
		return greeting, err
	case missing != nil && o.KeyFile == "":
		o.KeyName = ""
	}
	fmt.Fprintf(s.stdout, "source:   answers, with %d articles on a page\n", greeting.Articles)
	if greeting.Ahead != 0 {
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
			if hint = "export " + unset.Name + "=…"; c.Source.Kind == config.WordPress {
				hint = "export " + unset.Name + "='user:application password'"
			}
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
