package sourcetest

import (
	"fmt"
	"maps"
	"slices"
	"testing"
)

// A check is a row that runs. It keeps failures, since a row that is known to fail must
// have some.
type check struct {
	*testing.T
	row      string
	part     string // "" outside of parts
	parts    []string
	failures map[string][]string // by part
}

// in runs a part of a row, which counts as a row of its own.
func (c *check) in(part string, run func()) {
	if !slices.Contains(c.parts, part) {
		c.parts = append(c.parts, part)
	}
	outer := c.part
	c.part = part
	defer func() { c.part = outer }()
	c.stopping(run)
}

// A stop ends a row or a part.
type stop struct{}

// stopping runs a function that Fatalf may end.
func (c *check) stopping(run func()) {
	defer func() {
		if p := recover(); p != nil && p != (stop{}) {
			panic(p)
		}
	}()
	run()
}

func (c *check) Errorf(format string, args ...any) {
	c.failures[c.part] = append(c.failures[c.part], fmt.Sprintf(format, args...))
}

func (c *check) Fatalf(format string, args ...any) {
	c.Errorf(format, args...)
	panic(stop{})
}

// shorten leaves only a few of the failures since there were so many.
func (c *check) shorten(before int) {
	const most = 4
	if all := c.failures[c.part]; len(all) > before+most {
		c.failures[c.part] = append(all[:before+most:before+most], fmt.Sprintf("and %d more", len(all)-before-most))
	}
}

// settle reports what has failed. It returns how many rows ran, each part as one.
func (c *check) settle() (ran int) {
	c.T.Helper()
	for _, part := range slices.Sorted(maps.Keys(c.failures)) {
		name := c.row
		if part != "" {
			name += ": " + part
		}
		for _, failure := range c.failures[part] {
			c.T.Errorf("%s: %s", name, failure)
		}
	}
	return max(1, len(c.parts))
}
