package fakepaper

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gosimple/slug"

	"ayna/server/sample"
)

// WordPress is the newspaper on a site of WordPress: the REST API as the public sees it,
// the home page and the pages of posts. The items of [Options] are posts; folders are
// categories, and writers users. Columns are in the category "yazarlar". The answers are
// those of WordPress 6.5.
//
// Posts are kept as editors write them. The JSON of a post is made when it is asked for.
type WordPress struct {
	*Service // its records are those that the site began with

	posts      map[string][]*Post // by REST name, newest first
	byID       map[int]*Post
	categories map[int]*Term
	tags       map[int]*Term
	users      map[int]*Term
	media      map[int]*Medium
	comments   map[int]*Comment
	last       int    // id of a post
	title      string // "" is Kıyı Postası
}

// A Post is a post, a page or a record of a custom type.
type Post struct {
	ID         int
	Type       string // REST name: "" is posts; pages, or a custom type
	Slug       string // "" is haber-ID
	Title      string
	Text       string // paragraphs
	Excerpt    string // "" has one made of the text
	Classic    bool   // written without the block editor
	Author     int
	Picture    int   // featured
	Gallery    []int // pictures in the text
	Categories []int
	Tags       []int
	Cities     []int // terms of another taxonomy
	Parent     int
	Order      int
	Format     string // "" is standard
	Template   string
	Status     string // "" is publish
	Sticky     bool
	Protected  bool   // by a password
	GUID       string // in the feed; "" is that of its draft

	Date, Modified time.Time

	localDate, localModified time.Time // by the site's clock when they were set
	guid                     string
}

// A Term is a category, a tag or a user.
type Term struct {
	ID, Parent              int
	Name, Slug, Description string
}

// A Medium is a picture.
type Medium struct {
	ID, Post     int
	Address      string
	Alt, Caption string
	Date         time.Time
}

// uncategorized is the category of posts without one.
const uncategorized = 1

// ListenWordPress returns a site behind a listener on the loopback interface until the test
// ends.
func ListenWordPress(t testing.TB, o Options) *WordPress {
	t.Helper()
	p := new(WordPress)
	o.Speaks = p.open
	Listen(t, o)
	return p
}

// NewWordPress returns a site, an [http.Handler].
func NewWordPress(o Options) *WordPress {
	p := new(WordPress)
	o.Speaks = p.open
	New(o)
	return p
}

// open fills a site with the items of a service, and has the service answer for it.
func (p *WordPress) open(s *Service) {
	p.Service = s
	if s.Zone == nil {
		s.Zone = time.FixedZone("Europe/Istanbul", 3*60*60)
	}
	p.posts, p.byID, p.media = make(map[string][]*Post), make(map[int]*Post), make(map[int]*Medium)
	p.users = map[int]*Term{1: {ID: 1, Name: "admin", Slug: "admin"}}
	p.categories = map[int]*Term{uncategorized: {ID: uncategorized, Name: "Genel", Slug: "genel"}}
	p.tags = make(map[int]*Term)
	for i, r := range s.groups["writers"] {
		p.users[i+2] = &Term{ID: i + 2, Name: r.Title, Slug: slug.MakeLang(r.Title, "tr"), Description: "<b>" + r.Title + "</b> yazar."}
	}
	folders, tags := make(map[string]int), make(map[string]int)
	for _, r := range s.groups["paths"] {
		p.folder(folders, r.Path, r.Title)
	}
	for i, r := range p.items() {
		p.add(p.post(i, r, folders, tags))
	}
	for i, title := range []string{"Hakkımızda", "Künye & iletişim"} {
		p.add(&Post{ID: 1000 + i, Type: "pages", Slug: []string{"hakkimizda", "kunye"}[i], Title: title, Text: stories()[i].text, Parent: 1000 * i, Order: i, Date: Newest, Author: 1})
	}
	for i, name := range s.Types {
		p.add(&Post{ID: 2000 + i, Type: name, Title: stories()[i].title, Text: stories()[i].text, Date: Newest, Author: 1})
	}
	for name := range p.posts {
		p.sort(name)
	}
	s.admits = func(*http.Request) bool { return true } // rest checks the password
	s.mux.HandleFunc("GET /", p.serve)
	s.mux.HandleFunc("GET "+s.Prefix+"/wp-content/uploads/{year}/{month}/{id}", s.Operation("picture", s.picture))
	if s.Sample {
		s.mux.Handle("GET /resim/", sample.Pictures())
	}
}

// items returns the records that are posts, newest first.
func (p *WordPress) items() []*Record {
	var all []*Record
	for _, group := range groups[:4] {
		all = append(all, p.groups[group]...)
	}
	slices.SortStableFunc(all, func(a, b *Record) int { return b.Created.Compare(a.Created) })
	return all
}

// post makes a post of item number i.
func (p *WordPress) post(i int, r *Record, folders, tags map[string]int) *Post {
	id, err := strconv.Atoi(r.ID)
	if err != nil {
		panic(err) // items have numbers
	}
	path := r.Path
	switch {
	case r.Group == "columns" && !strings.HasPrefix(path, "/yazarlar/"):
		path = "/yazarlar/"
	case r.Group != "columns" && strings.HasPrefix(path, "/yazarlar/"):
		path = "/gundem/"
	}
	post := &Post{
		ID: id, Title: r.Title, Text: r.Text, Classic: i%12 == 4, Date: r.Created, Modified: r.Modified,
		Format: map[string]string{"newsphotogalleries": "gallery", "newsvideos": "video"}[r.Group], Categories: []int{p.folder(folders, path, "")},
		Author: p.author(i, r.Editor),
	}
	if i%3 != 0 {
		post.Excerpt = r.Spot
	}
	if i%5 == 0 && path != "/gundem/" && r.Group != "columns" {
		post.Categories = append(post.Categories, p.folder(folders, "/gundem/", ""))
	}
	for _, tag := range r.Tags {
		if tags[tag] == 0 {
			n := len(tags) + 1
			tags[tag], p.tags[n] = n, &Term{ID: n, Name: tag, Slug: slug.MakeLang(tag, "tr")}
		}
		post.Tags = append(post.Tags, tags[tag])
	}
	p.illustrate(post, r)
	return post
}

// author returns the user of a name, or else one by the number of the item.
func (p *WordPress) author(i int, name string) int {
	for id, u := range p.users {
		if id > 1 && u.Name == name {
			return id
		}
	}
	return 2 + i%max(1, len(p.users)-1)
}

// illustrate gives a post the pictures of its record; a gallery has three at least.
func (p *WordPress) illustrate(post *Post, r *Record) {
	addresses := slices.Clone(r.Pictures)
	for len(addresses) < 3 && (post.Format == "gallery" || post.Classic) {
		addresses = append(addresses, "")
	}
	for i, address := range addresses {
		m := p.medium(post, i)
		if p.Sample && address != "" {
			m.Address = address
		}
		if i == 0 {
			post.Picture = m.ID
		} else {
			post.Gallery = append(post.Gallery, m.ID)
		}
	}
}

const firstMedium = 1_000_000

// medium adds picture number i of a post.
func (p *WordPress) medium(post *Post, i int) *Medium {
	id := len(p.media) + firstMedium
	m := &Medium{
		ID: id, Post: post.ID, Alt: "Kıyı", Caption: "Kıyıda sabah & akşam", Date: post.Date,
		Address: fmt.Sprintf("%s/wp-content/uploads/%s/kiyi-%d-%d.png", p.home(), post.Date.Format("2006/01"), post.ID, i),
	}
	p.media[id] = m
	return m
}

// folder returns the category of a path, which it makes with its parents if need be.
func (p *WordPress) folder(made map[string]int, path, name string) int {
	if id := made[path]; id != 0 {
		p.categories[id].Name = cmp.Or(name, p.categories[id].Name)
		return id
	}
	if strings.Trim(path, "/") == "" {
		return uncategorized
	}
	names := strings.Split(strings.Trim(path, "/"), "/")
	term := &Term{Name: cmp.Or(name, names[len(names)-1]), Slug: names[len(names)-1]}
	if len(names) > 1 {
		term.Parent = p.folder(made, "/"+strings.Join(names[:len(names)-1], "/")+"/", "")
	}
	term.ID = len(p.categories) + 1
	made[path], p.categories[term.ID] = term.ID, term
	return term.ID
}

// home is the address of the site.
func (p *WordPress) home() string { return p.Base + p.Prefix }
