package wordpress

import (
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"ayna/source/encode"
	"ayna/source/markup"
	"ayna/source/note"
)

// item is a record of a post.
type item struct {
	encode.Item
	WordPress *facts `json:",omitempty"`
}

// facts are what WordPress says beside the fields of the Read API: ids and flags, so that
// nothing is lost, and never contents or local dates.
type facts struct {
	Slug       string              `json:"slug,omitempty"`
	GUID       string              `json:"guid,omitempty"`
	Author     number              `json:"author,omitempty"`
	Picture    number              `json:"featured_media,omitempty"`
	Categories []number            `json:"categories,omitempty"`
	Tags       []number            `json:"tags,omitempty"`
	Format     string              `json:"format,omitempty"`
	Sticky     bool                `json:"sticky,omitempty"`
	Template   string              `json:"template,omitempty"`
	Terms      map[string][]number `json:"terms,omitempty"` // of other taxonomies, by their REST names
}

// contentType returns the type of a post, by its format and terms alone: a list has no
// text.
func (l *lexicon) contentType(p post) string {
	switch {
	case p.Type == "page":
		return encode.StandingPage
	case p.Format == "gallery":
		return "NewsPhotoGallery"
	case p.Format == "video":
		return "NewsVideo"
	case l.isColumn(p), p.entry != nil && p.entry.isColumn(l.columns):
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
	return slices.ContainsFunc(p.Categories.IDs, isNamed(l.categories)) || slices.ContainsFunc(p.Tags.IDs, isNamed(l.tags))
}

// list returns the record of a post as lists show it: everything that a later sweep
// compares, and nothing that depends on a text.
func (l *lexicon) list(p post) item {
	r := item{Item: encode.Item{
		ID: p.ID.String(), ContentType: l.contentType(p), Title: markup.Escape(markup.Plain(p.Title.Text)), URL: markup.Resolve(l.site, p.Link.Value),
		CreatedDate: p.Date.text(), StartDate: p.Date.text(), ModifiedDate: p.Modified.text(),
		Paths: l.categories.paths(p), Tags: l.tagNames(p),
	}, WordPress: &facts{
		Author: p.Author.ID, Picture: p.Picture.ID, Categories: p.Categories.IDs, Tags: p.Tags.IDs, Format: p.Format, Sticky: bool(p.Sticky),
	}}
	if p.Modified.shape == regular && p.Date.After(p.Modified.Time) { // it was scheduled, and went live without an edit
		r.ModifiedDate = p.Date.text()
	}
	switch {
	case r.ContentType == encode.StandingPage:
		order := int64(p.Order)
		r.Order, r.Paths = &order, nil
		if p.Parent > 0 {
			r.ParentID = p.Parent.String()
		}
	case p.rest != "posts" && p.rest != "":
		r.Paths = []string{"/" + p.rest + "/"}
	}
	if p.entry != nil {
		p.entry.fill(p, l.categories, &r.Item)
	}
	if len(r.Paths) > 0 {
		r.Path = r.Paths[0]
	}
	if u, ok := l.users[p.Author.ID]; ok {
		r.Writers = []encode.Author{{ID: userID(u.ID), Fullname: markup.Escape(markup.Plain(u.Name))}}
	}
	r.sign()
	return r
}

// sign names the writer of a column where the Read API has it.
func (r *item) sign() {
	if r.ContentType == "Column" && len(r.Writers) > 0 {
		r.Fullname, r.WriterID = r.Writers[0].Fullname, r.Writers[0].ID
	}
}

// Users and terms have ids of their own, which collide with those of posts.
func userID(id number) string { return "user-" + id.String() }
func termID(id number) string { return "term-" + id.String() }

func (l *lexicon) tagNames(p post) []string {
	var names []string
	seen := make(map[string]bool)
	for _, id := range p.Tags.IDs {
		if name := markup.Escape(markup.Plain(l.tags[id].Name)); name != "" && !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
	}
	return names
}

// single returns the record of a post with its text, summary and pictures, and what it lacks.
func (l *lexicon) single(p post) (item, note.Set) {
	r := l.list(p)
	content := cleanText(p.Content.Text, r.ContentType == "NewsPhotoGallery", l.media, r.URL)
	text := content.text
	unread := p.unread(true)
	if len(unread) > 0 {
		content.notes[note.Fields] = true
	}
	if r.Title == "" && !slices.Contains(unread, "title") {
		r.Title = markup.Escape(firstWords(markup.Plain(text)))
	}
	if excerpt := markup.Plain(p.Excerpt.Text); !isAutomatic(excerpt, p.Content.Text) {
		r.Description = markup.Escape(withoutShortcodes(excerpt, closedShortcodes(excerpt)))
	}
	if writers := l.writers(p); len(writers) > 0 {
		r.Writers = writers
		r.sign()
	}
	r.Files = l.files(p, text, content.gallery)
	if p.Content.shape == regular { // else it is unknown, not empty
		r.Text = &text
	}
	r.WordPress.Slug, r.WordPress.GUID, r.WordPress.Template, r.WordPress.Terms = p.Slug, p.GUID.Text, p.Template, p.terms
	return r, content.notes
}

// firstWords returns a title for a text without one.
func firstWords(words string) string {
	fields := strings.Fields(words)
	return strings.Join(fields[:min(len(fields), 8)], " ")
}

// files returns the pictures of a post: the one that stands for it, unless the text begins
// with it, and those of its gallery. A picture's caption in the gallery is about the post.
func (l *lexicon) files(p post, text string, gallery []picture) []encode.File {
	var files []encode.File
	seen := make(map[string]bool)
	add := func(address, title, caption string) {
		if key := stem(address); address != "" && !seen[key] {
			seen[key] = true
			files = append(files, encode.File{Address: address, Metadata: encode.Metadata{Title: markup.Escape(title), Description: markup.Escape(caption)}})
		}
	}
	if m, ok := l.media[p.Picture.ID]; ok && stem(firstPicture(text)) != stem(m.Address) {
		alt, caption := m.Alt, markup.Plain(m.Caption.Text)
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
	return encode.Encode(encode.Folder{
		ID: termID(t.ID), Path: l.categories.path(t.ID), Title: markup.Escape(markup.Plain(t.Name)), Description: markup.Escape(markup.Plain(t.Description)), URL: t.Link,
	})
}

// writerRecord returns the record of a user.
func writerRecord(u user) json.RawMessage {
	return encode.Encode(encode.Writer{
		ID: userID(u.ID), ContentType: encode.Person, Fullname: markup.Escape(markup.Plain(u.Name)), Description: markup.Escape(markup.Plain(u.Description)), URL: u.Link,
	})
}

// reference returns a record with an id alone.
func reference(p post) json.RawMessage { return encode.Encode(encode.Reference{ID: p.ID.String()}) }

// stickyRecord returns the editorial page of sticky posts.
func stickyRecord(title string, posts []post) json.RawMessage {
	page := struct {
		ID          string `json:"Id"`
		ContentType string
		Title       string
		PageNews    []encode.Reference
	}{ID: "sticky", ContentType: "EditorialPage", Title: title}
	for _, p := range posts {
		page.PageNews = append(page.PageNews, encode.Reference{ID: p.ID.String()})
	}
	return encode.Encode(page)
}
