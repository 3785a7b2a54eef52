package search_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"ayna/generator/search"
	"ayna/generator/site"
	"ayna/testrun"
)

// updated makes an index beside a published one, as a build does, and returns it with the
// number of texts that were read.
func (p *paper) updated(t testing.TB, published tree) (made tree, read int) {
	t.Helper()
	r := search.NewOf(p.site, p.teasers, func(ctx context.Context, items []site.Item) ([]string, int, error) {
		read += len(items)
		return p.textsOf(ctx, items)
	})
	r.Cut(200, 50)
	if published.files != nil {
		r.Beside(published.fs())
	}
	read = 0
	made.files = make(map[string]string)
	for file, err := range r.Files(ctx) {
		if err != nil {
			t.Fatal(err)
		}
		if old, ok := published.files[file.Path]; ok && file.Unchanged {
			made.files[file.Path] = old
			continue
		}
		var b bytes.Buffer
		if err := file.Write(ctx, &b); err != nil {
			t.Fatal(err)
		}
		made.files[file.Path] = b.String()
	}
	return made, read
}

// edit changes an item, and may change which words it has of its own.
func (p *paper) edit(r *rand.Rand, z zipf, item int) {
	part := []*[]string{&p.titles, &p.spots, &p.texts}[r.IntN(3)]
	words := strings.Fields((*part)[item] + " son")
	switch r.IntN(4) {
	case 0:
		words = words[1:]
	case 1:
		words = append(words, fmt.Sprintf("yeni%d", r.IntN(9)))
	case 2:
		words[r.IntN(len(words))] = z.text(r, 1)
	case 3:
		words = strings.Fields(z.text(r, 1+r.IntN(40)))
	}
	(*part)[item] = strings.Join(words, " ")
}

// TestUpdate: a segment that is made of its published terms and the texts that changed is
// the one made of all texts.
func TestUpdate(t *testing.T) {
	const n = 430 // segments of 200, 200, and 30
	z := vocabulary()
	p := print(t, n, z.brief)
	published, _ := p.updated(t, tree{})
	r := rand.New(rand.NewPCG(9, 10))
	for round := range (testrun.Counts{Short: 3, Plain: 12, Long: 300}).Now() {
		edits := 1 + r.IntN(1<<r.IntN(6))
		files := make(map[int]bool)
		for range edits {
			item := r.IntN(n)
			p.edit(r, z, item)
			files[item/5] = true
		}
		want, _ := p.updated(t, tree{})
		got, read := p.updated(t, published)
		if paths := changed(t, want, got); len(paths) > 0 || len(want.files) != len(got.files) {
			t.Fatalf("round %d: %v differ", round, paths)
		}
		if read > n+5*len(files) { // all for their versions, which are the texts themselves here
			t.Errorf("round %d: %d texts were read for %d edits", round, read, edits)
		}
		published = got
	}
}

// TestUpdateOfDamaged: where the published files are not what they were, or are not all of
// the same build, the segment is made of all texts.
func TestUpdateOfDamaged(t *testing.T) {
	const n, item = 430, 217 // in the second segment
	z := vocabulary()
	for name, damage := range map[string]func(published, before tree){
		"none":           func(tree, tree) {},
		"head missing":   func(published, _ tree) { delete(published.files, "arama/index.1.js") },
		"head cut":       func(published, _ tree) { published.cut("arama/index.1.js") },
		"words left out": func(published, _ tree) { published.replace("arama/index.1.js", ",65536)", ",16384)") },
		"terms missing":  func(published, _ tree) { delete(published.files, "arama/index.1/7.js") },
		"terms cut":      func(published, _ tree) { published.cut("arama/index.1/7.js") },
		"a list":         func(published, _ tree) { published.replace("arama/index.1/7.js", "|", "A|") },
		"older terms": func(published, before tree) {
			published.files["arama/index.1/7.js"] = before.files["arama/index.1/7.js"]
		},
		"older items": func(published, before tree) {
			published.files["arama/index.items/43.js"] = before.files["arama/index.items/43.js"]
		},
		"items missing": func(published, _ tree) { delete(published.files, "arama/index.items/50.js") },
		"items cut":     func(published, _ tree) { published.files["arama/index.items/50.js"] = "ayna(" },
	} {
		t.Run(name, func(t *testing.T) {
			p := print(t, n, z.brief)
			before, _ := p.updated(t, tree{})
			was := p.texts[item]
			p.texts[item] = "metin"
			published, _ := p.updated(t, tree{})
			damage(published, before)
			p.texts[item], p.titles[item+20] = was, "başlık" // the older items are now those that are wanted
			want, _ := p.updated(t, tree{})
			got, read := p.updated(t, published)
			if paths := changed(t, want, got); len(paths) > 0 {
				t.Errorf("%v differ", paths)
			}
			if updated := read < n+100; updated != (name == "none") {
				t.Errorf("%d texts were read", read)
			}
		})
	}
}

func (made tree) cut(path string) { made.files[path] = made.files[path][:len(made.files[path])/2] }

func (made tree) replace(path, old, with string) {
	made.files[path] = strings.Replace(made.files[path], old, with, 1)
}

// brief has few words, so that many indexes are soon made.
func (z zipf) brief(r *rand.Rand, _ int) (title, spot, text string) {
	return "ortak " + z.text(r, 4), z.text(r, 8), z.text(r, 40)
}
