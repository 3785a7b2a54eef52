package wordpress

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

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
	ID         number   `json:"id"`
	Type       string   `json:"type"`
	Date       gmt      `json:"date_gmt"`
	Modified   gmt      `json:"modified_gmt"`
	Link       string   `json:"link"`
	Slug       string   `json:"slug"`
	GUID       rendered `json:"guid"`
	Title      rendered `json:"title"`
	Excerpt    rendered `json:"excerpt"`
	Content    rendered `json:"content"`
	Author     number   `json:"author"`
	Picture    number   `json:"featured_media"`
	Sticky     bool     `json:"sticky"`
	Format     string   `json:"format"`
	Categories []number `json:"categories"`
	Tags       []number `json:"tags"`
	Parent     number   `json:"parent"`
	Order      number   `json:"menu_order"`
	Template   string   `json:"template"`

	rest  string              // REST name of its type
	terms map[string][]number // ids in other taxonomies, by the fields of these; of a single record
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
		err = fmt.Errorf("a post without an id")
	}
	return p, err
}

// A number is an id or an order: a JSON number, or one in quotation marks; anything else
// is 0.
type number int64

func (n *number) UnmarshalJSON(data []byte) error {
	value, err := strconv.ParseInt(strings.Trim(string(data), `"`), 10, 64)
	if *n = number(value); err != nil {
		*n = 0
	}
	return nil
}

func (n number) String() string { return strconv.FormatInt(int64(n), 10) }

// rendered is HTML that WordPress has made: an object, or in some plug-ins its text alone.
type rendered struct {
	Text      string
	Protected bool
}

func (r *rendered) UnmarshalJSON(data []byte) error {
	var object struct {
		Rendered  string `json:"rendered"`
		Protected bool   `json:"protected"`
	}
	if json.Unmarshal(data, &object) == nil {
		*r = rendered{object.Rendered, object.Protected}
		return nil
	}
	_ = json.Unmarshal(data, &r.Text) // or it stays empty
	return nil
}

// gmt is a date in UTC. Local dates are never read: a changed time zone of the site would
// change them.
type gmt struct{ time.Time }

func (g *gmt) UnmarshalJSON(data []byte) error {
	at, err := time.Parse("2006-01-02T15:04:05", strings.TrimSuffix(strings.Trim(string(data), `"`), "Z"))
	if err != nil || at.Year() < 1 {
		at = time.Time{}
	}
	g.Time = at
	return nil
}

// text returns a date as records have it, "" for none.
func (g gmt) text() string {
	if g.IsZero() {
		return ""
	}
	return g.Format("2006-01-02T15:04:05Z")
}
