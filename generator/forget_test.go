package generator_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"ayna/archive"
	"ayna/generator"
	"ayna/generator/output"
)

// What was taken out for good is in no tree that can be gone back to, also if
// the run that was to take it out did not come that far.
func TestD55ForgottenInEveryTree(t *testing.T) {
	t.Parallel()
	offline := func(o *generator.Options) { o.Offline = true }
	for _, test := range []struct {
		name  string
		after func(t *testing.T, p *press, forget func(*generator.Options))
	}{
		{"cut short, and built", func(t *testing.T, p *press, forget func(*generator.Options)) {
			p.cutShort(t, forget)
			p.mustBuild(t, offline)
		}},
		{"cut short, and repeated after a build", func(t *testing.T, p *press, forget func(*generator.Options)) {
			p.cutShort(t, forget)
			p.mustBuild(t, offline)
			p.mustBuild(t, forget)
		}},
		{"taken out of the archive only, and built", func(t *testing.T, p *press, forget func(*generator.Options)) {
			p.mustBuild(t, func(o *generator.Options) { forget(o); o.NoSite = true })
			p.mustBuild(t, offline)
		}},
		{"repeated after an old tree was put back", func(t *testing.T, p *press, forget func(*generator.Options)) {
			old := os.DirFS(p.config.Output)
			previous := filepath.Join(p.hidden(), "previous")
			if err := os.CopyFS(filepath.Join(p.dir, "old"), old); err != nil {
				t.Fatal(err)
			}
			p.mustBuild(t, forget)
			if err := os.Rename(filepath.Join(p.dir, "old"), previous); err != nil {
				t.Fatal(err)
			}
			p.mustBuild(t, forget)
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			p := newPress(t)
			p.config.Media, p.config.Content.Include = "link", []string{"/yasam/"}
			for _, p.config.Title = range []string{"1", "2", "3"} { // for every tree to have it
				p.mustBuild(t, func(*generator.Options) {})
			}
			_, second := twoArticles(t, p.config.Archive)
			test.after(t, p, func(o *generator.Options) { o.Forget = &generator.Forget{Kind: second.Kind, ID: second.ID} })
			p.checkForgotten(t, second)

			p.config.Title = "4"
			p.mustBuild(t, offline)
			p.checkForgotten(t, second)
			if err := output.Rollback(p.config.Output); err != nil { // to what was made since
				t.Error(err)
			}
		})
	}
}

// cutShort ends a build when it begins to arrange the site.
func (p *press) cutShort(t *testing.T, change func(*generator.Options)) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	_, err := p.build(ctx, func(o *generator.Options) {
		change(o)
		o.Progress = func(progress generator.Progress) {
			if progress.Stage == generator.Arrange {
				cancel()
			}
		}
	})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v", err)
	}
}

// hidden is the folder that holds the other trees.
func (p *press) hidden() string {
	return filepath.Join(filepath.Dir(p.config.Output), output.HiddenName(filepath.Base(p.config.Output)))
}

// checkForgotten looks for a record that was taken out in all that is published
// or could be.
func (p *press) checkForgotten(t *testing.T, record *archive.Record) {
	t.Helper()
	for _, dir := range []string{p.config.Output, p.hidden()} {
		err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			data, err := os.ReadFile(name)
			if bytes.Contains(data, []byte(record.ID)) {
				t.Errorf("%s still mentions %s %s", name, record.Kind, record.ID)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
