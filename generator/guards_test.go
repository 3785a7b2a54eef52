package generator_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"text/template/parse"
	"time"

	"ayna/testrun"
)

// guard is a line of the program that keeps something out, what the line is without
// its guard, and the tests that must then fail.
type guard struct {
	name    string // the line ends with the comment //guard:name, or {{/* guard:name */}} in a template
	becomes string // what takes the place of the line, or deleted, never or always
	tests   string // the package and the pattern of its tests

	// A script is published with its comments, so its guard has no marker.
	script, line string // the script, and the part of it that becomes something else
}

// What becomes of most lines.
const (
	deleted = ""
	never   = "the condition is never met"
	always  = "the condition is always met"
)

// tried is the guard that every slow run takes out; a long run takes out each.
const tried = "template-text"

var marker = regexp.MustCompile(`(?://guard:([a-z0-9-]+)|\{\{/\* guard:([a-z0-9-]+) \*/\}\})$`)

// place is where a marker stands.
type place struct {
	file string // of the module
	line int    // from 0
}

// TestGuardMarkersC07 holds that each marker has a row, each row its marker, and that
// the program can be parsed without the guard.
func TestGuardMarkersC07(t *testing.T) {
	places := markedLines(t)
	for _, g := range guards {
		if _, _, err := g.remove(places); err != nil {
			t.Errorf("guard %s: %v", g.name, err)
		}
		delete(places, g.name)
	}
	for name, at := range places {
		t.Errorf("%s:%d: no row of the list of guards has the name %s, or two have", at.file, at.line+1, name)
	}
}

// TestGuardsC07 takes guards out, one at a time, and sees that a test fails: no guard
// can go without being missed.
func TestGuardsC07(t *testing.T) {
	testrun.NeedsSlow(t, "compiles the program without a guard")
	places := markedLines(t)
	for _, g := range guards {
		if g.name != tried && !testrun.Long() {
			continue
		}
		t.Run(g.name, func(t *testing.T) {
			file, without, err := g.remove(places)
			if err != nil {
				t.Fatal(err)
			}
			pattern := strings.Fields(g.tests)
			out := runGo(t, map[string][]byte{file: without}, "test", "-vet=off", "-count=1", "-timeout=4m", "-run", pattern[1], pattern[0])
			if !strings.Contains(out, "--- FAIL: ") {
				t.Errorf("%s without its guard: no test of %q fails\n%.2000s", file, g.tests, out)
			}
		})
	}
}

// TestGuardsCompileC07 compiles the program without any guard: what lines become has
// kept up with the names in the program.
func TestGuardsCompileC07(t *testing.T) {
	testrun.NeedsSlow(t, "compiles the program without its guards")
	places := markedLines(t)
	// From the end of each file, so that the places in front of it stay where they are.
	rows := slices.Clone(guards)
	slices.SortFunc(rows, func(a, b guard) int { return places[b.name].line - places[a.name].line })
	files := map[string][]byte{}
	for _, g := range rows {
		at := places[g.name]
		if filepath.Ext(at.file) != ".go" {
			continue
		}
		text, ok := files[at.file]
		if !ok {
			text = readFile(t, at.file)
		}
		without, err := replaceLine(text, at.line, g.becomes)
		if err != nil {
			t.Fatalf("guard %s: %v", g.name, err)
		}
		files[at.file] = without
	}
	if out := runGo(t, files, "build", "./..."); out != "" {
		t.Error(out)
	}
}

const root = ".."

func readFile(t *testing.T, file string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, file))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// markedLines finds the markers of the module, by name.
func markedLines(t *testing.T) map[string]place {
	t.Helper()
	places := map[string]place{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != root && (strings.HasPrefix(d.Name(), ".") || d.Name() == "public"):
			return filepath.SkipDir
		case filepath.Ext(path) != ".go" && filepath.Ext(path) != ".html", strings.HasSuffix(path, "_test.go"):
			return nil
		}
		file, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		for i, line := range bytes.Split(readFile(t, file), []byte("\n")) {
			m := marker.FindSubmatch(line)
			if m == nil {
				continue
			}
			name := string(m[1]) + string(m[2])
			if other, twice := places[name]; twice {
				return fmt.Errorf("%s and %s have the same marker, %s", other.file, file, name)
			}
			places[name] = place{file, i}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return places
}

// remove returns the guard's file, and its text without the guard.
func (g guard) remove(places map[string]place) (file string, without []byte, err error) {
	at, marked := places[g.name]
	if file = at.file; g.script != "" {
		file = g.script
	} else if !marked {
		return "", nil, errors.New("no line has its marker, or two rows have its name")
	}
	text, err := os.ReadFile(filepath.Join(root, file))
	if err != nil {
		return "", nil, err
	}
	if g.script == "" {
		without, err = replaceLine(text, at.line, g.becomes)
	} else if n := bytes.Count(text, []byte(g.line)); n != 1 {
		return "", nil, fmt.Errorf("%s has %q %d times", file, g.line, n)
	} else {
		without = bytes.Replace(text, []byte(g.line), []byte(g.becomes), 1)
	}
	switch filepath.Ext(file) {
	case ".go":
		_, err = parser.ParseFile(token.NewFileSet(), file, without, parser.SkipObjectResolution)
	case ".html":
		tree := parse.New(file)
		tree.Mode = parse.SkipFuncCheck
		_, err = tree.Parse(string(without), "", "", map[string]*parse.Tree{})
	}
	return file, without, err
}

// replaceLine replaces a line of a file, or the condition that ends in it.
func replaceLine(text []byte, line int, becomes string) ([]byte, error) {
	if becomes != never && becomes != always {
		lines := bytes.Split(text, []byte("\n"))
		lines[line] = []byte(becomes)
		return bytes.Join(lines, []byte("\n")), nil
	}
	files := token.NewFileSet()
	parsed, err := parser.ParseFile(files, "", text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var condition ast.Expr
	ast.Inspect(parsed, func(n ast.Node) bool {
		e := conditionOf(n)
		if e != nil && files.Position(e.End()).Line == line+1 && (condition == nil || e.End() > condition.End()) {
			condition = e
		}
		return true
	})
	if condition == nil {
		return nil, errors.New("its line has no condition")
	}
	start, end := files.Position(condition.Pos()).Offset, files.Position(condition.End()).Offset
	constant := "false && ("
	if becomes == always {
		constant = "true || ("
	}
	return slices.Concat(text[:start], []byte(constant), text[start:end], []byte(")"), text[end:]), nil
}

// conditionOf returns what is true or false in a statement, or nil.
func conditionOf(n ast.Node) ast.Expr {
	var values []ast.Expr
	switch n := n.(type) {
	case *ast.IfStmt:
		return n.Cond
	case *ast.CaseClause:
		values = n.List
	case *ast.ReturnStmt:
		values = n.Results
	case *ast.AssignStmt:
		values = n.Rhs
	}
	if len(values) != 1 {
		return nil
	}
	return values[0]
}

// runGo runs a go command with other texts in the place of files, and returns what
// it prints.
func runGo(t *testing.T, files map[string][]byte, args ...string) string {
	t.Helper()
	top, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	var overlay struct{ Replace map[string]string }
	overlay.Replace = map[string]string{}
	for file, text := range files {
		replaced := filepath.Join(dir, strings.ReplaceAll(file, "/", "-"))
		if err := os.WriteFile(replaced, text, 0o644); err != nil {
			t.Fatal(err)
		}
		overlay.Replace[filepath.Join(top, file)] = replaced
	}
	list, err := json.Marshal(overlay)
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(name, list, 0o644); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	command := exec.CommandContext(ctx, "go", slices.Insert(args, 1, "-overlay", name)...)
	command.Dir, command.Env = top, append(os.Environ(), "AYNA_SLOW=1", "AYNA_LONG=") // the counts of a slow run will do
	out, _ := command.CombinedOutput()                                                // without a guard it is to fail
	return string(out)
}
