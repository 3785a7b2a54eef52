package cli

import (
	"strings"
	"testing"
	"time"

	"ayna/generator"
)

// TestPrintable: what a source wrote moves no cursor, sets no title, writes
// nothing from right to left, and stays in its line.
func TestPrintable(t *testing.T) {
	for text, want := range map[string]string{
		"İstanbul'da\tkar\n":   "İstanbul'da\tkar\n",
		"\x1b[2Ja\x1b]0;b\x07": "�[2Ja�]0;b�",
		"\u009b31ma\rb\bc\x7f": "�31ma�b�c�",
		"a\u202eb\u2066\x00":   "a�b��",
		"\u200b\ufeff\u2028":   "���",
	} {
		if got := printable(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// What a stage says of its rest fits the limits: it is no time that the limits
// do not allow.
func TestStageLine(t *testing.T) {
	for _, test := range []struct {
		progress generator.Progress
		want     string
	}{
		{generator.Progress{Stage: generator.List, Done: 350, Left: 400}, "listing 350, 400 requests left"},
		{generator.Progress{Stage: generator.Fetch, Done: 100, Total: 400, Left: -1}, "fetching records 100/400, 3m0s to go"},
		{generator.Progress{Stage: generator.Fetch, Done: 100, Total: 400, Left: 300}, "fetching records 100/400, 300 requests left, 3m0s to go"},
		{generator.Progress{Stage: generator.Fetch, Done: 423, Total: 3002, Left: 77}, "fetching records 423/3002, 77 requests left, the rest in later runs"},
		{generator.Progress{Stage: generator.Fetch, Done: 423, Total: 3002, Left: 0}, "fetching records 423/3002, 0 requests left, the rest in later runs"},
		{generator.Progress{Stage: generator.Fetch, Done: 400, Total: 400, Left: 0}, "fetching records 400/400, 0 requests left"},
		{generator.Progress{Stage: generator.Pictures, Done: 1, Total: 2, Left: -1}, "fetching pictures 1/2, 1m0s to go"},
	} {
		if got := stageLine(test.progress, time.Minute); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}

// TestWarnings: warnings about the configuration are printed, except with --quiet.
func TestWarnings(t *testing.T) {
	report := &generator.Report{Warnings: []string{"navigation: the site has no folder /spr/; did you mean /spor/?"}}
	for quiet, want := range map[bool]string{false: "ayna: navigation: the site has no folder /spr/; did you mean /spor/?\n", true: ""} {
		var out, problems strings.Builder
		c := &console{app: &app{name: "ayna", stdout: &out, stderr: &problems, settings: settings{quiet: quiet}}}
		c.finish(report, nil)
		if problems.String() != want {
			t.Errorf("quiet %t: %q, want %q", quiet, problems.String(), want)
		}
	}
}

// TestFirstLine: who waits sees at once that something happens; later stages print their ends.
func TestFirstLine(t *testing.T) {
	var problems strings.Builder
	c := &console{app: &app{name: "ayna", stderr: &problems}}
	c.progress(generator.Progress{Stage: generator.List, Left: -1})
	if got := problems.String(); got != "listing\n" {
		t.Errorf("at the beginning: %q", got)
	}
	c.progress(generator.Progress{Stage: generator.List, Done: 350, Left: -1})
	c.progress(generator.Progress{Stage: generator.Arrange, Left: -1})
	if got := problems.String(); got != "listing\nlisting 350\n" {
		t.Errorf("after the first stage: %q", got)
	}
}
