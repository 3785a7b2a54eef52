package config

import (
	"iter"
	"regexp"
	"strings"

	"ayna"
)

// Described is a key of site.yaml as docs/configuration.md describes it.
type Described struct {
	Section string // of the page
	Default string // in words
	Meaning string // in words
}

var (
	keyRow    = regexp.MustCompile("^\\| (`[^|]+`) \\| ([^|]*?) ?\\| (.*) \\|$")
	quotedKey = regexp.MustCompile("`([a-z_.]+)`")
	pageLink  = regexp.MustCompile(`\[([^\]]+)\]\([^)]+\)`)
)

// Descriptions yields the keys of site.yaml in the order of docs/configuration.md, whose
// tables are the one place that describes them.
func Descriptions() iter.Seq2[string, Described] {
	return func(yield func(string, Described) bool) {
		section := ""
		for line := range strings.Lines(ayna.Configuration) {
			line = strings.TrimSpace(line)
			if title, ok := strings.CutPrefix(line, "## "); ok {
				section = title
			}
			row := keyRow.FindStringSubmatch(line)
			if row == nil {
				continue
			}
			for _, key := range quotedKey.FindAllStringSubmatch(row[1], -1) {
				if !yield(key[1], Described{section, withoutLinks(row[2]), withoutLinks(row[3])}) {
					return
				}
			}
		}
	}
}

// withoutLinks leaves the words of links, since their targets are relative to the page.
func withoutLinks(text string) string { return pageLink.ReplaceAllString(text, "$1") }
