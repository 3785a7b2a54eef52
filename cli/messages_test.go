package cli

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// Every command and flag that a string of the code names exists, and commands are named
// with ayna before them.
func TestMessagesNameWhatExists(t *testing.T) {
	var commands []string
	flags := make(map[string][]string) // of a command; "" has those of all
	for _, cmd := range new(app).root().Commands() {
		name := cmd.Name()
		commands = append(commands, name)
		cmd.InitDefaultHelpFlag()
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			flags[name], flags[""] = append(flags[name], f.Name), append(flags[""], f.Name)
		})
	}
	flags[""] = append(flags[""], "version") // a command, and a flag of most programs
	prose := []string{"archive", "manifest", "hakkında", "as"}
	var (
		one       = `\b(` + strings.Join(commands, "|") + `)\b`
		named     = regexp.MustCompile(`\bayna ([a-z]\pL*)`)
		unnamed   = regexp.MustCompile(`\brun ` + one + `|(ayna )?` + one + ` --`)
		flag      = regexp.MustCompile(`(?:^|[^-\w])--([a-z][a-z-]+)(?:$|[^-\w:])`) // and no property of CSS
		flagsOf   = regexp.MustCompile(one + `(?: with| [A-Z]+| [a-z]+/\d+)*((?: --[a-z-]+(?: \d+| [A-Z]+)?)+)`)
		wantFlags = func(at token.Position, command, text string) {
			for _, m := range flag.FindAllStringSubmatch(text, -1) {
				if !slices.Contains(flags[command], m[1]) {
					t.Errorf("%s: no flag --%s of ayna %s: %s", at, m[1], command, text)
				}
			}
		}
	)
	for at, text := range stringsOf(t, "..") {
		for _, m := range named.FindAllStringSubmatch(text, -1) {
			if !slices.Contains(commands, m[1]) && !slices.Contains(prose, m[1]) {
				t.Errorf("%s: no command %q: %s", at, m[0], text)
			}
		}
		for _, m := range unnamed.FindAllStringSubmatch(text, -1) {
			if m[2] == "" {
				t.Errorf("%s: ayna is missing in %q: %s", at, m[0], text)
			}
		}
		wantFlags(at, "", text)
		for _, m := range flagsOf.FindAllStringSubmatch(text, -1) {
			wantFlags(at, m[1], m[2])
		}
	}
}

// stringsOf returns the strings of the code below a folder, by their places.
func stringsOf(t *testing.T, dir string) map[token.Position]string {
	found := make(map[token.Position]string)
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		switch name := entry.Name(); {
		case err != nil:
			return err
		case entry.IsDir() && (name == "bench" || name == "testdata" || name == "public" || name == ".git"):
			return fs.SkipDir
		case filepath.Ext(name) != ".go", strings.HasSuffix(name, "_test.go"), name == "zim.go": // it has flags of zimwriterfs
			return nil
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
				found[files.Position(l.Pos())], err = strconv.Unquote(l.Value)
			}
			return err == nil
		})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}
