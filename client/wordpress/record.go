package wordpress

import (
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// record is a record of the Read API (API document, section 2). Field names are the wire's.
type record struct {
	ID           string `json:"Id"`
	ContentType  string
	Title        string
	Description  string   `json:",omitempty"`
	Path         string   `json:",omitempty"`
	Paths        []string `json:",omitempty"`
	URL          string   `json:"Url"`
	CreatedDate  string   `json:",omitempty"`
	ModifiedDate string   `json:",omitempty"`
	StartDate    string   `json:",omitempty"`
	Fullname     string   `json:",omitempty"`
	WriterID     string   `json:"WriterId,omitempty"`
	Writers      []writer `json:",omitempty"`
	Tags         []string `json:",omitempty"`
	ParentID     string   `json:"ParentId,omitempty"`
	Order        *number  `json:",omitempty"` // of a standing page, else nil
	Files        []file   `json:",omitempty"`
	Text         *string  `json:",omitempty"`
	WordPress    *facts   `json:",omitempty"`
}

type writer struct {
	ID       string `json:"Id"`
	Fullname string
}

type file struct {
	Address  string `json:"FileUrl"`
	Metadata metadata
}

type metadata struct {
	Title       string `json:",omitempty"`
	Description string `json:",omitempty"`
}

// facts are what WordPress says beside the fields of the Read API: ids and flags, so that
// nothing is lost, and never contents or local dates.
type facts struct {
	Slug       string   `json:"slug,omitempty"`
	GUID       string   `json:"guid,omitempty"`
	Author     number   `json:"author,omitempty"`
	Picture    number   `json:"featured_media,omitempty"`
	Categories []number `json:"categories,omitempty"`
	Tags       []number `json:"tags,omitempty"`
	Format     string   `json:"format,omitempty"`
	Sticky     bool     `json:"sticky,omitempty"`
	Template   string   `json:"template,omitempty"`
}

// A lexicon has what posts name by ids: each map may lack some.
type lexicon struct {
	categories categories
	tags       map[number]term
	users      map[number]user
	media      map[number]media
	columns    []string // slugs of categories and tags whose posts are columns
}

// page is the type of a standing page.
const page = "Page"

// contentType returns the type of a post, by its format and terms alone: a list has no
// text.
func (l *lexicon) contentType(p post) string {
	switch {
	case p.Type == "page":
		return page
	case p.Format == "gallery":
		return "NewsPhotoGallery"
	case p.Format == "video":
		return "NewsVideo"
	case l.isColumn(p):
		return "Column"
	}
	return "Article"
}

func (l *lexicon) isColumn(p post) bool {
	isNamed := func(terms map[number]term) func(number) bool {
		return func(id number) bool {
			t, ok := terms[id]
			return ok && slices.Contains(l.columns, segment(t))
		}
	}
	return slices.ContainsFunc(p.Categories, isNamed(l.categories)) || slices.ContainsFunc(p.Tags, isNamed(l.tags))
}

// list returns the record of a post as lists show it: everything that a later sweep
// compares, and nothing that depends on a text.
func (l *lexicon) list(p post) record {
	r := record{
		ID: p.ID.String(), ContentType: l.contentType(p), Title: escaped(plain(p.Title.Text)), URL: p.Link,
		CreatedDate: p.Date.text(), StartDate: p.Date.text(), ModifiedDate: p.Modified.text(),
		Paths: l.categories.paths(p), Tags: l.tagNames(p),
		WordPress: &facts{
			Author: p.Author, Picture: p.Picture, Categories: p.Categories, Tags: p.Tags, Format: p.Format, Sticky: p.Sticky,
		},
	}
	if p.Date.After(p.Modified.Time) { // it was scheduled, and went live without an edit
		r.ModifiedDate = p.Date.text()
	}
	switch {
	case r.ContentType == page:
		r.Order, r.Paths = &p.Order, nil
		if p.Parent > 0 {
			r.ParentID = p.Parent.String()
		}
	case p.rest != "posts" && p.rest != "":
		r.Paths = []string{"/" + p.rest + "/"}
	}
	if len(r.Paths) > 0 {
		r.Path = r.Paths[0]
	}
	if u, ok := l.users[p.Author]; ok {
		w := writer{userID(u.ID), escaped(plain(u.Name))}
		if r.Writers = []writer{w}; r.ContentType == "Column" {
			r.Fullname, r.WriterID = w.Fullname, w.ID
		}
	}
	return r
}

// Users and terms have ids of their own, which collide with those of posts.
func userID(id number) string { return "user-" + id.String() }
func termID(id number) string { return "term-" + id.String() }

func (l *lexicon) tagNames(p post) []string {
	var names []string
	for _, id := range p.Tags {
		if name := escaped(plain(l.tags[id].Name)); name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// single returns the record of a post with its text, summary and pictures.
func (l *lexicon) single(p post) record {
	r := l.list(p)
	text, gallery := cleanText(p.Content.Text, r.ContentType == "NewsPhotoGallery", l.media)
	if r.Title == "" {
		r.Title = escaped(firstWords(plain(text)))
	}
	if excerpt := plain(p.Excerpt.Text); !isAutomatic(excerpt, p.Content.Text) {
		r.Description = escaped(withoutShortcodes(excerpt, closedShortcodes(excerpt)))
	}
	r.Files = l.files(p, text, gallery)
	r.Text = &text
	r.WordPress.Slug, r.WordPress.GUID, r.WordPress.Template = p.Slug, p.GUID.Text, p.Template
	return r
}

// firstWords returns a title for a text without one.
func firstWords(words string) string {
	fields := strings.Fields(words)
	return strings.Join(fields[:min(len(fields), 8)], " ")
}

// isAutomatic reports whether WordPress has cut a summary out of a text. A short text is
// repeated without a mark, and without its pictures, galleries and some other blocks.
func isAutomatic(excerpt, rendered string) bool {
	if excerpt == "" || strings.HasSuffix(excerpt, "[…]") {
		return true
	}
	body, err := parse(rendered)
	if err != nil {
		return false
	}
	whole := withoutBlanks(excerpt)
	left, isFirst := whole, true
	for n := range body.Descendants() {
		if n.Type != html.TextNode {
			continue
		}
		part := withoutBlanks(n.Data)
		if part == "" {
			continue
		}
		if rest, ok := strings.CutPrefix(left, part); ok {
			left = rest
		} else if strings.HasPrefix(part, left) && (isFirst || left != whole) {
			left = "" // cut within the part
		}
		if left == "" {
			return true
		}
		isFirst = false
	}
	return false
}

func withoutBlanks(text string) string { return strings.Join(strings.Fields(text), "") }

// files returns the pictures of a post: the one that stands for it, unless the text begins
// with it, and those of its gallery. A picture's caption in the gallery is about the post.
func (l *lexicon) files(p post, text string, gallery []picture) []file {
	var files []file
	seen := make(map[string]bool)
	add := func(address, title, caption string) {
		if key := stem(address); address != "" && !seen[key] {
			seen[key] = true
			files = append(files, file{address, metadata{escaped(title), escaped(caption)}})
		}
	}
	if m, ok := l.media[p.Picture]; ok && stem(firstPicture(text)) != stem(m.Address) {
		alt, caption := m.Alt, plain(m.Caption.Text)
		if i := slices.IndexFunc(gallery, func(g picture) bool { return stem(g.address) == stem(m.Address) }); i >= 0 {
			alt, caption = cmp.Or(gallery[i].alt, alt), cmp.Or(gallery[i].caption, caption)
		}
		add(m.Address, alt, caption)
	}
	for _, g := range gallery {
		add(g.address, g.alt, g.caption)
	}
	return files
}

var (
	size  = regexp.MustCompile(`-(\d+x\d+|scaled)(\.[A-Za-z]+)$`)
	image = regexp.MustCompile(`^\s*(?:<(?:figure|div|p|a)\b[^>]*>\s*)*<img\b[^>]*?\ssrc="([^"]*)"`)
)

// stem returns the address of a picture without the mark of its size.
func stem(address string) string { return size.ReplaceAllString(address, "$2") }

// firstPicture returns the address of the picture with which a text begins, "" if it
// begins with words.
func firstPicture(text string) string {
	if m := image.FindStringSubmatch(text); m != nil {
		return m[1]
	}
	return ""
}

// folder returns the record of a category.
func (l *lexicon) folder(t term) json.RawMessage {
	return encode(struct {
		ID          string `json:"Id"`
		Path, Title string
		Description string `json:",omitempty"`
		URL         string `json:"Url"`
	}{termID(t.ID), l.categories.path(t.ID), escaped(plain(t.Name)), escaped(plain(t.Description)), t.Link})
}

// writerRecord returns the record of a user.
func writerRecord(u user) json.RawMessage {
	return encode(struct {
		ID          string `json:"Id"`
		ContentType string
		Fullname    string
		Description string `json:",omitempty"`
		URL         string `json:"Url"`
	}{userID(u.ID), "PersonContainer", escaped(plain(u.Name)), escaped(plain(u.Description)), u.Link})
}

// reference returns a record with an id alone.
func reference(p post) json.RawMessage {
	return encode(struct {
		ID string `json:"Id"`
	}{p.ID.String()})
}

// stickyRecord returns the editorial page of sticky posts.
func stickyRecord(title string, posts []post) json.RawMessage {
	type related struct {
		ID string `json:"Id"`
	}
	page := struct {
		ID          string `json:"Id"`
		ContentType string
		Title       string
		PageNews    []related
	}{ID: "sticky", ContentType: "EditorialPage", Title: title}
	for _, p := range posts {
		page.PageNews = append(page.PageNews, related{p.ID.String()})
	}
	return encode(page)
}

// encode returns a record as JSON, without escapes for HTML.
func encode(record any) json.RawMessage {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(record); err != nil {
		panic(err) // a struct of texts and numbers is encoded
	}
	return json.RawMessage(strings.TrimSuffix(b.String(), "\n"))
}
