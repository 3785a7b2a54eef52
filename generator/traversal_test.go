package generator_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"ayna/archive"
	"ayna/generator"
	"ayna/record"
	"ayna/testrun"
	"ayna/testrun/attack"
	"ayna/testrun/fakepaper"
)

// every returns each n-th string.
func every(n int, all []string) (some []string) {
	for i := 0; i < len(all); i += n {
		some = append(some, all[i])
	}
	return some
}

// Whatever stands in paths, addresses, titles, tags and ids: every record has
// its page, every page is in the site, and no two are one file anywhere.
func TestTraversal(t *testing.T) {
	t.Parallel()
	strange := attack.Traversals()
	// The distances between those that are tried are no divisors of the numbers of ways
	// up and of targets, so each of these is tried.
	strange = every(testrun.Counts{Short: 29, Plain: 13, Long: 1}.Now(), strange)
	p, err := openPress(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p.config.Content.Include, p.config.Markdown = []string{"/"}, true
	p.config.Feeds.Formats = p.config.Feeds.Formats[:1]
	if err := os.Mkdir(filepath.Join(p.dir, "whole"), 0o755); err != nil {
		t.Fatal(err)
	}
	a := fakepaper.Open(t, p.config.Archive)
	stored := make(map[string]bool)
	fakepaper.Update(t, a, func(tx *archive.Tx) error {
		for i, s := range strange {
			n := len(strange)
			r := fakepaper.Fields(record.Article, s, "Title", strange[(i+1)%n], "Path", "/"+strange[(i+2)%n], "Url", "https://haber.example/"+strange[(i+3)%n],
				"Tags", []string{strange[(i+4)%n]}, "Writers", []any{map[string]string{"Id": strange[(i+5)%n], "Fullname": strange[(i+6)%n]}},
				"StartDate", time.Date(2026, 9, 1, 0, i, 0, 0, time.UTC))
			r.Listed = time.Unix(0, 0)
			if err := fakepaper.Store(tx, r); err != nil {
				return err
			}
			stored[s] = true
		}
		return nil
	})
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	report := p.mustBuild(t, func(o *generator.Options) { o.Offline, o.Check = true, true })
	if report.Site.Items != len(stored) || len(report.Files.Failed) > 0 {
		t.Errorf("%d items of %d records, failed: %v", report.Site.Items, len(stored), report.Files.Failed)
	}
	pages, folded := 0, make(map[string]string)
	for name, content := range treeOf(t, p.config.Output) {
		if strings.Contains(string(content), `<meta name="ayna-record"`) {
			pages++
		}
		for part := range strings.SplitSeq(name, "/") {
			if len(part) > 120 || strings.TrimRight(part, ". ") != part || strings.ContainsAny(part, "\\:*?\"<>|\x00") {
				t.Errorf("the name %q", part)
			}
		}
		one := norm.NFC.String(cases.Fold().String(norm.NFC.String(name)))
		if other, taken := folded[one]; taken {
			t.Errorf("%s and %s are one file where case makes no difference", name, other)
		}
		folded[one] = name
	}
	if pages != len(stored) {
		t.Errorf("%d pages of %d records", pages, len(stored))
	}
	outside(t, p.dir)
	t.Logf("%d strings in 7 fields: %d pages, %d files", len(stored), pages, len(folded))
}

// outside finds whatever a build made beside what it is to make.
func outside(t *testing.T, dir string) {
	t.Helper()
	ours := map[string]bool{"public": true, ".public.ayna": true, "whole": true, "site.yaml": true}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !ours[e.Name()] {
			t.Errorf("%s lies beside the site", e.Name())
		}
	}
	err = filepath.WalkDir(filepath.Join(dir, "public"), func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && !d.Type().IsRegular() {
			err = fmt.Errorf("%s is no regular file", name)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}
