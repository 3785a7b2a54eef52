package cli

import (
	"fmt"
	"strings"
	"time"

	"ayna/generator"
)

var stageNames = map[generator.Stage]string{
	generator.Read:        "reading records again",
	generator.List:        "listing",
	generator.Fetch:       "fetching records",
	generator.Pictures:    "fetching pictures",
	generator.Attachments: "fetching attachments",
	generator.Arrange:     "arranging",
	generator.Clean:       "preparing texts",
	generator.Sizes:       "making smaller pictures",
	generator.Publish:     "publishing",

	generator.CheckArchive: "checking the archive",
	generator.CheckSite:    "checking the site",
	packing:                "packing",
}

// progress prints the progress of a stage: on a terminal as it comes, elsewhere
// every ten seconds and at the end of the stage. The first one is printed at once.
func (c *console) progress(p generator.Progress) {
	if c.quiet {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if p.Stage != c.stage {
		c.endStage()
		if !c.began.IsZero() {
			c.printed = time.Now()
		}
		c.stage, c.began = p.Stage, time.Now()
	}
	if p.Note != "" {
		fmt.Fprintln(c.stderr, printable(p.Note))
		return
	}
	c.line = stageLine(p, time.Since(c.began))
	interval := 10 * time.Second
	if c.terminal {
		interval = 100 * time.Millisecond
	}
	if time.Since(c.printed) >= interval {
		c.printLine()
	}
}

func (c *console) printLine() {
	c.printed = time.Now()
	if c.terminal {
		fmt.Fprintf(c.stderr, "\r\033[K%s", c.line)
	} else {
		fmt.Fprintln(c.stderr, c.line)
	}
}

// endStage prints the last line of a stage.
func (c *console) endStage() {
	if c.line == "" {
		return
	}
	c.printLine()
	if c.terminal {
		fmt.Fprintln(c.stderr)
	}
	c.line, c.stage = "", ""
}

// Write prints the output of zimwriterfs, which pack zim runs.
func (c *console) Write(text []byte) (int, error) {
	if !c.quiet {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.endStage()
		fmt.Fprint(c.stderr, printable(strings.ReplaceAll(string(text), "\r", "")))
	}
	return len(text), nil
}

// stageLine describes the progress of a stage.
func stageLine(p generator.Progress, elapsed time.Duration) string {
	line := stageNames[p.Stage]
	switch {
	case p.Stage == generator.Attachments:
		line += fmt.Sprintf(" %.1f/%.1f MB", float64(p.Done)/1e6, float64(p.Total)/1e6)
	case p.Total > 0:
		line += fmt.Sprintf(" %d/%d", p.Done, p.Total)
	case p.Done > 0:
		line += fmt.Sprintf(" %d", p.Done)
	}
	if p.Left >= 0 {
		line += fmt.Sprintf(", %d requests left", p.Left)
	}
	switch rest := p.Total - p.Done; {
	case p.Stage == generator.Fetch && p.Left >= 0 && p.Left < rest: // one request for each
		line += ", the rest in later runs"
	case p.Done > 0 && rest > 0 && elapsed > time.Second:
		toGo := time.Duration(float64(elapsed) / float64(p.Done) * float64(rest))
		line += fmt.Sprintf(", %s to go", toGo.Round(time.Second))
	}
	return line
}
