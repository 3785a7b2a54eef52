package generator_test

import (
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// The catalogue of faults and the tests agree: what it calls covered is covered
// where it says, what it calls open is not, and no test names a fault that it
// does not know.
func TestCatalogueOfFaults(t *testing.T) {
	root := os.DirFS("..")
	catalogue, err := fs.ReadFile(root, "docs/faults.md")
	if err != nil {
		t.Fatal(err)
	}
	covered := coveredFaults(t, root)
	known := make(map[string]bool)
	for _, row := range catalogueRow.FindAllStringSubmatch(string(catalogue), -1) {
		id, places := row[1], row[2]
		if known[id] {
			t.Errorf("docs/faults.md lists %s twice", id)
		}
		known[id] = true
		if places == "open" {
			if len(covered[id]) > 0 {
				t.Errorf("docs/faults.md calls %s open; it is covered in %q: say so there", id, covered[id])
			}
			continue
		}
		for place := range strings.SplitSeq(places, ", ") {
			if place = strings.Trim(place, "`"); !slices.Contains(covered[id], place) {
				t.Errorf("docs/faults.md says that %s is covered in %s, where no test names it", id, place)
			}
		}
	}
	for id, places := range covered {
		if !known[id] {
			t.Errorf("docs/faults.md does not list %s, which tests name in %q", id, places)
		}
	}
	if len(known) < 150 {
		t.Errorf("docs/faults.md lists only %d faults that could be read", len(known))
	}
}

var catalogueRow = regexp.MustCompile(`(?m)^\| ([A-Z]\d+) \| .+ \| .+ \| (.+) \|$`)

// coveredFaults returns for each fault that tests name the packages they are
// of, or the script that holds the step.
func coveredFaults(t *testing.T, root fs.FS) map[string][]string {
	t.Helper()
	covered := make(map[string][]string)
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			hidden := strings.HasPrefix(name, ".") && name != "." && name != ".ci"
			if hidden || name == "public" || d.Name() == "fuzz" {
				return fs.SkipDir
			}
			return nil
		}
		place, data, isData := strings.Cut(name, "/testdata/")
		switch {
		case path.Dir(name) == ".ci":
			place = name
		case strings.HasSuffix(name, "_test.go"):
			place = path.Dir(name)
		case !isData || data == "":
			return nil
		}
		text, err := fs.ReadFile(root, name)
		for _, id := range faultsIn(string(text)) {
			if !slices.Contains(covered[id], place) {
				covered[id] = append(covered[id], place)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return covered
}

var (
	faultIDs = regexp.MustCompile(`(?:[TDLBSVC]\d\d|P\d\d?)+`)
	faultID  = regexp.MustCompile(`[A-Z]\d+`)
)

// faultsIn returns the faults that a text names: alone, or several run together
// as in the name of a function. What only looks like one is left out: a part of
// a longer word, the time in a date, and a string that is nothing else.
func faultsIn(text string) []string {
	var ids []string
	text = " " + text + "  "
	for _, at := range faultIDs.FindAllStringIndex(text, -1) {
		last, next, second := rune(text[at[0]-1]), rune(text[at[1]]), rune(text[at[1]+1])
		switch {
		case unicode.IsDigit(last), unicode.IsUpper(last), unicode.IsDigit(next),
			next == ':' && unicode.IsDigit(second),
			last == '"' && next == '"':
			continue
		}
		ids = append(ids, faultID.FindAllString(text[at[0]:at[1]], -1)...)
	}
	return ids
}
