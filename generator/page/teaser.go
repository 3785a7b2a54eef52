package page

import (
	"cmp"
	"context"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"ayna/generator/compiled"
	"ayna/generator/site"
	"ayna/generator/story"
	"ayna/prose"
)

// teaser is an item as lists show it.
type teaser struct {
	Href        string
	Title, Spot string
	Fit         string // the class for the title's longest word; may be ""
	Kind        string // the kind's word; "" for articles, which most items are, and where the section names it
	Badge       string // the kind as a sign on the picture; "" for articles and columns
	Section     string // the folder's title; "" where the list is that folder's
	Writers     string
	Published   *moment
	Members     string // a word for an item whose text members alone may read; "" for others
	Picture     *picture
	Level       int // of the heading: 2 or 3
}

// showsFolder reports whether a teaser names its item's folder. In the folder
// itself it need not, a columnist's folder often has the columnist's name, and one of items
// without a section says nothing.
func showsFolder(item site.Item, home *site.Folder) bool {
	return item.Folder() != home && !item.Folder().Unsorted() && item.Folder().Title != strings.Join(writerNames(item.Writers()), ", ")
}

func writerNames(writers []*site.Writer) []string {
	all := make([]string, len(writers))
	for i, w := range writers {
		all[i] = w.Title
	}
	return all
}

// teaser returns an item with a heading of a level, and what key says that it names.
func (r *Renderer) teaser(read *story.Teaser, level int, key teaserKey, href func(string) string) teaser {
	item := read.Item
	title := unbroken(read.Title)
	t := teaser{
		Href: href(item.Address()), Title: title, Fit: fit(title), Spot: read.Spot,
		Published: r.moment(item.Published()), Level: level,
	}
	if read.Members {
		t.Members = r.site.Words.ForMembers
	}
	if key.writers {
		t.Writers = r.site.Words.Join(writerNames(item.Writers()))
	}
	if key.folder {
		t.Section = item.Folder().Title
	}
	if kind := r.site.Words.Kinds[item.Kind()]; item.Kind() != site.Article && !strings.EqualFold(kind, t.Section) {
		t.Kind = kind
	}
	if read.Picture != nil {
		t.Badge = r.badge(read)
		// The title beside the picture replaces an alternative text.
		p := shownPicture(*read.Picture, href)
		p.Alt, p.Sizes = "", teaserSizes
		t.Picture = &p
	}
	return t
}

// badge returns the sign of a gallery or video. Records hold no length of videos.
func (r *Renderer) badge(read *story.Teaser) string {
	switch {
	case read.Kind() == site.Video:
		return "▶\ufe0e" // as text, not as a coloured picture
	case read.Pictures > 1:
		return r.site.Words.Number(r.site.Words.PictureBadge, read.Pictures)
	}
	return ""
}

// unbroken returns a title that does not break before a dash, nor before a score.
func unbroken(title string) string {
	if !strings.ContainsFunc(title, func(r rune) bool { return r == '-' || r == '–' || r == '—' }) {
		return title // which is most often so
	}
	if whole := dashes.Replace(title); whole != title {
		return scores.ReplaceAllString(whole, "\u00a0$1$2")
	}
	return title
}

var (
	dashes = strings.NewReplacer(" - ", "\u00a0- ", " – ", "\u00a0– ", " — ", "\u00a0— ")
	scores = regexp.MustCompile(` (\d+)(\x{a0}|$)`)
)

// teasers are the teasers of the items that one page shows.
type teasers struct {
	page   *pageView
	byItem map[site.Item]*story.Teaser
}

// readTeasers reads the teasers of all items that a page shows. An item may be missing
// or repeated.
func (r *Renderer) readTeasers(ctx context.Context, f *pageView, groups ...[]site.Item) (teasers, error) {
	t := teasers{f, make(map[site.Item]*story.Teaser)}
	existing := slices.DeleteFunc(slices.Concat(groups...), func(item site.Item) bool { return !item.Exists() })
	loaded, err := r.reader.Teasers(ctx, existing)
	for i := range loaded {
		t.byItem[loaded[i].Item] = &loaded[i]
	}
	return t, err
}

// pictured reports whether an item's teaser has a picture.
func (t teasers) pictured(item site.Item) bool { return t.byItem[item].Picture != nil }

// sortFirst sorts those of a property before others.
func sortFirst[E any](list []E, has func(E) bool) {
	rank := func(e E) int {
		if has(e) {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(list, func(x, y E) int { return rank(x) - rank(y) })
}

// list returns teasers with headings of a level, for the list of the folder home.
func (t teasers) list(items []site.Item, level int, home *site.Folder) []teaser {
	list := make([]teaser, len(items))
	for i, item := range items {
		list[i] = t.page.renderer.teaser(t.byItem[item], level, keyIn(home, item), t.page.href)
	}
	return list
}

// link returns a link with an item's title; nil for no item.
func (t teasers) link(item site.Item) *link {
	if !item.Exists() {
		return nil
	}
	return t.page.linkTo(item.Address(), unbroken(t.byItem[item].Title))
}

// renderTags returns links to the other folders and to the tags of an item.
func (r *Renderer) renderTags(item site.Item) (compiled.HTML, error) {
	var lists []*site.List
	for folder := range item.Folders() {
		if folder != item.Folder() && folder.Parent != nil {
			lists = append(lists, &folder.List)
		}
	}
	for tag := range item.Tags() {
		lists = append(lists, &tag.List)
	}
	var fragments []prose.Fragment
	for _, list := range lists {
		view := link{Href: prose.FragmentAddress(list.Index()), Text: list.Title}
		fragment, err := prose.NewFragment(r.subtemplate("tag"), view)
		if err != nil {
			return nil, err
		}
		fragments = append(fragments, fragment)
	}
	return prose.JoinFragments(site.Root(item.Address()), fragments), nil
}

// picture is a picture of an item. If the mirror lacks its file, Src is empty and
// templates show the caption instead.
type picture struct {
	Src           string
	Srcset, Sizes string // addresses of several sizes, and how much room there is; Srcset may be empty
	Alt, Caption  string
	Width, Height int    // pixels; 0 if unknown
	First         bool   // it is what a reader sees first
	Wide          bool   // broad and large enough to be wider than a text
	Number        string // among the others of a gallery
	Anchor        string
}

// The room that the style sheet gives to pictures, as the attribute sizes has it:
// in items, in teasers, in the first teaser of a page, in the cards and rows of a list, above
// an item, in a gallery, and of a writer.
const (
	itemSizes     = "(min-width: 42rem) 38rem, 100vw"
	teaserSizes   = "(min-width: 40rem) 13rem, 7rem"
	firstSizes    = "(min-width: 64rem) 44rem, 100vw"
	cardSizes     = "(min-width: 76rem) 23.5rem, (min-width: 40rem) 31vw, 6.5rem"
	rowSizes      = "6.5rem"
	wideSizes     = "(min-width: 64rem) 60rem, (min-width: 42rem) 38rem, 100vw"
	gallerySizes  = "(min-width: 76rem) 57rem, (min-width: 64rem) 75vw, (min-width: 42rem) 38rem, 100vw"
	portraitSizes = "4.5rem"

	// On home: the first of a section and the others, of folders and other lists.
	largeSizes  = "(min-width: 64rem) 32rem, (min-width: 40rem) 50vw, 100vw"
	thumbSizes  = "(min-width: 64rem) 6.5rem, (min-width: 40rem) 24vw, 6.5rem"
	smallSizes  = "(min-width: 64rem) 17rem, (min-width: 40rem) 40vw, 6.5rem"
	secondSizes = "(min-width: 64rem) 20rem, 6.5rem"
)

// wideWidth is how many pixels a picture needs to be shown wider than the text.
const wideWidth = 640

// shownPicture returns a picture of a story as a page shows it.
func shownPicture(p story.Picture, href func(string) string) picture {
	shown := picture{Src: p.Src(href), Srcset: p.Srcset(href), Sizes: itemSizes, Caption: p.Caption, Alt: cmp.Or(p.Title, p.Caption)}
	if p.Width != 0 && p.Height != 0 {
		shown.Width, shown.Height = p.Width, p.Height
		shown.Wide = p.Width >= wideWidth && p.Width*3 >= p.Height*4
	}
	return shown
}

// markFirst shows a teaser's picture as the one that a reader sees first.
func (p *picture) markFirst() { p.First, p.Sizes = true, firstSizes }

// figures are the pictures beside a text.
type figures struct {
	Lead     []picture // one or none
	Pictures []picture // those that are not in the text
}

// setPictures sets the lead picture and those that follow the text. A picture in the
// text is not shown twice.
func (v *figures) setPictures(s *story.Story, href func(string) string) {
	if len(s.Pictures) == 0 {
		return
	}
	inBody := s.Body.Images()
	for i, stored := range s.Pictures {
		if slices.Contains(inBody, stored.Source) {
			continue
		}
		switch p := shownPicture(stored, href); {
		case p.Src == "" && p.Alt == "":
			// Nothing is left of it.
		case i == 0:
			p.First = true
			if p.Wide {
				p.Sizes = wideSizes
			}
			v.Lead = []picture{p}
		default:
			v.Pictures = append(v.Pictures, p)
		}
	}
}

// portrait is how pages show a writer.
type portrait struct {
	Portrait *picture // or nil
	Initials string   // where there is no portrait; "" for a name without letters
}

// portrait reads a writer's picture.
func (r *Renderer) portrait(ctx context.Context, f *pageView, w *site.Writer) (portrait, error) {
	stored, err := r.reader.Portrait(ctx, w)
	if err != nil {
		return portrait{}, err
	}
	if stored == nil {
		return portrait{Initials: r.initials(w.Title)}, nil
	}
	p := shownPicture(*stored, f.href)
	p.Alt, p.Sizes = "", portraitSizes // the name stands beside it
	return portrait{Portrait: &p}, nil
}

// initials returns the first letters of a writer's first and last name, in the
// language's capitals.
func (r *Renderer) initials(name string) string {
	var letters []rune
	for _, word := range strings.Fields(norm.NFC.String(name)) {
		if i := strings.IndexFunc(word, unicode.IsLetter); i >= 0 {
			letters = append(letters, []rune(word[i:])[0])
		}
	}
	if len(letters) > 2 {
		letters = []rune{letters[0], letters[len(letters)-1]}
	}
	return upper(string(letters), r.language)
}
