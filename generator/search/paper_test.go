package search_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"ayna/generator/search"
	"ayna/generator/site"
	"ayna/generator/story"
	"ayna/testrun/fakepaper"
)

// paper is a newspaper in memory.
type paper struct {
	site                 *site.Site
	titles, spots, texts []string // by row; the oldest item has 0
}

// print makes a newspaper of so many items; words are the title, the spot and
// the text of one. A few items have a kind, a year and a folder that are rare.
func print(t testing.TB, n int, words func(r *rand.Rand, i int) (title, spot, text string)) *paper {
	t.Helper()
	language, err := site.WordsFor("tr")
	if err != nil {
		t.Fatal(err)
	}
	p := &paper{site: &site.Site{Settings: site.Settings{Language: "tr", Words: language, Location: time.UTC}}}
	var folders []*site.Folder
	add := func(dir, title string, parent *site.Folder) *site.Folder {
		f := &site.Folder{List: site.List{Dir: dir, Title: title}, Parent: parent}
		p.site.Folders = append(p.site.Folders, f)
		return f
	}
	for i := range 8 {
		top := add(fmt.Sprintf("bolum-%d", i), fmt.Sprintf("Bölüm %d", i), nil)
		for j := range 5 {
			folders = append(folders, add(fmt.Sprintf("%s/alt-%d", top.Dir, j), fmt.Sprintf("Alt %d", j), top))
		}
	}
	rare := add("nadir", "Nadir", nil)
	p.site.FolderOf = append(folders, rare)
	r := rand.New(rand.NewPCG(1, 2))
	drafts := make([]site.Draft, n)
	for i := range n {
		title, spot, text := words(r, i)
		p.titles, p.spots, p.texts = append(p.titles, title), append(p.spots, spot), append(p.texts, text)
		at := time.Date(2004, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(i) * 20 * 365 * 24 * time.Hour / time.Duration(n))
		d := site.Draft{
			Row: int64(i), Kind: site.Article, ID: fmt.Sprintf("4%07d", i),
			Folder: r.IntN(len(folders)), Published: at.UnixMilli(),
		}
		switch {
		case i%1000 == 0:
			d.Kind = site.Gallery
		case i%30_000 == 17:
			d.Folder = len(folders)
		case i%30_000 == 18:
			d.Published = time.Date(1999, 1, 1, 0, 0, 0, 0, time.UTC).UnixMilli()
		}
		d.Address = site.ItemAddress(p.site.FolderOf[d.Folder], title, d.ID, "tr")
		drafts[n-1-i] = d
	}
	for i := range drafts {
		item := p.site.Add(&drafts[i])
		for f := item.Folder(); f != nil; f = f.Parent {
			f.Items.Append(item)
		}
	}
	p.site.Home.Items = p.site.Collection.Items()
	p.site.All = p.site.Home.Items
	return p
}

func (p *paper) teasers(_ context.Context, items []site.Item) ([]story.Teaser, error) {
	teasers := make([]story.Teaser, len(items))
	for i, item := range items {
		teasers[i] = story.Teaser{Item: item, Title: p.titles[item.Row()], Spot: p.spots[item.Row()]}
	}
	return teasers, nil
}

func (p *paper) textsOf(_ context.Context, items []site.Item) (texts []string, err error) {
	for _, item := range items {
		texts = append(texts, p.texts[item.Row()])
	}
	return texts, nil
}

func (p *paper) render(t testing.TB) tree {
	t.Helper()
	return render(t, search.NewOf(p.site, p.teasers, p.textsOf))
}

// zipf are words, and how frequent each is by Zipf's law.
type zipf struct {
	words []string
	fakepaper.Ranks
}

func frequencies(words []string) zipf { return zipf{words, fakepaper.Zipf(len(words), 2)} }

// vocabulary is 60,000 words.
func vocabulary() zipf {
	r := rand.New(rand.NewPCG(3, 4))
	pick := func(letters string) string {
		all := []rune(letters)
		return strings.Trim(string(all[r.IntN(len(all))]), " ")
	}
	var words []string
	known := make(map[string]bool)
	for len(words) < 60_000 {
		word := ""
		for range 1 + r.IntN(2) + r.IntN(3) {
			word += pick("bcçdfghklmnprsştvyz  ") + pick("aeıioöuüaei") + pick("    nrlkmtsş")
		}
		if !known[word] {
			known[word] = true
			words = append(words, word)
		}
	}
	return frequencies(words)
}

// oneBeginning is the words that begin with the same three letters.
func oneBeginning() zipf {
	const letters = "abcdefghijklmnoprstuvyz0123456789"
	var words []string
	for _, a := range letters {
		for _, b := range letters {
			words = append(words, "kar"+string(b)+string(a))
		}
	}
	return frequencies(words)
}

func (z zipf) text(r *rand.Rand, n int) string {
	words := make([]string, n)
	for i := range words {
		words[i] = z.words[z.Pick(r)]
	}
	return strings.Join(words, " ")
}

// news is how the words of a newspaper are mixed, if one word is in every title.
func (z zipf) news(r *rand.Rand, _ int) (title, spot, text string) {
	return "ortak " + z.text(r, 6+r.IntN(6)), z.text(r, 15+r.IntN(25)), z.text(r, 200+r.IntN(200))
}

// stems are words that are everywhere, and of which no item has all.
var stems = []string{"abc", "dez", "fiv", "guk", "hom", "jul"}

// apart has all stems but one, each in the title, the spot or the text, as
// it is or as the beginning of another word.
func apart(r *rand.Rand, i int) (title, spot, text string) {
	for n, stem := range stems {
		if n == i%len(stems) {
			continue
		}
		if r.IntN(2) == 0 {
			stem += string(rune('a'+r.IntN(26))) + string(rune('a'+r.IntN(26)))
		}
		*[]*string{&title, &spot, &text}[r.IntN(3)] += stem + " "
	}
	return title + fmt.Sprint(i), spot, text
}

// flood has words that no other item has, of letters that take four bytes.
func flood(r *rand.Rand, i int) (title, spot, text string) {
	var b strings.Builder
	for range 2000 {
		for range 5 {
			b.WriteRune(rune(0x10400 + 40 + r.IntN(40))) // Deseret, small letters
		}
		b.WriteByte(' ')
	}
	return fmt.Sprintf("Sayı a%d", i), "", b.String()
}
