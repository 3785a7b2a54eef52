package assets_test

import (
	"io/fs"
	"os"
	"regexp"
	"testing"

	"ayna/assets"
)

// TestNoSides: style sheets name no left and right, so that pages in Arabic are mirrored, and
// no list of languages, which not all browsers know.
func TestNoSides(t *testing.T) {
	names, err := fs.Glob(assets.FS, "*.css")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	sheets := map[string][]byte{}
	for _, name := range names {
		if sheets[name], err = fs.ReadFile(assets.FS, name); err != nil {
			t.Fatal(err)
		}
	}
	if sheets["book.css"], err = os.ReadFile("../export/epub/book.css"); err != nil {
		t.Fatal(err)
	}
	comment := regexp.MustCompile(`(?s)/\*.*?\*/`)
	// Of four different sides the second and the fourth are right and left.
	side := regexp.MustCompile(`[^;{}]*\b(?:left|right)\b[^;{}]*|\b(?:margin|padding|border-width|inset): *([^ ;()]+) ([^ ;()]+) ([^ ;()]+) ([^ ;()]+);`)
	lists := regexp.MustCompile(`:lang\([^)]*,`) // Chromium leaves out such a rule
	for name, sheet := range sheets {
		if list := lists.Find(sheet); list != nil {
			t.Errorf("%s: %s; use :is(:lang(…), :lang(…))", name, list)
		}
		for _, m := range side.FindAllSubmatch(comment.ReplaceAll(sheet, nil), -1) {
			if string(m[2]) != string(m[4]) || len(m[1]) == 0 {
				t.Errorf("%s: %s; use logical properties", name, m[0])
			}
		}
	}
}
