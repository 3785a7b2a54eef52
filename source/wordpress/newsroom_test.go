package wordpress_test

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"ayna/record"
	"ayna/source"
	"ayna/source/sourcetest"
	"ayna/source/wordpress"
	"ayna/testrun/fakepaper"
)

func TestSource(t *testing.T) { sourcetest.Run(t, newsroom) }

func TestLives(t *testing.T) { sourcetest.Live(t, newsroom) }

var newsroom = sourcetest.Newsroom{
	Open: func(_ testing.TB, items int, key string) sourcetest.Paper {
		return &paper{fakepaper.NewWordPress(fakepaper.Options{Base: "https://kiyi.example", Items: items, Key: key})}
	},
	Key: "ayse:abcd efgh ijkl mnop", PageSize: 100, Few: 8,
	Lists: []sourcetest.List{
		{Name: "posts", Needs: sourcetest.Needed, Kind: record.Article}, {Name: "pages", Needs: sourcetest.Optional, Kind: record.Article},
		{Name: "categories", Needs: sourcetest.Names, Kind: record.Folder}, {Name: "users", Needs: sourcetest.Names, Kind: record.Writer},
		{Name: "tags", Needs: sourcetest.Names}, {Name: "media", Needs: sourcetest.Optional}, {Name: "taxonomies", Needs: sourcetest.Optional},
	},
	Parts: []string{"sticky"},
	Fields: []sourcetest.Field{
		{Content: "title", Keys: []string{"title"}, MayBeEmpty: true, Empty: rendered(""), InList: true},
		{Content: "description", Keys: []string{"excerpt"}, MayBeEmpty: true, Empty: rendered("")},
		{Content: "text", Keys: []string{"content"}, MayBeEmpty: true, Empty: rendered("")},
		{Content: "writer", Keys: []string{"author"}, MayBeEmpty: true, Empty: 0, InList: true},
		{Content: "folder", Keys: []string{"categories"}, Empty: []any{}, InList: true},
		{Content: "tags", Keys: []string{"tags"}, MayBeEmpty: true, Empty: []any{}, InList: true},
		{Content: "pictures", Keys: []string{"featured_media"}, MayBeEmpty: true, Empty: 0},
		{Content: "address", Keys: []string{"link"}, InList: true},
		{Content: "date of publication", Keys: []string{"date_gmt", "date"}, InList: true},
		{Content: "date of change", Keys: []string{"modified_gmt", "modified"}, InList: true},
	},
	Call: call, Member: func(string) string { return "" }, SetTotal: setTotal,
	Size: "per_page", Offset: "offset", Closed: []int{401, 403, 404}, Noise: true,
	RefuseSize: func(parameter string) (int, string) {
		return http.StatusBadRequest, fmt.Sprintf(`{"code":"rest_invalid_param","message":"Invalid parameter(s): %s","data":{"status":400,"params":{%[1]q:"too large"}}}`, parameter)
	},
	NeverHad: func() (int, string) {
		return http.StatusNotFound, `{"code":"rest_post_invalid_id","message":"Invalid post ID.","data":{"status":404}}`
	},
	Ways: []string{"trash", "draft", "password", "delete"}, Waits: []string{"delete"},
	Can: []sourcetest.Ability{
		sourcetest.Schedules, sourcetest.Converts, sourcetest.ShowsEdits, sourcetest.TellsTotals, sourcetest.RefusesSize, sourcetest.HasNoise,
		sourcetest.Tags, sourcetest.Paged, sourcetest.Restores, sourcetest.Typed, sourcetest.Copies,
		sourcetest.Originals, sourcetest.Singles,
	},
	Plain: func(row string) bool {
		return !slices.Contains([]string{ // categories are as users, and tags as media
			"closed: media (404)", "broken: users", "broken: tags", "500 once: categories", "500 once: tags", "a name is lacking: users",
		}, row)
	},
	Skipped: []string{"an item that is no record"},
}

func rendered(text string) map[string]any { return map[string]any{"rendered": text} }

// call describes a request for the REST API, or for another page.
func call(r *http.Request) (c sourcetest.Call) {
	route, isAPI := strings.CutPrefix(r.URL.Path, "/wp-json/wp/v2/")
	if !isAPI {
		return sourcetest.Call{List: r.URL.Path}
	}
	query := r.URL.Query()
	name, id, own := strings.Cut(route, "/")
	switch {
	case own:
		return sourcetest.Call{List: name, IDs: []string{id}, Own: true}
	case query.Has("include"):
		c.IDs = strings.Split(query.Get("include"), ",")
	case query.Has("sticky"):
		name = "sticky"
	}
	c.List = name
	return c
}

func setTotal(h http.Header, body []byte, total string) []byte {
	if h.Set("X-WP-Total", total); total == "" {
		h.Del("X-WP-Total")
		h.Del("X-WP-TotalPages")
	}
	return body
}

// A paper is a fake WordPress whose editor is the suite.
type paper struct{ *fakepaper.WordPress }

func (p *paper) Address() string { return p.Base }

// Stick makes a post sticky, or one that is not.
func (p *paper) Stick(id string, sticky bool) { p.MakeSticky(number(id), sticky) }

func (p *paper) Copy() http.Handler { return p.WordPress.Copy() }

func (p *paper) Source(key string, c source.Connection) (source.Source, error) {
	return wordpress.New(wordpress.Config{BaseURL: p.Base, APIKey: key, Connection: c})
}

func (p *paper) Items() (items []sourcetest.Item) {
	for _, post := range p.Posts("posts") {
		if !post.Protected {
			items = append(items, itemOf(post))
		}
	}
	return items
}

func itemOf(post fakepaper.Post) sourcetest.Item {
	i := sourcetest.Item{
		ID: strconv.Itoa(post.ID), Title: post.Title, Summary: post.Excerpt, Text: post.Text, Date: post.Date, Picture: post.Picture > 0,
		Names: map[string]string{"users": strconv.Itoa(post.Author), "categories": strconv.Itoa(post.Categories[0])},
	}
	if len(post.Tags) > 0 {
		i.Names["tags"] = strconv.Itoa(post.Tags[0])
	}
	return i
}

// write writes what the suite has changed into a post.
func write(post *fakepaper.Post, was, i sourcetest.Item) {
	post.Title, post.Excerpt, post.Text = i.Title, i.Summary, i.Text
	for list, to := range map[string]*[]int{"categories": &post.Categories, "tags": &post.Tags} {
		if i.Names[list] != was.Names[list] {
			*to = slices.DeleteFunc([]int{number(i.Names[list])}, func(id int) bool { return id == 0 })
		}
	}
	post.Author = cmp.Or(number(i.Names["users"]), post.Author)
}

// number returns the number of an id, 0 for none.
func number(id string) int {
	n, _ := strconv.Atoi(id)
	return n
}

func (p *paper) Publish(i sourcetest.Item) string {
	post := fakepaper.Post{Date: i.Date}
	if write(&post, sourcetest.Item{}, i); post.Date.After(time.Now()) {
		return strconv.Itoa(p.Schedule(post, post.Date))
	}
	return strconv.Itoa(p.WordPress.Publish(post))
}

func (p *paper) Change(id string, at time.Time, edit func(*sourcetest.Item)) {
	p.Amend(number(id), func(post *fakepaper.Post) {
		was, i := itemOf(*post), itemOf(*post)
		edit(&i)
		if write(post, was, i); !at.IsZero() {
			post.Modified = at.UTC().Truncate(time.Second)
		}
	})
}

func (p *paper) Withdraw(id, way string) {
	if way == "delete" {
		p.Delete(number(id))
		return
	}
	p.Amend(number(id), func(post *fakepaper.Post) {
		if post.Protected = way == "password"; !post.Protected {
			post.Status = way
		}
	})
}

func (p *paper) Restore(id, _ string) {
	p.Amend(number(id), func(post *fakepaper.Post) { post.Status, post.Protected = "publish", false })
}

func (p *paper) Rename(list, id, name string) {
	edit := map[string]func(int, func(*fakepaper.Term)){"categories": p.EditCategory, "tags": p.EditTag, "users": p.EditUser}[list]
	edit(number(id), func(t *fakepaper.Term) { t.Name = name })
}

func (p *paper) Convert(id string, toPage bool) {
	p.WordPress.Convert(number(id), map[bool]string{false: "posts", true: "pages"}[toPage])
}
