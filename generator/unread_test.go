package generator_test

import (
	"path/filepath"
	"testing"

	"ayna/archive"
	"ayna/generator"
	"ayna/record"
	"ayna/testrun/fakepaper"
)

// A date that cannot be read is reported by the run that first has it, one more is new, and
// none that is missing, gone or not shown counts.
func TestUnreadDates(t *testing.T) {
	t.Parallel()
	p, err := openPress(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p.config.Archive, p.config.Content.Exclude = filepath.Join(p.dir, "archive.db"), []string{"/spor/"}
	store := func(kind record.Kind, id, path, date string) {
		t.Helper()
		update(t, p.config.Archive, func(tx *archive.Tx) error {
			return fakepaper.Store(tx, fakepaper.Item(kind, id, "Path", path, "CreatedDate", date))
		})
	}
	for _, step := range []struct {
		name         string
		change       func()
		records, new int
	}{
		{"none", func() {
			store(record.Article, "1", "/yasam/", "2026-03-01")
			store(record.Article, "2", "/yasam/", "")
		}, 0, 0},
		{"the first", func() { store(record.Column, "3", "/yasam/", "\x1b[31mdün") }, 1, 1},
		{"the same", func() {}, 1, 0},
		{"two more", func() {
			store(record.Article, "4", "/yasam/", "03/04/2026")
			store(record.Video, "5", "/yasam/", "31.02.2026")
		}, 3, 2},
		{"not shown", func() { store(record.Article, "6", "/spor/", "dün") }, 3, 0},
		{"gone", func() {
			update(t, p.config.Archive, func(tx *archive.Tx) error { return tx.MarkGone(record.Column, "3", fakepaper.Noon) })
		}, 2, 0},
		{"one more again", func() { store(record.Article, "7", "/yasam/", "dün") }, 3, 1},
		{"by order", func() { p.config.Source.Dates = "dmy" }, 2, 0},
	} {
		step.change()
		report := p.mustBuild(t, func(o *generator.Options) { o.Offline = true })
		var got generator.Unread
		if report.Unread != nil {
			got = *report.Unread
		}
		if got.Records != step.records || got.New != step.new || report.Incomplete() != (step.new > 0) {
			t.Errorf("%s: %+v, incomplete %t", step.name, got, report.Incomplete())
		}
	}
}
