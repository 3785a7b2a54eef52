package generator_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ayna/archive"
	"ayna/generator"
	"ayna/generator/output"
	"ayna/record"
	"ayna/testrun/fakepaper"
)

// The archive keeps the order of a navigation that was published, and no other.
func TestOnlyAPublishedNavigationIsKept(t *testing.T) {
	t.Parallel()
	p, err := openPress(t.TempDir())
	if err == nil {
		err = os.Mkdir(filepath.Dir(p.config.Archive), 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	p.config.Content.Include, p.config.Content.Removed = nil, "drop"
	put := func(tx *archive.Tx, month string, paths ...string) (err error) {
		for i, path := range paths {
			r := fakepaper.Item(record.Article, month+fmt.Sprint("-", i), "Path", path, "CreatedDate", month+"-02T10:00:00Z")
			err = errors.Join(err, fakepaper.Store(tx, r))
		}
		return err
	}
	january := strings.Fields(strings.Repeat("/spor/ /spor/ /kent/ ", 15))
	for _, step := range []struct {
		name   string
		change func(*archive.Tx) error
		err    error
		kept   string
	}{
		{"the first", func(tx *archive.Tx) error { return put(tx, "2026-01", january...) }, nil, `"2026-01","folders":["/spor/","/kent/"]`},
		{"without a section", func(tx *archive.Tx) (err error) {
			for i, path := range january {
				if path == "/spor/" {
					err = errors.Join(err, tx.MarkGone(record.Article, fmt.Sprint("2026-01-", i), fakepaper.Noon))
				}
			}
			return errors.Join(err, put(tx, "2026-02", "/kent/"))
		}, output.ErrFewer, `"2026-01","folders":["/spor/","/kent/"]`},
		{"with it again", func(tx *archive.Tx) error { return put(tx, "2026-01", january...) }, nil, `"2026-02","folders":["/spor/","/kent/"]`},
	} {
		update(t, p.config.Archive, step.change)
		if _, err := p.build(t.Context(), func(o *generator.Options) { o.Offline = true }); !errors.Is(err, step.err) {
			t.Errorf("%s: %v, want %v", step.name, err, step.err)
		}
		a := fakepaper.Read(t, p.config.Archive)
		if kept, err := a.State.Get(t.Context(), "navigation"); err != nil || !strings.Contains(kept, step.kept) {
			t.Errorf("%s: the archive keeps %s, %v; want %s", step.name, kept, err, step.kept)
		}
		a.Close()
	}
}
