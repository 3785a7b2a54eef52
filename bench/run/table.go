//go:build linux

package main

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// block holds the measurements of one newspaper in one directory.
type block struct {
	items      int
	on         string // tmpfs or disk
	costs      map[step][]cost
	floor      []float64 // seconds
	ayna, hugo tree      // after the last build
}

// table is the result as Markdown.
type table struct {
	machine, versions string
	rounds            int
	blocks            []block
}

var buildNames = map[string]string{
	first: "full, first time", full: "full", unchanged: "nothing changed", added: fmt.Sprint(newItems, " new"), edited: "1 edited",
	changed: changedShare + " % changed",
}

func (t table) write(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s. %s. %s; memory is the peak.\n\n", t.machine, t.versions, t.counted())
	b.WriteString("| items | on | build | ayna s | CPU s | MiB | Hugo s | CPU s | MiB | Hugo ÷ ayna |\n")
	b.WriteString("|--:|---|---|--:|--:|--:|--:|--:|--:|--:|\n")
	for _, block := range t.blocks {
		for _, build := range []string{first, full, unchanged, added, edited, changed} {
			block.row(&b, build)
		}
	}
	b.WriteString("\n| items | on | ayna files | MB | Hugo files | MB | write floor s | ayna full ÷ floor |\n")
	b.WriteString("|--:|---|--:|--:|--:|--:|--:|--:|\n")
	for _, block := range t.blocks {
		block.trees(&b)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (t table) counted() string {
	if t.rounds == 1 {
		return "One round"
	}
	return fmt.Sprintf("Medians of %d rounds", t.rounds)
}

// row compares one build. Hugo's full build is compared with both ayna's first and
// its later full build.
func (k *block) row(b *strings.Builder, build string) {
	ours, theirs := k.costs[step{ayna, build}], k.costs[step{hugo, build}]
	if build == first {
		theirs = k.costs[step{hugo, full}]
	}
	fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %s |\n", grouped(k.items), k.on, buildNames[build],
		strings.Join(cells(ours), " | "), strings.Join(cells(theirs), " | "), ratio(wall(theirs), wall(ours)))
}

func (k *block) trees(b *strings.Builder) {
	fmt.Fprintf(b, "| %s | %s", grouped(k.items), k.on)
	for _, t := range []tree{k.ayna, k.hugo} {
		if t.files == 0 {
			b.WriteString(" | – | –")
			continue
		}
		fmt.Fprintf(b, " | %s | %s", grouped(t.files), grouped(int((t.bytes+500_000)/1_000_000)))
	}
	floor := "–"
	if len(k.floor) > 0 {
		floor = number(median(k.floor))
	}
	fmt.Fprintf(b, " | %s | %s |\n", floor, ratio(wall(k.costs[step{ayna, full}]), median(k.floor)))
}

// cells returns wall time, CPU time and memory.
func cells(costs []cost) []string {
	if len(costs) == 0 {
		return []string{"–", "–", "–"}
	}
	of := func(value func(cost) float64) float64 {
		var values []float64
		for _, c := range costs {
			values = append(values, value(c))
		}
		return median(values)
	}
	return []string{
		number(wall(costs)), number(of(func(c cost) float64 { return c.cpu })), fmt.Sprintf("%.0f", of(func(c cost) float64 { return c.memory })),
	}
}

func wall(costs []cost) float64 {
	var values []float64
	for _, c := range costs {
		values = append(values, c.wall)
	}
	return median(values)
}

// median returns 0 if there are no values.
func median(values []float64) float64 {
	n := len(values)
	if n == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// ratio returns the first divided by the second.
func ratio(a, b float64) string {
	if a == 0 || b == 0 {
		return "–"
	}
	return number(a / b)
}

// number formats a number with at least three digits.
func number(f float64) string {
	switch {
	case f < 1:
		return fmt.Sprintf("%.3f", f)
	case f < 10:
		return fmt.Sprintf("%.2f", f)
	case f < 100:
		return fmt.Sprintf("%.1f", f)
	}
	return grouped(int(f + 0.5))
}

// grouped formats a number with commas between thousands.
func grouped(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
