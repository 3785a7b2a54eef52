package wordpress

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"ayna/slug"
	"ayna/source/encode"
	"ayna/source/get"
	"ayna/source/markup"
)

// An entry is a post as a feed shows it (Atom, RFC 4287). Elements that are missing are nil.
type entry struct {
	ID         string     `xml:"http://www.w3.org/2005/Atom id"`
	Title      *construct `xml:"http://www.w3.org/2005/Atom title"`
	Links      []atomLink `xml:"http://www.w3.org/2005/Atom link"`
	Updated    *string    `xml:"http://www.w3.org/2005/Atom updated"`
	Published  *string    `xml:"http://www.w3.org/2005/Atom published"`
	Authors    []string   `xml:"http://www.w3.org/2005/Atom author>name"`
	Categories []category `xml:"http://www.w3.org/2005/Atom category"`
	Summary    *construct `xml:"http://www.w3.org/2005/Atom summary"`
	Content    *construct `xml:"http://www.w3.org/2005/Atom content"`
}

type atomLink struct {
	Rel  string `xml:"rel,attr,omitempty"`
	Href string `xml:"href,attr"`
}

type category struct {
	Term string `xml:"term,attr"`
}

// link returns the address of the post.
func (e *entry) link() string {
	for _, l := range e.Links {
		if l.Href != "" && (l.Rel == "" || l.Rel == "alternate") {
			return l.Href
		}
	}
	return ""
}

// A feedPage is one page of a feed.
type feedPage struct {
	title    string
	language string // as in "tr-TR"
	entries  []entry
}

// A notFeed is the error of an answer that is no whole feed. It counts as one that is not JSON.
type notFeed string

func (n notFeed) Error() string      { return string(n) }
func (notFeed) Is(target error) bool { return target == get.ErrNotJSON }

// maxNotice is the most bytes before a feed, which plug-ins write.
const maxNotice = 64 << 10

// beginning declares the name space of an entry that stands alone.
const beginning = `<feed xmlns="http://www.w3.org/2005/Atom">`

// readFeed reads a page of a feed, at most [encode.MaxElements] entries.
func readFeed(body []byte) (page feedPage, err error) {
	at := bytes.Index(body[:min(len(body), maxNotice)], []byte("<feed"))
	if at < 0 {
		return page, notFeed("the answer is no Atom feed")
	}
	d := xml.NewDecoder(strings.NewReader(strings.Map(legal, string(byNumber.ReplaceAllFunc(body[at:], legalReference)))))
	d.Entity = xml.HTMLEntity
	for isOpen := false; ; {
		token, err := d.Token()
		switch t := token.(type) {
		case xml.EndElement: // of the feed: others are read whole
			return page, nil
		case xml.StartElement:
			if isOpen {
				err = page.take(d, t)
			} else {
				isOpen = true
				if i := slices.IndexFunc(t.Attr, func(a xml.Attr) bool { return a.Name.Local == "lang" }); i >= 0 {
					page.language = t.Attr[i].Value
				}
			}
		}
		if err == nil && len(page.entries) > encode.MaxElements {
			err = fmt.Errorf("more than %d entries", encode.MaxElements)
		}
		if err != nil {
			return page, notFeed("the feed is not whole XML: " + err.Error())
		}
	}
}

// take reads an element of a feed.
func (p *feedPage) take(d *xml.Decoder, t xml.StartElement) error {
	switch t.Name.Local {
	case "title":
		var title construct
		err := d.DecodeElement(&title, &t)
		p.title = markup.Plain(title.rendered().Text)
		return err
	case "entry":
		var e entry
		err := d.DecodeElement(&e, &t)
		p.entries = append(p.entries, e)
		return err
	}
	return d.Skip()
}

// byNumber is a character by its number.
var byNumber = regexp.MustCompile(`&#(?:[xX]([0-9A-Fa-f]+)|([0-9]+));`)

// legalReference leaves out a reference to what XML cannot hold.
func legalReference(text []byte) []byte {
	m := byNumber.FindSubmatch(text)
	digits, base := string(m[1]), 16
	if digits == "" {
		digits, base = string(m[2]), 10
	}
	n, err := strconv.ParseInt(digits, base, 32)
	if r := rune(n); err != nil || r == 0 || r > unicode.MaxRune || legal(r) < 0 || text[2] == 'X' {
		return nil
	}
	return text
}

// legal leaves out what XML cannot hold, and editors paste.
func legal(r rune) rune {
	if r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == '\uFFFE' || r == '\uFFFF' {
		return -1
	}
	return r
}

// passwordForm is in the text of a post with a password.
var passwordForm = regexp.MustCompile(`(?i)<form\b[^>]*\b(?:action=postpass|post-password-form)\b`)

// overlay takes what the entry of a feed has of a post.
func (p *post) overlay() error {
	page, err := readFeed([]byte(beginning + p.Entry + "</feed>"))
	if err != nil || len(page.entries) != 1 {
		return fmt.Errorf("post %s: its entry of the feed cannot be read: %w", p.ID, cmp.Or(err, get.ErrShape))
	}
	e := page.entries[0]
	p.entry, p.Title, p.Content, p.Excerpt = &e, e.Title.rendered(), e.Content.rendered(), e.Summary.rendered()
	p.Content.Protected = passwordForm.MatchString(p.Content.Text)
	p.GUID = rendered{Text: e.ID, shape: regular}
	if p.Link = (text{}); e.link() != "" {
		p.Link = text{e.link(), regular}
	}
	p.Date, p.Modified = dateOf(e.Published), dateOf(e.Updated)
	return nil
}

// dateOf reads a date of a feed.
func dateOf(element *string) gmt {
	if element == nil {
		return gmt{}
	}
	at, err := time.Parse(time.RFC3339, strings.TrimSpace(*element))
	if err != nil || at.Year() < 1 {
		return gmt{shape: odd}
	}
	return gmt{at.UTC(), regular}
}

// fill adds to the record of a post the names that its entry has where the REST API has ids.
func (e *entry) fill(p post, known categories, r *encode.Item) {
	if p.Categories.shape == absent {
		folders, _ := e.folders(p.Link.Value)
		for _, f := range folders {
			r.Paths = append(r.Paths, f.path())
		}
	}
	if p.Tags.shape == absent {
		for _, name := range e.tags(p.Categories.IDs, known) {
			r.Tags = append(r.Tags, markup.Escape(name))
		}
	}
	if p.Author.shape == absent {
		for _, name := range e.Authors[:min(len(e.Authors), maxAuthors)] {
			if name = markup.Plain(name); name != "" {
				r.Writers = append(r.Writers, encode.Author{Fullname: markup.Escape(name)})
			}
		}
	}
}

// tags returns the terms that are no categories, which a post has with these ids.
func (e *entry) tags(ids []number, known categories) []string {
	_, tags := e.folders(e.link())
	for _, id := range ids {
		tags = slices.DeleteFunc(tags, func(name string) bool { return name == markup.Plain(known[id].Name) })
	}
	return tags
}

// unread names the content of a post whose names the entry lacks, and which every post has.
func (e *entry) unread(p post) (words []string) {
	if p.Author.shape == absent && len(e.Authors) == 0 {
		words = append(words, "writer")
	}
	if p.Categories.shape == absent && len(e.terms()) == 0 {
		words = append(words, "folder", "tags")
	}
	return words
}

// maxAuthors is the most authors of an entry.
const maxAuthors = 10

// isColumn reports whether an entry has a term by whose slug posts are columns.
func (e *entry) isColumn(columns []string) bool {
	return slices.ContainsFunc(e.terms(), func(name string) bool { return slices.Contains(columns, slugOf(name)) })
}

// terms returns the names of categories and tags, in the order of the feed: categories first.
func (e *entry) terms() (names []string) {
	for _, c := range e.Categories[:min(len(e.Categories), encode.MaxNamed)] {
		if name := markup.Plain(c.Term); name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// A feedFolder is a category whose place in the tree the feed does not show.
type feedFolder struct{ segment, name string }

func (f feedFolder) path() string { return "/" + f.segment + "/" }

// folders returns the categories among the terms of an entry, the main one first: that in the
// address of the post, and the first term, which always is one. Others may be tags.
func (e *entry) folders(address string) (folders []feedFolder, others []string) {
	segments := foldersIn(address)
	slugs := make([]string, len(segments))
	for i, s := range segments {
		slugs[i] = slugOf(s)
	}
	main := -1
	for i, name := range e.terms() {
		wanted := slugOf(name)
		at := slices.Index(slugs, wanted)
		if at < 0 && i > 0 {
			others = append(others, name)
			continue
		}
		f := feedFolder{wanted, name}
		if at >= 0 {
			f.segment = segment(term{Slug: segments[at]})
		}
		if folders = append(folders, f); at > main {
			main, folders[0], folders[len(folders)-1] = at, f, folders[0]
		}
	}
	return folders, others
}

// foldersIn returns the last segments of an address before that of the post which may be
// categories: numbers are of dates, or pages.
func foldersIn(address string) (segments []string) {
	u, err := url.Parse(address)
	if err != nil {
		return nil
	}
	path := strings.Trim(u.Path, "/")
	for range maxDepth {
		i := strings.LastIndexByte(path, '/')
		if i < 0 {
			break
		}
		path = path[:i]
		if s := path[strings.LastIndexByte(path, '/')+1:]; len(s) <= maxSlug && strings.Trim(s, "0123456789") != "" {
			segments = append(segments, s)
		}
	}
	slices.Reverse(segments)
	return segments
}

// slugOf returns about what WordPress makes of a name in an address.
func slugOf(name string) string {
	return cmp.Or(slug.Of(strings.NewReplacer("&", " ", "@", " ").Replace(name), "en"), "term-"+digestOf(name)[:8])
}
