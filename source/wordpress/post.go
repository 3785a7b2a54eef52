package wordpress

import (
	"encoding/json"
	"errors"

	"ayna/source/encode"
)

// The fields of WordPress that are asked for. _links would double the work of the site,
// and _embed ten times more. A custom type may have no excerpts, or no contents.
const (
	listFields   = "id,type,date_gmt,modified_gmt,link,title.rendered,excerpt.protected,content.protected,author,featured_media,sticky,format,categories,tags,parent,menu_order"
	singleFields = "id,type,date_gmt,modified_gmt,link,slug,guid.rendered,title,excerpt,content,author,featured_media,sticky,format,categories,tags,parent,menu_order,template"
	termFields   = "id,name,slug,description,link,parent"
	userFields   = "id,name,slug,description,link"
	mediaFields  = "id,source_url,alt_text,caption" // WordPress leaves out caption.rendered
)

// A post is a post, a page or a record of a custom type.
type post struct {
	ID         number     `json:"id"`
	Type       string     `json:"type"`
	Date       gmt        `json:"date_gmt"`
	Modified   gmt        `json:"modified_gmt"`
	Link       text       `json:"link"`
	Slug       string     `json:"slug"`
	GUID       rendered   `json:"guid"`
	Title      rendered   `json:"title"`
	Excerpt    rendered   `json:"excerpt"`
	Content    rendered   `json:"content"`
	Author     optionalID `json:"author"`
	Picture    optionalID `json:"featured_media"`
	Sticky     truth      `json:"sticky"`
	Format     string     `json:"format"`
	Categories termIDs    `json:"categories"`
	Tags       termIDs    `json:"tags"`
	Parent     number     `json:"parent"`
	Order      number     `json:"menu_order"`
	Template   string     `json:"template"`
	Authors    byline     `json:"authors"`
	Coauthors  byline     `json:"coauthors"`
	Entry      string     `json:"feed_entry"` // XML; "" if the post did not come by a feed

	rest  string              // REST name of its type
	terms map[string][]number // ids in other taxonomies, by the fields of these; of a single record
	raw   json.RawMessage     // what the site has sent; of a single record
	entry *entry              // that of Entry
}

// unread names content of a post that came in another shape than WordPress has for it, in the
// words of record.Lost. Types of plug-ins may lack fields altogether.
func (p post) unread(isSingle bool) (words []string) {
	look := func(word string, of shape, isNeeded bool) {
		if of == odd || of == absent && isNeeded {
			words = append(words, word)
		}
	}
	isPost := p.rest == string(Posts)
	hasIDs := isPost && p.entry == nil // an entry of a feed has names
	isStandard := isPost || p.rest == standing
	look("title", p.Title.shape, isStandard)
	look("folder", p.Categories.shape, hasIDs)
	look("writer", p.Author.shape, isStandard && p.entry == nil)
	look("tags", p.Tags.shape, hasIDs)
	if p.entry != nil && isPost {
		words = append(words, p.entry.unread(p)...)
	}
	look("date of publication", p.Date.shape, true)
	look("date of change", p.Modified.shape, true)
	look("address", p.Link.shape, true)
	if isSingle {
		look("text", p.Content.shape, isStandard)
		look("description", p.Excerpt.shape, false)
		look("pictures", p.Picture.shape, false)
	}
	return words
}

// lacking names content of a post or page whose field is missing. WordPress always has it, but
// plug-ins may leave it out of all of them.
func (p post) lacking() (words []string) {
	if p.rest != string(Posts) && p.rest != standing {
		return nil
	}
	if p.Excerpt.shape == absent {
		words = append(words, "description")
	}
	if p.Picture.shape == absent {
		words = append(words, "pictures")
	}
	return words
}

// isProtected reports whether a post has a password. It is not public then.
func (p post) isProtected() bool { return p.Content.Protected || p.Excerpt.Protected }

// A term is a category or a tag.
type term struct {
	ID          number `json:"id"`
	Name        string `json:"name"` // with entities
	Slug        string `json:"slug"` // percent-encoded
	Description string `json:"description"`
	Link        string `json:"link"`
	Parent      number `json:"parent"`
}

// A user is an author. The avatar's address is never asked for: it holds a hash of the
// e-mail address.
type user struct {
	ID          number `json:"id"`
	Name        string `json:"name"`
	Slug        string `json:"slug"`
	Description string `json:"description"` // HTML
	Link        string `json:"link"`
}

// A media is a picture, video or sound.
type media struct {
	ID      number   `json:"id"`
	Address string   `json:"source_url"`
	Alt     string   `json:"alt_text"`
	Caption rendered `json:"caption"`
}

// readPost decodes a post. The error is about data that is no JSON object, or has no id.
func readPost(data []byte) (post, error) {
	p, err := encode.Read[post](data)
	if err == nil && p.ID <= 0 {
		err = errors.New("a post without an id")
	}
	if err == nil && p.Entry != "" {
		err = p.overlay()
	}
	p.Content.Text = encode.ClipText(p.Content.Text)
	return p, err
}
