package ayna_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

var (
	code    = regexp.MustCompile("(?ms)^```.*?^```$|^(    |\t).*?$|`[^`\n]+`")
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading = regexp.MustCompile(`(?m)^#+ +(.+?) *$`)
)

// TestLinksBetweenDocuments follows the links of all documents to files and to headings,
// whose anchors are made as GitHub makes them.
func TestLinksBetweenDocuments(t *testing.T) {
	links := 0
	err := filepath.WalkDir(".", func(file string, entry fs.DirEntry, err error) error {
		if name := entry.Name(); entry.IsDir() && (name == "testdata" || name == "public" || name == "dist" || len(name) > 1 && name[0] == '.') {
			return fs.SkipDir
		}
		if err != nil || filepath.Ext(file) != ".md" {
			return err
		}
		for _, m := range link.FindAllStringSubmatch(code.ReplaceAllString(read(t, file), ""), -1) {
			name, anchor, hasAnchor := strings.Cut(m[1], "#")
			if strings.Contains(name, ":") { // of another host
				continue
			}
			links++
			target := filepath.Join(filepath.Dir(file), filepath.FromSlash(name))
			if name == "" {
				target = file
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s: the link %s: %v", file, m[1], err)
			} else if hasAnchor && !slices.Contains(anchors(read(t, target)), anchor) {
				t.Errorf("%s: the link %s: %s has no such heading", file, m[1], target)
			}
		}
		return nil
	})
	if err != nil || links < 50 {
		t.Errorf("%d links, %v", links, err)
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// anchors returns the anchors of a document's headings.
func anchors(text string) (all []string) {
	for _, m := range heading.FindAllStringSubmatch(regexp.MustCompile("(?ms)^```.*?^```$").ReplaceAllString(text, ""), -1) {
		anchor := strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_':
				return unicode.ToLower(r)
			}
			return -1
		}, regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`).ReplaceAllString(m[1], "$1"))
		for n, first := 1, anchor; slices.Contains(all, anchor); n++ {
			anchor = fmt.Sprintf("%s-%d", first, n)
		}
		all = append(all, anchor)
	}
	return all
}
