package ghost

import (
	"encoding/json"
	"regexp"
	"strings"
	"time"

	"ayna/source/encode"
	"ayna/source/markup"
)

// fieldsOfEntries are the fields of posts that a list needs. One request for all posts
// gives the same ones.
const fieldsOfEntries = "id,slug,title,url,updated_at,visibility"

// withNames is what a post is asked for with, beside its own fields.
const withNames = "tags,authors"

// An entry is a post or a page as a list shows it.
type entry struct {
	ID         string `json:"id"`
	Slug       string `json:"slug"`
	Title      string `json:"title"`
	URL        string `json:"url"`
	Updated    moment `json:"updated_at"`
	Visibility string `json:"visibility"`
	isPage     bool   // a standing page
}

// A post is a post or a page with all fields.
type post struct {
	entry
	HTML           words                  `json:"html"`
	Excerpt        string                 `json:"custom_excerpt"`
	Published      moment                 `json:"published_at"`
	Access         *bool                  `json:"access"`
	Picture        string                 `json:"feature_image"`
	PictureAlt     string                 `json:"feature_image_alt"`
	PictureCaption string                 `json:"feature_image_caption"` // HTML
	Featured       bool                   `json:"featured"`
	ReadingTime    int                    `json:"reading_time"`
	Canonical      string                 `json:"canonical_url"`
	Comment        string                 `json:"comment_id"`
	Tags           encode.Bounded[tag]    `json:"tags"`
	PrimaryTag     *tag                   `json:"primary_tag"`
	Authors        encode.Bounded[author] `json:"authors"`
	PrimaryAuthor  *author                `json:"primary_author"`
}

// A tag is a folder. Internal ones are for editors and themes.
type tag struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	Slug        string `json:"slug"`
	Description string `json:"description"`
	Visibility  string `json:"visibility"`
	URL         string `json:"url"`
}

func (t tag) isPublic() bool {
	return isID(t.ID) && (t.Visibility == "public" || t.Visibility == "") && !strings.HasPrefix(t.Name, "#")
}

// An author is a writer.
type author struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	Slug    string `json:"slug"`
	Bio     string `json:"bio"`
	Picture string `json:"profile_image"`
	URL     string `json:"url"`
}

// settings describe the paper.
type settings struct {
	Title       string                   `json:"title"`
	Description string                   `json:"description"`
	Icon        string                   `json:"icon"`
	Logo        string                   `json:"logo"`
	Accent      string                   `json:"accent_color"`
	Lang        string                   `json:"lang"`
	Locale      string                   `json:"locale"` // its name before lang
	Zone        string                   `json:"timezone"`
	UUID        string                   `json:"site_uuid"`
	URL         string                   `json:"url"`
	Navigation  encode.Bounded[menuItem] `json:"navigation"`
}

type menuItem struct {
	Label   string `json:"label"`
	Address string `json:"url"`
}

func (s settings) language() string {
	if s.Lang == "" {
		return s.Locale
	}
	return s.Lang
}

var color = regexp.MustCompile(`^#[0-9A-Fa-f]{6}$`)

// accent returns the accent color, "" if it is none.
func (s settings) accent() string {
	if !color.MatchString(s.Accent) {
		return ""
	}
	return s.Accent
}

var objectID = regexp.MustCompile(`^[0-9a-f]{24}$`)

// isID reports whether a text is an id of Ghost. Others cannot stand in a filter.
func isID(id string) bool { return objectID.MatchString(id) }

// readAll decodes the elements of a list that have an id; others are zero.
func readAll[T any](list []json.RawMessage, id func(T) string) (all []T, useful int) {
	all = make([]T, len(list))
	for i, raw := range list {
		if value, err := encode.Read[T](raw); err == nil && isID(id(value)) {
			all[i] = value
			useful++
		}
	}
	return all, useful
}

// A moment is a date in the zone of the paper, which it loses: a changed zone changes no
// record.
type moment struct{ time.Time }

func (m *moment) UnmarshalJSON(data []byte) error {
	at, err := time.Parse(time.RFC3339Nano, strings.Trim(string(data), `"`))
	if at = at.UTC().Truncate(time.Second); err != nil || at.Year() < 1 {
		at = time.Time{}
	}
	m.Time = at
	return nil
}

// text returns a date as records have it, "" for none.
func (m moment) text() string {
	if m.IsZero() {
		return ""
	}
	return m.Format("2006-01-02T15:04:05Z")
}

// words are a text, as far as pages show it.
type words string

func (w *words) UnmarshalJSON(data []byte) error {
	var text string
	_ = json.Unmarshal(data, &text) // unread names what is no text
	*w = words(encode.ClipText(text))
	return nil
}

// oneLine returns a text with single blanks, or the beginning of a very long one.
func oneLine(text string) string {
	return strings.Join(strings.Fields(encode.Clip(text, markup.MaxText)), " ")
}
