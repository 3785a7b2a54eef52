package generator_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"ayna/archive"
	"ayna/generator"
	"ayna/generator/output"
	"ayna/generator/swap"
	"ayna/testrun"
)

// What was taken out for good is in no tree that can be gone back to, also if
// the run that was to take it out did not come that far.
func TestForgottenInEveryTree(t *testing.T) {
	testrun.NotShort(t)
	t.Parallel()
	both := newPress(t)
	for _, both.config.Title = range []string{"1", "2"} { // for both trees to have it
		both.mustBuild(t, func(*generator.Options) {})
	}
	for _, test := range []struct {
		name  string
		after func(t *testing.T, p *press, second *archive.Record)
	}{
		{"repeated after an old tree was put back", func(t *testing.T, p *press, second *archive.Record) {
			old := os.DirFS(p.config.Output)
			previous := filepath.Join(p.hidden(), "previous")
			if err := os.CopyFS(filepath.Join(p.dir, "old"), old); err != nil {
				t.Fatal(err)
			}
			p.mustForget(t, second)
			if err := os.Rename(filepath.Join(p.dir, "old"), previous); err != nil {
				t.Fatal(err)
			}
			p.mustForget(t, second)
		}},
		{"mentioned by a damaged record", func(t *testing.T, p *press, second *archive.Record) {
			db, err := sql.Open("sqlite", p.config.Archive)
			if err != nil {
				t.Fatal(err)
			}
			result, err := db.Exec(`UPDATE raw SET single = substr(single, 1, length(single) - 9) WHERE single LIKE '%' || ? || '%' AND row <> ?`, second.ID, second.Row)
			if err := errors.Join(err, db.Close()); err != nil {
				t.Fatal(err)
			}
			if n, err := result.RowsAffected(); n == 0 || err != nil {
				t.Fatalf("%d records mention %s, %v", n, second.ID, err)
			}
			p.mustForget(t, second)
		}},
		{"killed after the trees were exchanged, and read", func(t *testing.T, p *press, second *archive.Record) {
			old, state := filepath.Join(p.dir, "old"), filepath.Join(p.hidden(), "state")
			before, err := os.ReadFile(state)
			if err == nil {
				err = os.CopyFS(old, os.DirFS(p.config.Output))
			}
			p.mustForget(t, second)
			manifest, errManifest := os.ReadFile(filepath.Join(p.config.Output, swap.Identity))
			err = errors.Join(err, errManifest,
				os.WriteFile(filepath.Join(p.hidden(), "next"), fmt.Appendf(nil, "stage %x\n", sha256.Sum256(manifest)), 0o644),
				os.Rename(old, filepath.Join(p.hidden(), "stage")), os.WriteFile(state, before, 0o644))
			if err == nil {
				err = generator.FinishForget(t.Context(), p.options(func(*generator.Options) {}))
			}
			if err != nil {
				t.Fatal(err)
			}
		}},
		{"cut short, and ended by a build that checks its site", func(t *testing.T, p *press, second *archive.Record) {
			p.cutShort(t, second)
			report := p.mustBuild(t, func(o *generator.Options) { o.Check = true })
			if c := report.Check; c == nil || c.Records == 0 || c.Files == 0 || len(c.Site) > 0 {
				t.Errorf("checked: %+v", report.Check)
			}
		}},
		{"cut short, before a run that the source refuses", func(t *testing.T, p *press, second *archive.Record) {
			p.cutShort(t, second)
			refused := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no", http.StatusUnauthorized) })
			if report, err := p.build(t.Context(), func(o *generator.Options) {
				o.Hosts = make(map[string]http.Handler)
				for host := range p.hosts {
					o.Hosts[host] = refused
				}
			}); err == nil {
				t.Errorf("no error: %+v", report.Sync)
			}
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			p := both.copy(t)
			_, second := twoArticles(t, p.config.Archive)
			test.after(t, p, second)
			p.checkForgotten(t, second)

			p.config.Title = "4"
			p.offline(t)
			p.checkForgotten(t, second)
			if err := output.Rollback(p.config.Output); err != nil { // to what was made since
				t.Error(err)
			}
		})
	}
}

// cutShort ends the taking out of a record when it begins to arrange the site.
func (p *press) cutShort(t *testing.T, stored *archive.Record) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	o := p.options(func(o *generator.Options) {
		o.Progress = func(progress generator.Progress) {
			if progress.Stage == generator.Arrange {
				cancel()
			}
		}
	})
	if _, err := generator.Forget(ctx, o, stored.Kind, stored.ID, false); !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v", err)
	}
}

// hidden is the folder that holds the other trees.
func (p *press) hidden() string {
	return filepath.Join(filepath.Dir(p.config.Output), swap.HiddenName(filepath.Base(p.config.Output)))
}

// checkForgotten looks for a record that was taken out in all that is published
// or could be.
func (p *press) checkForgotten(t *testing.T, stored *archive.Record) {
	t.Helper()
	for _, dir := range []string{p.config.Output, p.hidden()} {
		err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			data, err := os.ReadFile(name)
			if bytes.Contains(data, []byte(stored.ID)) {
				t.Errorf("%s still mentions %s %s", name, stored.Kind, stored.ID)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
