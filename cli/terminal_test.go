package cli

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// wide returns the lines that are longer than a terminal, but for single words.
func wide(text string, columns int) (lines []string) {
	for line := range strings.Lines(text) {
		line = strings.TrimRight(control.ReplaceAllString(line, ""), "\n")
		if utf8.RuneCountInString(line) > columns && strings.Contains(strings.TrimSpace(line), " ") {
			lines = append(lines, line)
		}
	}
	return lines
}

// Help fits terminals of any width and says the same words.
func TestHelpFitsTheTerminal(t *testing.T) {
	names := []string{""}
	for _, cmd := range new(app).root().Commands() {
		names = append(names, cmd.Name())
	}
	for _, name := range names {
		help := func(columns int) string {
			var b bytes.Buffer
			a := &app{stdout: &b, stderr: &b, columns: columns}
			if code := a.execute(a.root(), strings.Fields("help "+name)); code != exitOK {
				t.Fatalf("%s: %s", name, &b)
			}
			return b.String()
		}
		words := func(text string) []string {
			return strings.Fields(strings.ReplaceAll(text, " \\\n", "\n"))
		}
		plain := help(0)
		for _, columns := range []int{40, 60, 100} {
			got := help(columns)
			if lines := wide(got, columns); len(lines) > 0 && name != "completion" {
				t.Errorf("%s in %d columns:\n%s", name, columns, strings.Join(lines, "\n"))
			}
			if !slices.Equal(words(got), words(plain)) {
				t.Errorf("%s in %d columns says something else:\n%s", name, columns, got)
			}
		}
	}
}

func TestFold(t *testing.T) {
	for _, row := range [][2]string{
		{"short", "short"},
		{"site:     one two three four five six seven", "site:     one two three four\n          five six seven"},
		{"API key        ok  it is set, and readable for this user", "API key        ok  it is set,\n               and readable\n               for this user"},
		{"  ayna pack zip --out site.zip --quiet --config a.yaml", "  ayna pack zip --out \\\n      site.zip --quiet \\\n      --config a.yaml"},
		{"open:     /a/very/long/name/without/any/blank/index.html", "open:     /a/very/long/name/without/any/blank/index.html"},
		{"words of a line without a column", "words of a line without a\ncolumn"},
		{"çöğüşı çöğüşı çöğüşı çöğüşı çö", "çöğüşı çöğüşı çöğüşı çöğüşı çö"},
		{"", ""},
	} {
		var b bytes.Buffer
		f := &folder{w: &b, columns: 30}
		for _, part := range strings.SplitAfter(row[0]+"\n", " ") { // as tables are written
			fmt.Fprint(f, part)
		}
		if got := strings.TrimSuffix(b.String(), "\n"); got != row[1] {
			t.Errorf("%q is\n%s\ninstead of\n%s", row[0], got, row[1])
		}
	}
}

// States have colours on a terminal only, and not if NO_COLOR is set.
func TestPaint(t *testing.T) {
	table := "API key   ok    is set\nsource    FAIL  ok  it is not\n                → ok  so\n"
	want := "API key   \x1b[32mok\x1b[0m    is set\nsource    \x1b[31mFAIL\x1b[0m  ok  it is not\n                → ok  so\n"
	if got := paint(table); got != want {
		t.Errorf("%q", got)
	}
	t.Setenv("TERM", "xterm")
	t.Setenv("NO_COLOR", "")
	if !paints(80) || paints(0) {
		t.Error("colours are not where the terminal is")
	}
	t.Setenv("NO_COLOR", "1")
	if paints(80) {
		t.Error("colours despite NO_COLOR")
	}
}

// Shells complete formats, kinds, servers and commands, and file names only where a file is due.
func TestCompletion(t *testing.T) {
	for line, want := range map[string]string{
		"pack ":                "zip zim epub :4",
		"forget ":              "article/ column/ gallery/ video/ page/ writer/ folder/ comment/ :6",
		"export --format ":     "jsonl redirects :4",
		"export --server ":     "nginx caddy netlify :4",
		"export --path ":       ":4",
		"build ":               ":4",
		"import ":              ":0",
		"pack epub --writer ":  ":4",
		"export --out ":        ":0",
		"init --folders ":      ":4",
		"sta":                  "status Print the last runs, what waits and what is doubted :4",
		"backup ":              ":0",
		"build --config none ": ":4",
	} {
		var b bytes.Buffer
		a := &app{stdout: &b, stderr: new(bytes.Buffer), columns: 40}
		args := append([]string{"__complete"}, strings.Split(line, " ")...)
		if code := a.execute(a.root(), args); code != exitOK || strings.Join(strings.Fields(b.String()), " ") != want {
			t.Errorf("%q: %d, %q", line, code, strings.Join(strings.Fields(b.String()), " "))
		}
	}
}
