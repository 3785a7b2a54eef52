package page_test

import (
	"bufio"
	"bytes"
	"maps"
	"os"
	"regexp"
	"slices"
	"testing"

	"ayna/generator/page"
)

var (
	heading  = regexp.MustCompile("^#+ `?([^`]+)`?$")
	explains = regexp.MustCompile("^- `\\.([A-Z][A-Za-z]*)`")
)

// TestThemesDocument compares docs/themes.md with what templates are given.
func TestThemesDocument(t *testing.T) {
	data, err := os.ReadFile("../../docs/themes.md")
	if err != nil {
		t.Fatal(err)
	}
	explained := make(map[string][]string)
	under := ""
	for lines := bufio.NewScanner(bytes.NewReader(data)); lines.Scan(); {
		if m := heading.FindStringSubmatch(lines.Text()); m != nil {
			under = m[1]
			explained[under] = []string{}
		} else if m := explains.FindStringSubmatch(lines.Text()); m != nil {
			explained[under] = append(explained[under], m[1])
		}
	}
	vocabulary := page.Vocabulary()
	for _, view := range page.Views() {
		if _, ok := vocabulary[view+".html"]; !ok {
			t.Errorf("export_test.go lacks the view %s", view)
		}
	}
	for _, under := range slices.Sorted(maps.Keys(vocabulary)) {
		names, ok := explained[under]
		slices.Sort(names)
		if !ok {
			t.Errorf("no heading %q; it explains %v", under, vocabulary[under])
		} else if !slices.Equal(names, vocabulary[under]) {
			t.Errorf("%q explains\n%v, templates are given\n%v", under, names, vocabulary[under])
		}
	}
}
