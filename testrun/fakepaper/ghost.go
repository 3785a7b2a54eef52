package fakepaper

import (
	"cmp"
	"fmt"
	"html"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gosimple/slug"
)

// Ghost is the invented newspaper on a site of Ghost: the Content API as the public sees it, and
// pages with its key. The items of [Options] are posts; folders are tags, and writers
// authors. The answers are those of Ghost 6.65.
type Ghost struct {
	*Service // its records are those that the site began with

	posts   []*GhostPost // pages, too
	tags    []*GhostTaxonomy
	authors []*GhostTaxonomy
	last    int    // number of the newest id
	wrong   int    // number of requests with a wrong key
	title   string // "" is Kıyı Postası
	uuid    string
}

// A GhostPost is a post or a page.
type GhostPost struct {
	ID         string
	Slug       string // "" is haber-ID
	Title      string
	HTML       string
	Open       string // the public part of a post for members
	Excerpt    string // the custom one; "" has none
	Visibility string // "" is public; members, paid
	Picture    string
	Tags       []string // ids, the primary one first
	Authors    []string // ids
	IsPage     bool
	IsDraft    bool

	Published, Updated time.Time
}

// A GhostTaxonomy is a tag or an author, as Ghost's routes.yaml calls both.
type GhostTaxonomy struct{ ID, Name, Slug, Description, Picture string }

// GhostKey is the key of the Content API if [Options.Key] is empty.
const GhostKey = "0123456789abcdef0123456789"

// ListenGhost returns a site behind a listener on the loopback interface until the test
// ends.
func ListenGhost(t testing.TB, o Options) *Ghost {
	t.Helper()
	g := new(Ghost)
	o.Speaks = g.open
	Listen(t, o)
	return g
}

// NewGhost returns a site, an [http.Handler].
func NewGhost(o Options) *Ghost {
	g := new(Ghost)
	o.Speaks = g.open
	New(o)
	return g
}

// open is the site's [Options.Speaks], which [New] calls: it fills g with the items of the
// service, and registers the handlers.
func (g *Ghost) open(s *Service) {
	g.Service = s
	if s.Zone == nil {
		s.Zone = time.FixedZone("Europe/Istanbul", 3*60*60)
	}
	s.Key, g.uuid = cmp.Or(s.Key, GhostKey), "eb3d6626-5c48-4bd6-8a73-26aef9e53e39"
	g.authors = []*GhostTaxonomy{{ID: g.newID(), Name: "Ayşe Öztürk", Slug: "ayse", Description: "Kıyı yazar.", Picture: s.Base + "/content/images/portre.png"}}
	for _, r := range s.groups["writers"] {
		g.authors = append(g.authors, &GhostTaxonomy{ID: g.newID(), Name: r.Title, Slug: slug.MakeLang(r.Title, "tr")})
	}
	for _, r := range s.groups["paths"] {
		name := strings.Trim(r.Path, "/")
		g.tags = append(g.tags, &GhostTaxonomy{ID: g.newID(), Name: cmp.Or(r.Title, name), Slug: slug.Make(name)})
	}
	g.tags = append(g.tags, &GhostTaxonomy{ID: g.newID(), Name: "#gizli", Slug: "hash-gizli"})
	var all []*Record
	for _, group := range groups[:4] { // those of items
		all = append(all, g.groups[group]...)
	}
	slices.SortStableFunc(all, func(a, b *Record) int { return a.Created.Compare(b.Created) })
	for i, r := range all {
		post := GhostPost{Title: r.Title, HTML: r.Text, Published: r.Created, Authors: []string{g.authors[i%len(g.authors)].ID}}
		if i%3 != 0 {
			post.Excerpt = r.Spot
		}
		if i%4 == 0 {
			post.Picture = fmt.Sprintf("%s/content/images/2026/11/kiyi-%d.png", s.Base, i)
		}
		for n := range 1 + i%3 {
			post.Tags = append(post.Tags, g.tags[(i+n)%len(g.tags)].ID)
		}
		g.add(post)
	}
	g.tags = append(g.tags, &GhostTaxonomy{ID: "6b03000000000000000000ff", Name: "Kimsenin etiketi", Slug: "kimsenin-etiketi"}) // no post has it
	for i, title := range []string{"Hakkımızda", "Künye & iletişim"} {
		g.add(GhostPost{Slug: []string{"hakkimizda", "kunye"}[i], Title: title, HTML: stories()[i].text, IsPage: true, Published: Newest})
	}
	s.admits = func(*http.Request) bool { return true } // content checks the key, a parameter of the query
	s.mux.HandleFunc("GET /", g.serve)
	s.mux.HandleFunc("GET /content/images/", s.Operation("picture", s.picture))
}

// newID returns an id as MongoDB makes them.
func (g *Ghost) newID() string {
	g.last++
	return fmt.Sprintf("6b04%020x", g.last)
}

// add stores a post with the id, slug and dates that Ghost sets when it is published.
func (g *Ghost) add(post GhostPost) *GhostPost {
	post.ID = g.newID()
	post.Slug, post.Visibility = cmp.Or(post.Slug, "haber-"+post.ID), cmp.Or(post.Visibility, "public")
	post.Published = post.Published.UTC().Truncate(time.Second)
	if post.Updated.IsZero() {
		post.Updated = post.Published
	}
	g.posts = append(g.posts, &post)
	return &post
}

// serve answers every request but those for pictures.
func (g *Ghost) serve(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Date", g.Now().UTC().Format(http.TimeFormat))
	if path, ok := strings.CutPrefix(r.URL.Path, "/ghost/api/content/"); ok {
		g.content(w, r, strings.Trim(path, "/"))
		return
	}
	if g.Private && r.URL.Path != "/private/" {
		http.Redirect(w, r, "/private/?r=%2F", http.StatusFound)
		return
	}
	h.Set("Content-Type", "text/html; charset=utf-8")
	g.Operation("page", func(*http.Request, Call) (int, []byte) { return g.page(r.URL.Path) })(w, r)
}

// page is a page of the site, with the key at the scripts of sign-up and search.
func (g *Ghost) page(path string) (int, []byte) {
	g.mu.Lock()
	defer g.mu.Unlock()
	head := `<meta name="generator" content="Ghost 6.65">`
	api := cmp.Or(g.APIBase, g.Base)
	if !g.HiddenKey && !g.Private {
		head += fmt.Sprintf(`<script defer src="portal.js" data-ghost="%s/" data-key="%s" data-api="%s/ghost/api/content/"></script>`, g.Base, g.Key, api)
		head += fmt.Sprintf(`<script defer src="search.js" data-key="%s" data-sodo-search="%s/"></script>`, g.Key, api)
	}
	body, status := "<h1>"+html.EscapeString(g.name())+"</h1>", http.StatusOK
	if g.Private {
		head, body = "", `<form action="/private/?r=%2F" method="post"><input type="password"></form>`
	} else if path != "/" {
		i := slices.IndexFunc(g.posts, func(p *GhostPost) bool { return !p.IsDraft && path == "/"+p.Slug+"/" })
		if i < 0 {
			status = http.StatusNotFound
		} else {
			body = "<h1>" + html.EscapeString(g.posts[i].Title) + "</h1>"
		}
	}
	return status, fmt.Appendf(nil, `<!DOCTYPE html><html lang="tr"><head><title>%s</title>%s</head><body>%s</body></html>`, html.EscapeString(g.name()), head, body)
}

func (g *Ghost) name() string { return cmp.Or(g.title, "Kıyı Postası") }
