package cli

import (
	"bytes"
	"io"
	"os"
	"regexp"
	"runtime"
	"strings"
	"unicode/utf8"

	"golang.org/x/term"
)

// The lines on a terminal are at least and at most so long.
const leastColumns, mostColumns = 40, 100

// columnsOf returns the length of lines on a terminal, 0 if a writer is none.
func columnsOf(w io.Writer) int {
	f, isFile := w.(*os.File)
	if !isFile {
		return 0
	}
	columns, _, err := term.GetSize(int(f.Fd()))
	if err != nil || columns <= 0 {
		return 0
	}
	return min(max(columns, leastColumns), mostColumns)
}

// folded returns a writer to stdout that breaks lines between words where the terminal ends.
func (a *app) folded() io.Writer {
	if a.columns == 0 {
		return a.stdout
	}
	return &folder{w: a.stdout, columns: a.columns}
}

// folder breaks lines.
type folder struct {
	w       io.Writer
	columns int
	rest    []byte // of a line that has no end yet
}

func (f *folder) Write(text []byte) (int, error) {
	f.rest = append(f.rest, text...)
	for {
		line, rest, whole := bytes.Cut(f.rest, []byte("\n"))
		if !whole {
			return len(text), nil
		}
		if _, err := io.WriteString(f.w, fold(string(line), f.columns)+"\n"); err != nil {
			return 0, err
		}
		f.rest = rest
	}
}

var (
	control = regexp.MustCompile("\x1b\\[[0-9]*m")
	gap     = regexp.MustCompile(`  [^ ]`) // before the last column of a line
)

func lengthOf(text string) int { return utf8.RuneCountInString(control.ReplaceAllString(text, "")) }

// fold breaks a line. What follows stands below its last column, and the parts of a command are
// joined as a shell does it.
func fold(line string, columns int) string {
	if lengthOf(line) <= columns {
		return line
	}
	indent, joint := 0, ""
	for _, at := range gap.FindAllStringIndex(line, -1) {
		if to := lengthOf(line[:at[1]-1]); to <= columns/2 {
			indent = to
		}
	}
	if strings.HasPrefix(line, "  ayna ") {
		indent, joint = 6, ` \`
	}
	head := line[:len(line)-len(strings.TrimLeft(line, " "))]
	var b strings.Builder
	b.WriteString(head)
	at := len(head)
	isFirst := true
	for _, word := range strings.SplitAfter(line[len(head):], " ") {
		bare := strings.TrimRight(word, " ")
		if !isFirst && bare != "" && at+lengthOf(bare)+len(joint) > columns && at > indent {
			text := strings.TrimRight(b.String(), " ")
			b.Reset()
			b.WriteString(text + joint + "\n" + strings.Repeat(" ", indent))
			at = indent
		}
		b.WriteString(word)
		at += lengthOf(word)
		isFirst = false
	}
	return strings.TrimRight(b.String(), " ")
}

var lineEnd = regexp.MustCompile(`([^\n])\n([^\n ])`)

// paragraphs returns the paragraphs of a text, each in one line.
func paragraphs(text string) string {
	for lineEnd.MatchString(text) {
		text = lineEnd.ReplaceAllString(text, "$1 $2")
	}
	return text
}

// paints reports whether the terminal shows colours, and its user wants them.
func paints(columns int) bool {
	return columns > 0 && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && runtime.GOOS != "windows"
}

var states = regexp.MustCompile(`(?m)^(\S.*?  )(ok|warn|FAIL)(  )`)

// paint colours the states in the table of doctor.
func paint(table string) string {
	colours := map[string]string{"ok": "32", "warn": "33", "FAIL": "31"}
	return states.ReplaceAllStringFunc(table, func(row string) string {
		m := states.FindStringSubmatch(row)
		return m[1] + "\x1b[" + colours[m[2]] + "m" + m[2] + "\x1b[0m" + m[3]
	})
}
