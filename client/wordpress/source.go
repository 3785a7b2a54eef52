// Package wordpress reads a paper that is published with WordPress, by its public REST
// API, and returns the records of a Content Publishing Read API: list records without
// texts, single records with them, categories as folders and users as writers.
//
//	s := wordpress.New(wordpress.Config{Client: c, Route: "/wp-json"})
//	folders, err := s.List(ctx, client.Paths, client.Query{})
//	...
//	batch, err := s.List(ctx, wordpress.Posts, client.Query{Top: 100})
//	records, err := s.Records(ctx, wordpress.Posts, ids)
//
// What is not public does not come: drafts, private and scheduled posts are in no list of
// WordPress, and posts with a password are left out here.
//
// Begin with source.go, which has the operations; include.go reads records by their ids. post.go has
// what WordPress answers, record.go makes records of it, folder.go folders, content.go
// cleans texts.
package wordpress

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"ayna/client"
)

// perPage is the most that WordPress gives in one answer.
const perPage = 100

// Config describes a paper.
type Config struct {
	// Client sends the requests; its base URL is the address of the paper.
	Client *client.Client
	// Route is where the REST API is below that address: "/wp-json", or
	// "/index.php?rest_route=" of a paper with plain permalinks.
	Route string
	// Columns are slugs of categories and tags whose posts are columns.
	Columns []string
	// Types are the REST names of custom types that are read beside posts and pages.
	Types []string
}

// A Source reads one paper. It is safe for use by several goroutines.
type Source struct {
	client *client.Client
	route  string
	types  []string

	mu      sync.Mutex
	lexicon lexicon
	asked   map[number]bool // tags
}

// New returns a source.
func New(c Config) *Source {
	return &Source{
		client: c.Client, route: strings.TrimSuffix(c.Route, "/"), types: append([]string{"posts"}, c.Types...), asked: make(map[number]bool),
		lexicon: lexicon{categories: make(categories), tags: make(map[number]term), users: make(map[number]user), columns: c.Columns},
	}
}

// Groups of a paper beside those of the Read API: all posts are one list, whatever their
// kind, and the pages that stand in menus are another. A custom type is a list of its name.
const (
	Posts    client.Group = "posts"
	Standing client.Group = "standing"
)

// get reads an address of the REST API.
func (s *Source) get(ctx context.Context, path string, query url.Values) (client.Answer, error) {
	route, inQuery := strings.CutSuffix(s.route, "?rest_route=")
	if inQuery {
		query = maps.Clone(query)
		query.Set("rest_route", path)
		path = ""
	}
	return s.client.Get(ctx, route+path, query)
}

// records reads an address whose answer is an array.
func (s *Source) records(ctx context.Context, path string, query url.Values) ([]json.RawMessage, client.Answer, error) {
	a, err := s.get(ctx, path, query)
	if err != nil {
		return nil, a, err
	}
	var list []json.RawMessage
	if err := json.Unmarshal(a.Body, &list); err != nil {
		return nil, a, fmt.Errorf("%s: %w: no array", path, client.ErrShape)
	}
	return list, a, nil
}

// A Site is what a paper says of itself.
type Site struct {
	Title       string
	Description string
	Address     string         // of the home page
	Zone        *time.Location // for local dates; nil if it is not known
	Icon        string         // address, "" if none
	Date        time.Time      // of the answer; zero if it has none
}

// Site reads what the paper says of itself, with one request.
func (s *Source) Site(ctx context.Context) (Site, error) {
	a, err := s.get(ctx, "/", url.Values{"_fields": {"name,description,url,home,gmt_offset,timezone_string,site_icon_url,namespaces"}})
	if err != nil {
		return Site{}, err
	}
	root, err := read[struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		Home        string          `json:"home"`
		Zone        string          `json:"timezone_string"`
		Offset      json.RawMessage `json:"gmt_offset"`
		Icon        string          `json:"site_icon_url"`
		Namespaces  []string        `json:"namespaces"`
	}](a.Body)
	if err != nil || !slices.Contains(root.Namespaces, "wp/v2") {
		return Site{}, fmt.Errorf("the root of the REST API: %w: it names no wp/v2", client.ErrShape)
	}
	site := Site{Title: plain(root.Name), Description: plain(root.Description), Address: root.Home, Zone: zone(root.Zone, root.Offset), Icon: root.Icon}
	site.Date = dateOf(a)
	return site, nil
}

// zone returns a time zone by its name, or by the hours that a paper with a manual offset
// gives as a number or as text.
func zone(name string, offset json.RawMessage) *time.Location {
	if at, err := time.LoadLocation(name); err == nil && name != "" {
		return at
	}
	hours, err := strconv.ParseFloat(strings.Trim(string(offset), `"`), 64)
	if err != nil || hours < -24 || hours > 24 {
		return nil
	}
	return time.FixedZone("", int(hours*3600))
}

// List reads a part of a list. Of posts and pages the answer has list records, and counts
// those with a password as skipped; categories and users are read whole at the first part.
func (s *Source) List(ctx context.Context, group client.Group, q client.Query) (client.Batch, error) {
	switch group {
	case client.Paths:
		return s.part(ctx, q, s.folders)
	case client.Writers:
		return s.part(ctx, q, s.writers)
	}
	return s.posts(ctx, group, q)
}

// part returns a part of a list that is read whole.
func (s *Source) part(ctx context.Context, q client.Query, all func(context.Context) ([]json.RawMessage, time.Time, error)) (client.Batch, error) {
	if q.Skip > 0 {
		return client.Batch{Count: -1, Envelope: "array"}, nil
	}
	list, at, err := all(ctx)
	return client.Batch{Records: list, Count: len(list), Envelope: "array", Date: at}, err
}

// rest returns the name of a group in addresses.
func rest(group client.Group) string {
	if group == Standing {
		return "/wp/v2/pages"
	}
	return "/wp/v2/" + url.PathEscape(string(group))
}

func (s *Source) posts(ctx context.Context, group client.Group, q client.Query) (client.Batch, error) {
	query := url.Values{
		"_fields": {listFields}, "orderby": {"date"}, "order": {"desc"},
		"per_page": {strconv.Itoa(min(max(q.Top, 1), perPage))}, "offset": {strconv.Itoa(q.Skip)},
	}
	list, a, err := s.records(ctx, rest(group), query)
	if err != nil {
		return client.Batch{}, err
	}
	batch := client.Batch{Count: total(a), Envelope: "array", Date: dateOf(a)}
	posts, err := readPosts(list)
	if err != nil {
		return client.Batch{}, fmt.Errorf("%s: %w", rest(group), err)
	}
	batch.Skipped = len(list) - len(posts)
	if err := s.readTags(ctx, posts); err != nil {
		return client.Batch{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range posts {
		batch.Records = append(batch.Records, encode(s.lexicon.list(p)))
	}
	return batch, nil
}

// readPosts decodes posts, without those that have a password or no id. The error is about
// a list in which none is a post.
func readPosts(list []json.RawMessage) ([]post, error) {
	var posts []post
	wrong := 0
	for _, raw := range list {
		p, err := readPost(raw)
		if err != nil {
			wrong++
		} else if !p.isProtected() {
			posts = append(posts, p)
		}
	}
	if wrong > 0 && wrong == len(list) {
		return nil, fmt.Errorf("%w: none of %d is a post", client.ErrShape, wrong)
	}
	return posts, nil
}

// dateOf returns the date of an answer, zero if it has none.
func dateOf(a client.Answer) time.Time {
	at, _ := http.ParseTime(a.Header.Get("Date"))
	return at
}

// total returns the number of all records of a list, -1 if the answer does not say it.
func total(a client.Answer) int {
	n, err := strconv.Atoi(a.Header.Get("X-WP-Total"))
	if err != nil {
		return -1
	}
	return n
}

// whole reads a list of terms or users to its end.
func whole[T any](ctx context.Context, s *Source, path, fields string, id func(T) number) (map[number]T, time.Time, error) {
	all := make(map[number]T)
	for page := 1; ; page++ {
		list, a, err := s.records(ctx, path, url.Values{"_fields": {fields}, "per_page": {strconv.Itoa(perPage)}, "page": {strconv.Itoa(page)}})
		if err != nil {
			return nil, time.Time{}, err
		}
		before := len(all)
		for _, raw := range list {
			if value, err := read[T](raw); err == nil && id(value) > 0 {
				all[id(value)] = value
			}
		}
		if n := total(a); len(list) < perPage || page*perPage >= n && n >= 0 || len(all) == before {
			return all, dateOf(a), nil
		}
	}
}

func (s *Source) folders(ctx context.Context) ([]json.RawMessage, time.Time, error) {
	all, date, err := whole(ctx, s, "/wp/v2/categories", termFields, func(t term) number { return t.ID })
	if err != nil {
		return nil, date, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lexicon.categories = all
	var list []json.RawMessage
	for _, id := range slices.Sorted(maps.Keys(all)) {
		list = append(list, s.lexicon.folder(all[id]))
	}
	return list, date, nil
}

func (s *Source) writers(ctx context.Context) ([]json.RawMessage, time.Time, error) {
	all, date, err := whole(ctx, s, "/wp/v2/users", userFields, func(u user) number { return u.ID })
	if err != nil {
		return nil, date, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lexicon.users = all
	var list []json.RawMessage
	for _, id := range slices.Sorted(maps.Keys(all)) {
		list = append(list, writerRecord(all[id]))
	}
	return list, date, nil
}
