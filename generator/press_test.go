package generator_test

import (
	"bytes"
	"context"
	"hash/fnv"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"ayna/archive"
	"ayna/assets"
	"ayna/generator"
	"ayna/generator/config"
	"ayna/server"
	"ayna/server/sample"
	"ayna/templates"
	"ayna/testrun"
)

// press builds sites from archives in folders of its own.
type press struct {
	dir    string
	config *config.Config
	hosts  map[string]http.Handler
}

// sampleService is the sample's service, which all tests share. Its pictures are plain and
// small, since to scale the sample's own takes longer than all else.
var sampleService = sync.OnceValues(func() (http.Handler, error) {
	service, err := server.Sample(context.Background(), sample.Origin)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.URL.Path, "/resim/") {
			service.ServeHTTP(w, r)
			return
		}
		sum := fnv.New32a()
		io.WriteString(sum, r.URL.Path)
		m := image.NewRGBA(image.Rect(0, 0, 640, 400))
		draw.Draw(m, m.Rect, image.NewUniform(color.RGBA{uint8(sum.Sum32()), uint8(sum.Sum32() >> 8), uint8(sum.Sum32() >> 16), 255}), image.Point{}, draw.Src)
		jpeg.Encode(w, m, nil)
	}), err
})

// shared is the folder of mirrored, once it is made.
var shared string

// mirrored has an archive of the sample, its pictures included, which every press copies.
var mirrored = sync.OnceValues(func() (*press, error) {
	dir, err := os.MkdirTemp("", "generator")
	if err != nil {
		return nil, err
	}
	shared = dir
	p, err := openPress(dir)
	if err == nil {
		_, err = generator.Build(context.Background(), p.options(func(o *generator.Options) { o.NoSite, o.Config.Media = true, "mirror" }))
	}
	return p, err
})

func TestMain(m *testing.M) {
	testrun.InMemory()
	testrun.Offline()
	testrun.SpendMemory()
	code := m.Run()
	os.RemoveAll(shared)
	os.Exit(code)
}

func newPress(t *testing.T) *press {
	t.Helper()
	p, err := mirrored()
	if err != nil {
		t.Fatal(err)
	}
	return p.copy(t)
}

// copy returns a copy of a press and its folder.
func (p *press) copy(t *testing.T) *press {
	t.Helper()
	dir, c := t.TempDir(), *p.config
	if err := os.CopyFS(dir, os.DirFS(p.dir)); err != nil {
		t.Fatal(err)
	}
	c.Archive, c.Output = filepath.Join(dir, "whole", "archive.db"), filepath.Join(dir, "public")
	return &press{dir, &c, p.hosts}
}

func openPress(dir string) (*press, error) {
	p := &press{dir: dir, hosts: make(map[string]http.Handler)}
	name := filepath.Join(p.dir, "site.yaml")
	settings := "base_url: https://ayna.example/haber/\ncontent: {include: [/yasam/]}\nwidths: []\nmarkdown: false\nmedia: link\n" +
		"archive: " + filepath.Join(p.dir, "whole", "archive.db") + "\noutput: " + filepath.Join(p.dir, "public") + "\n"
	if err := os.WriteFile(name, []byte(settings), 0o644); err != nil {
		return nil, err
	}
	origin, err := url.Parse(sample.Origin)
	if err != nil {
		return nil, err
	}
	if p.hosts[origin.Host], err = sampleService(); err != nil {
		return nil, err
	}
	p.config, err = config.Load(name, os.LookupEnv)
	return p, err
}

// build builds, or checks if that is what offline and check stand for.
func (p *press) build(ctx context.Context, change func(*generator.Options)) (*generator.Report, error) {
	o := p.options(change)
	if o.Offline && o.Check {
		return generator.Check(ctx, o)
	}
	return generator.Build(ctx, o)
}

func (p *press) options(change func(*generator.Options)) generator.Options {
	c := *p.config
	o := generator.Options{
		Config: &c, Jobs: 2, Version: "1", SampleURL: sample.Origin, Hosts: p.hosts,
		Templates: templates.FS, Assets: assets.FS, Now: func() time.Time { return time.Date(2026, 11, 2, 0, 0, 0, 0, time.UTC) },
	}
	change(&o)
	return o
}

func (p *press) mustBuild(t *testing.T, change func(*generator.Options)) *generator.Report {
	t.Helper()
	report, err := p.build(t.Context(), change)
	if err != nil {
		t.Fatalf("%v\n%+v", err, report.Check)
	}
	return report
}

// offline makes the site of what the archive holds now.
func (p *press) offline(t *testing.T) {
	t.Helper()
	p.mustBuild(t, func(o *generator.Options) { o.Offline = true })
}

// mustForget takes a record out.
func (p *press) mustForget(t *testing.T, r *archive.Record) {
	t.Helper()
	if _, err := generator.Forget(t.Context(), p.options(func(*generator.Options) {}), r.Kind, r.ID, true); err != nil {
		t.Fatal(err)
	}
}

// treeOf returns the files of a directory by their paths.
func treeOf(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	tree := make(map[string][]byte)
	fsys := os.DirFS(dir)
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		tree[name], err = fs.ReadFile(fsys, name)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// sameFiles compares two trees.
func sameFiles(t *testing.T, what string, a, b map[string][]byte) {
	t.Helper()
	if len(a) < 50 {
		t.Fatalf("%s: only %d files", what, len(a))
	}
	for name, content := range a {
		if other, ok := b[name]; !ok || !bytes.Equal(content, other) {
			t.Errorf("%s: %s differs", what, name)
		}
	}
	for name := range b {
		if _, ok := a[name]; !ok {
			t.Errorf("%s: %s is new", what, name)
		}
	}
}
