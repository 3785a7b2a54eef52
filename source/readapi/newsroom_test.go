package readapi_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"ayna/record"
	"ayna/source"
	"ayna/source/readapi"
	"ayna/source/sourcetest"
	"ayna/testrun/fakepaper"
)

func TestSource(t *testing.T) { sourcetest.Run(t, newsroom) }

var newsroom = sourcetest.Newsroom{
	Open: func(_ testing.TB, items int, key string) sourcetest.Paper {
		return &paper{fakepaper.New(fakepaper.Options{Base: "https://haber.example", Items: items * 10 / 6, Key: key})}
	},
	Key: "kanarya-anahtar-1234567890", PageSize: 50, Few: 60,
	Lists: []sourcetest.List{
		{Name: "articles", Needs: sourcetest.Needed, Kind: record.Article}, {Name: "columns", Needs: sourcetest.Further, Kind: record.Column},
		{Name: "newsphotogalleries", Needs: sourcetest.Further, Kind: record.Gallery}, {Name: "newsvideos", Needs: sourcetest.Further, Kind: record.Video},
		{Name: "pages", Needs: sourcetest.Further, Kind: record.Page}, {Name: "writers", Needs: sourcetest.Names, Kind: record.Writer},
		{Name: "paths", Needs: sourcetest.Names, Kind: record.Folder},
	},
	Fields: []sourcetest.Field{
		{Content: "title", Keys: []string{"Title"}, MayBeEmpty: true, Empty: "", InList: true},
		{Content: "description", Keys: []string{"Description"}, MayBeEmpty: true, Empty: "", InList: true},
		{Content: "text", Keys: []string{"Text"}, MayBeEmpty: true, Empty: ""},
		{Content: "folder", Keys: []string{"Path"}, InList: true},
		{Content: "tags", Keys: []string{"Tags"}, MayBeEmpty: true, Empty: []any{}, InList: true},
		{Content: "pictures", Keys: []string{"Files"}, MayBeEmpty: true, Empty: []any{}, InList: true},
		{Content: "address", Keys: []string{"Url"}, InList: true},
		{Content: "date of publication", Keys: []string{"StartDate", "CreatedDate"}, InList: true},
		{Content: "date of change", Keys: []string{"ModifiedDate"}, InList: true},
	},
	Call: call, Member: func(string) string { return "" },
	Size: "$top", Offset: "$skip", Closed: []int{403, 404},
	RefuseSize: func(string) (int, string) { return http.StatusBadRequest, `{"Message":"$top"}` },
	NeverHad:   func() (int, string) { return http.StatusNotFound, `{"Message":"no such record"}` },
	Ways:       []string{"delete"}, Can: []sourcetest.Ability{sourcetest.RefusesSize, sourcetest.Paged, sourcetest.Copies, sourcetest.SaysNone, sourcetest.Singles},
	Skipped: []string{
		"a withdrawn item is restored", "an item becomes a page while pages cannot be read",
		"a replica that lacks the newest two", "an older copy of single records alone", "answers for ids are cut short", "a standing page is lacking, and counted", "ten of forty are lacking, and counted", "three are lacking, and counted", "originals",
		"another type: a list", "another type: a number",
		"emptied beside a newer date", "emptied in single records alone", "new items of another type", "emptied in many items beside newer dates",
		"an older copy after the list has lost a date", "a name that nobody uses is lacking: writers",
		"a name that nobody uses is lacking: paths", "totals are wrong: missing", "totals are wrong: negative", "totals are wrong: no number",
		"totals are wrong: too high", "totals are wrong: too low", "noise: a web page", "noise: a web page's type",
		"noise: a web page's type, and words", "noise: an empty list after words", "noise: words after it", "noise: words before it",
	},
}

// call describes a request.
func call(r *http.Request) sourcetest.Call {
	name, id, own := strings.Cut(strings.TrimPrefix(r.URL.Path, "/v1/"), "/")
	c := sourcetest.Call{List: name, Own: own}
	if own {
		c.IDs = []string{id}
	}
	return c
}

// A paper is a fake service whose editor is the suite.
type paper struct{ *fakepaper.Service }

func (p *paper) Address() string { return p.Base }

func (p *paper) Source(key string, c source.Connection) (source.Source, error) {
	return readapi.New(p.Base, key, c)
}

// folders are the ids of folders by their paths, and the other way round.
func (p *paper) folders() map[string]string {
	all := make(map[string]string)
	for _, r := range p.Records() {
		if r.Group == "paths" {
			all[r.Path], all[r.ID] = r.ID, r.Path
		}
	}
	return all
}

func (p *paper) Items() (items []sourcetest.Item) {
	folders := p.folders()
	for _, r := range p.Records() {
		if r.Group == "articles" {
			items = append(items, itemOf(r, folders))
		}
	}
	slices.SortStableFunc(items, func(a, b sourcetest.Item) int { return b.Date.Compare(a.Date) })
	return items
}

func itemOf(r fakepaper.Record, folders map[string]string) sourcetest.Item {
	return sourcetest.Item{
		ID: r.ID, Title: r.Title, Summary: r.Spot, Text: r.Text, Date: r.Created, Picture: len(r.Pictures) > 0,
		Names: map[string]string{"paths": folders[r.Path]},
	}
}

// write writes what the suite has changed into a record.
func write(r *fakepaper.Record, i sourcetest.Item, folders map[string]string) {
	r.Title, r.Spot, r.Text = i.Title, i.Summary, i.Text
	if path := folders[i.Names["paths"]]; path != "" {
		r.Path = path
	}
}

func (p *paper) Publish(i sourcetest.Item) string {
	id := fakepaper.LongID(9, len(p.Items()))
	r := fakepaper.Record{Group: "articles", ID: id, URL: p.Base + "/haber-" + id, Path: "/gundem/", Created: time.Now(), Modified: time.Now()}
	write(&r, i, p.folders())
	p.Add(r)
	return id
}

func (p *paper) Change(id string, at time.Time, edit func(*sourcetest.Item)) {
	folders := p.folders()
	change := func(r *fakepaper.Record) {
		i := itemOf(*r, folders)
		edit(&i)
		if write(r, i, folders); !at.IsZero() {
			r.Modified = at
		}
	}
	if at.IsZero() {
		p.Amend("articles", id, change)
	} else {
		p.Edit("articles", id, change)
	}
}

func (p *paper) Withdraw(id, _ string) { p.Remove("articles", id) }

func (p *paper) Restore(string, string) { panic("nothing restores what was deleted") }

func (p *paper) Rename(list, id, name string) {
	p.Amend(list, id, func(r *fakepaper.Record) { r.Title = name })
}

func (p *paper) Convert(string, bool) { panic("an article is no page") }
