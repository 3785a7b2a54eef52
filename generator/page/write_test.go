package page_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"ayna/archive"
	"ayna/assets"
	"ayna/generator/arrange"
	"ayna/generator/output"
	"ayna/generator/page"
	"ayna/generator/story"
	"ayna/templates"
)

// TestBroken renders from an archive that can no longer be read: the error
// names the record, and pages that show no record are not touched by it.
func TestBroken(t *testing.T) {
	w := newWorld(t, "tr")
	a := w.store(t)
	s, err := arrange.Arrange(ctx, a, arrange.Options{Settings: w.settings})
	if err != nil {
		t.Fatal(err)
	}
	r, err := page.New(story.New(a, s, true), page.Options{Templates: templates.FS})
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	files := make(map[string]output.File)
	for file := range r.Files(ctx) {
		files[file.Path] = file
	}
	for item := range s.Home.Items.All() {
		for _, address := range []string{item.Address(), item.MarkdownAddress()} {
			var b bytes.Buffer
			err := files[address].Write(ctx, &b)
			if want := fmt.Sprintf("%s %s", item.Kind(), item.ID()); err == nil || !strings.Contains(err.Error(), want) || b.Len() > 0 {
				t.Errorf("%s: %v and %d bytes; want an error that names %s and nothing written", address, err, b.Len(), want)
			}
		}
	}
	for _, address := range []string{"404.html", "hakkinda.html", "robots.txt", "sitemap.xml"} {
		if err := files[address].Write(ctx, &bytes.Buffer{}); err != nil {
			t.Errorf("%s: %v", address, err)
		}
	}
}

// TestTogether writes all files at once.
func TestTogether(t *testing.T) {
	w := newWorld(t, "tr")
	r, _ := w.renderer(t)
	want := renderAll(t, r)
	var group sync.WaitGroup
	for file := range r.Files(ctx) {
		group.Go(func() {
			var b bytes.Buffer
			if err := file.Write(ctx, &b); err != nil || !bytes.Equal(b.Bytes(), want.files[file.Path]) {
				t.Errorf("%s: %v, or other bytes than alone", file.Path, err)
			}
		})
	}
	group.Wait()
}

func TestCancelled(t *testing.T) {
	r, _ := newWorld(t, "tr").renderer(t)
	cancelled, cancel := context.WithCancel(ctx)
	defer cancel()
	n, last := 0, error(nil)
	for _, err := range r.Files(cancelled) {
		if n++; n == 3 {
			cancel()
		}
		last = err
	}
	if n != 4 || !errors.Is(last, context.Canceled) {
		t.Errorf("%d files and %v after the third cancelled", n, last)
	}
}

func BenchmarkArticle(b *testing.B) {
	const name = "ekonomi/liman/kopru-onarimi-bitti-41000011.html"
	w := newWorld(b, "tr")
	w.prepared = true
	r, _ := w.renderer(b)
	for file := range r.Files(ctx) {
		if file.Path != name {
			continue
		}
		b.ReportAllocs()
		var out bytes.Buffer
		for b.Loop() {
			out.Reset()
			if err := file.Write(ctx, &out); err != nil {
				b.Fatal(err)
			}
		}
		b.SetBytes(int64(out.Len()))
	}
}

// BenchmarkFiles lists the files of a site without rendering any.
func BenchmarkFiles(b *testing.B) {
	r, _ := newWorld(b, "tr").renderer(b)
	b.ReportAllocs()
	files := 0
	for b.Loop() {
		for range r.Files(ctx) {
			files++
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(files), "ns/file")
}

// A site's owner replaces one template and leaves the others as they are.
func ExampleOptions() {
	own := with("notfound.html", "")
	own["notfound.html"].Data = []byte(`{{define "main"}}<h1>{{.Words.NotFoundTitle}}!</h1>{{end}}`)

	a, err := archive.Memory(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer a.Close()
	s, err := arrange.Arrange(ctx, a, arrange.Options{Settings: exampleSettings()})
	if err != nil {
		fmt.Println(err)
		return
	}
	shared, err := page.Assets(assets.FS, page.Branding{})
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := page.New(story.New(a, s, false), page.Options{Templates: own, Assets: shared})
	if err != nil {
		fmt.Println(err)
		return
	}
	for file := range r.Files(ctx) {
		if file.Path != "404.html" {
			continue
		}
		var b strings.Builder
		if err := file.Write(ctx, &b); err != nil {
			fmt.Println(err)
			return
		}
		_, main, _ := strings.Cut(b.String(), `<main id="main">`)
		main, _, _ = strings.Cut(main, "</main>")
		fmt.Println(strings.TrimSpace(main))
	}
	// Output: <h1>Page not found!</h1>
}
