package ghost_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"ayna/record"
	"ayna/source"
	"ayna/source/ghost"
	"ayna/source/sourcetest"
	"ayna/testrun/fakepaper"
)

func TestSource(t *testing.T) { sourcetest.Run(t, newsroom) }

func TestLives(t *testing.T) { sourcetest.Live(t, newsroom) }

var newsroom = sourcetest.Newsroom{
	Open: func(_ testing.TB, items int, key string) sourcetest.Paper {
		g := fakepaper.NewGhost(fakepaper.Options{Base: "https://zeytin.example", Items: items, Key: key})
		tags := g.Tags()
		return &paper{g, tags[slices.IndexFunc(tags, func(t fakepaper.GhostTaxonomy) bool { return t.Name == "#gizli" })].ID}
	},
	Key: "fedcba9876543210fedcba9876", PageSize: 100, Few: 5,
	Lists: []sourcetest.List{
		{Name: "posts", Needs: sourcetest.Needed, Kind: record.Article}, {Name: "pages", Needs: sourcetest.Optional, Kind: record.Article},
		{Name: "tags", Needs: sourcetest.Names, Kind: record.Folder}, {Name: "authors", Needs: sourcetest.Names, Kind: record.Writer},
	},
	Fields: []sourcetest.Field{
		{Content: "title", Keys: []string{"title"}, MayBeEmpty: true, Empty: "", InList: true},
		{Content: "description", Keys: []string{"custom_excerpt"}, MayBeEmpty: true},
		{Content: "text", Keys: []string{"html"}, MayBeEmpty: true, Empty: ""},
		{Content: "writer", Keys: []string{"authors", "primary_author"}, Empty: []any{}},
		{Content: "folder", Keys: []string{"tags", "primary_tag"}, MayBeEmpty: true, Empty: []any{}},
		{Content: "pictures", Keys: []string{"feature_image"}, MayBeEmpty: true},
		{Content: "address", Keys: []string{"url"}, InList: true},
		{Content: "date of publication", Keys: []string{"published_at"}},
		{Content: "date of change", Keys: []string{"updated_at"}, InList: true},
	},
	Call: call, SetTotal: setTotal, Closed: []int{401, 403, 404}, Noise: true,
	Member: func(list string) string { return list },
	NeverHad: func() (int, string) {
		return http.StatusNotFound, `{"errors":[{"message":"Resource not found error, cannot read post.","type":"NotFoundError"}]}`
	},
	Ways: []string{"draft", "delete"}, Waits: []string{"draft", "delete"},
	Can: []sourcetest.Ability{sourcetest.Schedules, sourcetest.Converts, sourcetest.ShowsEdits, sourcetest.HasNoise, sourcetest.Restores, sourcetest.Typed, sourcetest.Copies, sourcetest.Originals, sourcetest.Singles},
	Older: func(p sourcetest.Paper) { // it lists posts page by page
		p.(*paper).SetFaults(func(c fakepaper.Call) *fakepaper.Fault {
			if c.Operation == "search-index/posts" {
				return fakepaper.Status(http.StatusNotFound)
			}
			return nil
		})
	},
	Skipped: []string{
		"ten of forty are lacking, and counted", "three are lacking, and counted", "an item that is no record",
		"later parts of the list do not come", "the offset is ignored", "totals are wrong: missing", "totals are wrong: negative",
		"totals are wrong: no number", "totals are wrong: too high", "totals are wrong: too low", "large pages are refused",
		"the size is ignored",
	},
}

// call describes a request for the Content API, or for another page.
func call(r *http.Request) (c sourcetest.Call) {
	route, isAPI := strings.CutPrefix(strings.TrimSuffix(r.URL.Path, "/"), "/ghost/api/content/")
	if !isAPI {
		return sourcetest.Call{List: r.URL.Path}
	}
	name, id, own := strings.Cut(strings.TrimPrefix(route, "search-index/"), "/")
	c = sourcetest.Call{List: name, Own: own}
	if own {
		c.IDs = []string{id}
	} else if ids, found := strings.CutPrefix(r.URL.Query().Get("filter"), "id:["); found {
		ids, _, _ = strings.Cut(ids, "]")
		c.IDs = strings.Split(ids, ",")
	}
	return c
}

func setTotal(_ http.Header, body []byte, total string) []byte {
	var answer map[string]any
	if json.Unmarshal(body, &answer) != nil {
		return body
	}
	meta, _ := answer["meta"].(map[string]any)
	pagination, _ := meta["pagination"].(map[string]any)
	if pagination == nil {
		return body
	}
	if pagination["total"] = json.Number(total); total == "" {
		delete(pagination, "total")
	}
	changed, err := json.Marshal(answer)
	if err != nil {
		panic(err) // the suite sets numbers
	}
	return changed
}

// A paper is a fake Ghost whose editor is the suite.
type paper struct {
	*fakepaper.Ghost
	internal string // id of the internal tag
}

func (p *paper) Address() string { return p.Base }

func (p *paper) Copy() http.Handler { return p.Ghost.Copy() }

func (p *paper) Source(key string, c source.Connection) (source.Source, error) {
	return ghost.New(ghost.Config{BaseURL: p.Base, APIKey: key, Connection: c})
}

func (p *paper) Items() (items []sourcetest.Item) {
	for _, post := range p.Posts() {
		items = append(items, p.itemOf(post))
	}
	slices.SortStableFunc(items, func(a, b sourcetest.Item) int { return b.Date.Compare(a.Date) })
	return items
}

// itemOf returns a post as the suite sees it. Internal tags are no folders.
func (p *paper) itemOf(post fakepaper.GhostPost) sourcetest.Item {
	i := sourcetest.Item{ID: post.ID, Title: post.Title, Summary: post.Excerpt, Text: post.HTML, Date: post.Published, Picture: post.Picture != "", Names: make(map[string]string)}
	for list, ids := range map[string][]string{"tags": post.Tags, "authors": post.Authors} {
		public := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return id == p.internal })
		if len(public) > 0 {
			i.Names[list] = public[0]
		}
	}
	return i
}

// write writes what the suite has changed into a post.
func write(post *fakepaper.GhostPost, was, i sourcetest.Item) {
	post.Title, post.Excerpt, post.HTML = i.Title, i.Summary, i.Text
	for list, to := range map[string]*[]string{"tags": &post.Tags, "authors": &post.Authors} {
		if i.Names[list] != was.Names[list] {
			*to = slices.DeleteFunc([]string{i.Names[list]}, func(id string) bool { return id == "" })
		}
	}
}

func (p *paper) Publish(i sourcetest.Item) string {
	post := fakepaper.GhostPost{Published: i.Date}
	write(&post, sourcetest.Item{}, i)
	return p.Ghost.Publish(post)
}

func (p *paper) Change(id string, at time.Time, edit func(*sourcetest.Item)) {
	p.Amend(id, func(post *fakepaper.GhostPost) {
		was, i := p.itemOf(*post), p.itemOf(*post)
		edit(&i)
		if write(post, was, i); !at.IsZero() {
			post.Updated = at.UTC().Truncate(time.Second)
		}
	})
}

func (p *paper) Withdraw(id, way string) {
	if way == "delete" {
		p.Delete(id)
		return
	}
	p.Amend(id, func(post *fakepaper.GhostPost) { post.IsDraft = true })
}

func (p *paper) Restore(id, _ string) {
	p.Amend(id, func(post *fakepaper.GhostPost) { post.IsDraft = false })
}

func (p *paper) Rename(list, id, name string) {
	edit := map[string]func(string, func(*fakepaper.GhostTaxonomy)){"tags": p.EditTag, "authors": p.EditAuthor}[list]
	edit(id, func(t *fakepaper.GhostTaxonomy) { t.Name = name })
}

func (p *paper) Convert(id string, toPage bool) {
	p.Edit(id, func(post *fakepaper.GhostPost) { post.IsPage = toPage })
}
