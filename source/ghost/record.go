package ghost

import (
	"encoding/json"
	"html"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"ayna/source/encode"
	"ayna/source/markup"
	"ayna/source/note"
)

// item is a record of a post or a page.
type item struct {
	encode.Item
	Ghost *facts `json:",omitempty"`
}

// facts are what Ghost says beside the fields of the Read API.
type facts struct {
	Slug          string `json:"slug,omitempty"`
	Visibility    string `json:"visibility,omitempty"`
	Featured      bool   `json:"featured,omitempty"`
	PrimaryTag    string `json:"primary_tag,omitempty"`
	PrimaryAuthor string `json:"primary_author,omitempty"`
	ReadingTime   int    `json:"reading_time,omitempty"`
	Canonical     string `json:"canonical_url,omitempty"`
	Comment       string `json:"comment_id,omitempty"`
}

// listRecord returns the record of a post as lists show it.
func listRecord(e entry) item {
	r := item{Item: encode.Item{
		ID: e.ID, ContentType: "Article", Title: markup.Escape(oneLine(e.Title)), URL: e.URL, ModifiedDate: e.Updated.text(),
	}, Ghost: &facts{Slug: e.Slug, Visibility: e.Visibility}}
	if e.Visibility != "public" && e.Visibility != "" {
		r.Access = encode.Members
	}
	if e.isPage {
		r.ContentType, r.Order = encode.StandingPage, new(int64) // all alike: Ghost does not order pages
	}
	return r
}

// singleRecord returns the record of a post with its text and pictures, and what its text lacks.
// raw is the post as Ghost has sent it, home is the paper's host.
func singleRecord(p post, raw json.RawMessage, home string) (item, note.Set) {
	r := listRecord(p.entry)
	if p.Access != nil { // whether this answer has the whole text, which visibility does not say
		r.Access = ""
		if !*p.Access {
			r.Access = encode.Members
		}
	}
	r.CreatedDate, r.StartDate = p.Published.text(), p.Published.text()
	r.Description = markup.Escape(oneLine(p.Excerpt))
	if !p.isPage {
		for _, t := range p.folders() {
			if path := folderPath(t); !slices.Contains(r.Paths, path) {
				r.Paths = append(r.Paths, path)
			}
		}
	}
	if len(r.Paths) > 0 {
		r.Path = r.Paths[0]
	}
	for _, a := range p.Authors {
		if isID(a.ID) {
			r.Writers = append(r.Writers, encode.Author{ID: writerID(a), Fullname: markup.Escape(oneLine(a.Name))})
		}
	}
	text, notes := cleanText(string(p.HTML), home, p.URL)
	r.Text = &text
	if picture := original(p.Picture); picture != "" && firstPicture(text) != picture {
		r.Files = []encode.File{{Address: picture, Metadata: encode.Metadata{
			Title: markup.Escape(oneLine(p.PictureAlt)), Description: markup.Escape(markup.Plain(p.PictureCaption)),
		}}}
	}
	r.Ghost.Featured, r.Ghost.ReadingTime, r.Ghost.Canonical, r.Ghost.Comment = p.Featured, p.ReadingTime, p.Canonical, p.Comment
	if p.PrimaryTag != nil {
		r.Ghost.PrimaryTag = p.PrimaryTag.ID
	}
	if p.PrimaryAuthor != nil {
		r.Ghost.PrimaryAuthor = p.PrimaryAuthor.ID
	}
	if len(unread(raw)) > 0 {
		notes[note.Fields] = true
	}
	return r, notes
}

// folders returns the public tags of a post, which are its folders: the primary one first,
// which comes again among the others.
func (p post) folders() (tags []tag) {
	if p.PrimaryTag != nil && p.PrimaryTag.isPublic() {
		tags = append(tags, *p.PrimaryTag)
	}
	for _, t := range p.Tags {
		if t.isPublic() {
			tags = append(tags, t)
		}
	}
	return tags
}

// Tags and authors have ids of their own.
func folderID(t tag) string    { return "tag-" + t.ID }
func writerID(a author) string { return "user-" + a.ID }

// folderPath returns the folder of a tag, as in "/ekonomi/".
func folderPath(t tag) string {
	if t.Slug == "" || t.Slug == "." || t.Slug == ".." || strings.ContainsAny(t.Slug, "/\\") {
		return "/" + folderID(t) + "/"
	}
	return "/" + t.Slug + "/"
}

// folder returns the record of a tag.
func folder(t tag) json.RawMessage {
	return encode.Encode(encode.Folder{
		ID: folderID(t), Path: folderPath(t), Title: markup.Escape(oneLine(t.Name)), Description: markup.Escape(oneLine(t.Description)), URL: t.URL,
	})
}

// writer returns the record of an author. A picture of Gravatar is left out: its address
// holds a hash of the e-mail address.
func writer(a author) json.RawMessage {
	r := encode.Writer{
		ID: writerID(a), ContentType: encode.Person, Fullname: markup.Escape(oneLine(a.Name)), Description: markup.Escape(oneLine(a.Bio)), URL: a.URL,
	}
	if picture := original(a.Picture); picture != "" && !strings.HasSuffix(host(picture), "gravatar.com") {
		r.Files = []encode.File{{Address: picture}}
	}
	return encode.Encode(r)
}

var (
	// smaller matches the directories of a resized or converted picture, as
	// /content/images/size/w600/format/webp/.
	smaller = regexp.MustCompile(`^(/.*)?/content/images/size/w\d+(?:h\d+)?/(?:format/\w+/)?`)
	image   = regexp.MustCompile(`^\s*(?:<(?:figure|div|p|a)\b[^>]*>\s*)*<img\b[^>]*?\ssrc="([^"]*)"`)
)

// original returns the address of a picture as it was uploaded.
func original(address string) string {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil {
		return address
	}
	if path := smaller.ReplaceAllString(u.Path, "$1/content/images/"); path != u.Path {
		u.Path, u.RawPath = path, ""
		return u.String()
	}
	return address
}

// firstPicture returns the address of the picture with which a text begins, "" if it
// begins with words.
func firstPicture(text string) string {
	if m := image.FindStringSubmatch(text); m != nil {
		return html.UnescapeString(m[1])
	}
	return ""
}
