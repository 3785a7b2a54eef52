// Package epub writes items of a site as an e-book (EPUB 3.3, with a table of contents for
// readers of EPUB 2): cover, title page, contents by section and day, the items, and pages
// of their sources.
//
// A [Book] has a reader of stories and the items, and is written as one file. Begin with
// [Book.Write], which makes the book twice: first to learn how large its texts are, then
// with the pictures that still fit. chapter.go makes the pages of items, picture.go chooses
// pictures, container.go writes the file.
package epub

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	_ "embed"
	"errors"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"
	"time"

	"ayna/generator/site"
	"ayna/generator/story"
	"ayna/picture"
	"ayna/prose"
)

const (
	maxBytes = 30_000_000
	maxItems = 5000 // readers are slow with more
)

var errLarge = fmt.Errorf("a book holds at most %d items and %d MB: select a folder, a time, a writer or a saved search", maxItems, maxBytes/1_000_000)

// Book is a book to write.
type Book struct {
	Stories  *story.Reader
	Items    site.Items          // in any order
	Titles   []string            // of what selects the items; none for the whole site
	Top      *site.Folder        // sections are the folders right below it
	Widths   []int               // of published smaller pictures
	Progress func(done, all int) // may be nil
}

// Result is what a book lacks.
type Result struct {
	Damaged []string // items that cannot be read: "article 12345678"
	Notes   []string // on pictures that are smaller or missing
}

// Write writes the book. The same archive and site give the same bytes.
func (b *Book) Write(ctx context.Context, w io.Writer) (result Result, err error) {
	if b.Items.Len() > maxItems {
		return result, fmt.Errorf("%d items: %w", b.Items.Len(), errLarge)
	}
	var size counter
	draft := b.edition(nil, nil)
	if err := draft.write(ctx, &size); err != nil {
		return result, err
	}
	for _, item := range draft.lost {
		result.Damaged = append(result.Damaged, string(item.Kind())+" "+item.ID())
	}
	if len(draft.lost) == b.Items.Len() {
		return result, errors.New("none of its items can be read")
	}
	if result.Notes, err = draft.choosePictures(ctx, maxBytes-int64(size)); err != nil {
		return result, err
	}
	return result, b.edition(draft.lost, draft.pictures).write(ctx, w)
}

// counter counts what is written to it.
type counter int64

func (c *counter) Write(p []byte) (int, error) {
	if *c += counter(len(p)); *c > maxBytes {
		return 0, errLarge
	}
	return len(p), nil
}

// edition is a book in the making. Templates read its exported fields.
type edition struct {
	*Book
	*container
	Words        *site.Words
	Site         *site.Site
	Whole        string // the title with what selects the items
	Period       string // in which they were published, "" if unknown
	Rights       string
	Sections     []*part
	Chapters     []*chapter
	Pages        []string // the names of its pages, in the order of reading
	Pictures     []*shownPicture
	ID, Modified string

	byAddress map[string]*chapter // in the site
	pictures  map[string]*shownPicture
	draft     bool        // it has all pictures, and none is copied
	lost      []site.Item // that cannot be read
}

// part is a section of the book, which is a folder, or a day of a section.
type part struct {
	folder      *site.Folder
	Name, Title string // of its page, which a day lacks
	Chapters    []*chapter
	Days        []*part
}

// edition returns the book without some items: a draft if it gets no pictures.
func (b *Book) edition(without []site.Item, pictures map[string]*shownPicture) *edition {
	s := b.Stories.Site
	about := s.Words.AboutText
	rights := about[min(1, len(about)-1)] // an owner's words may be one paragraph
	e := &edition{
		Book: b, Words: &s.Words, Site: s, Whole: strings.Join(append([]string{s.Title}, b.Titles...), " – "),
		Rights: fmt.Sprintf(rights, s.SourceName), byAddress: make(map[string]*chapter), pictures: pictures, draft: pictures == nil,
	}
	if e.draft {
		e.pictures = make(map[string]*shownPicture)
	}
	order := slices.Concat(s.Sections, s.Folders, []*site.Folder{nil})
	rank := func(item site.Item) int { return slices.Index(order, e.sectionOf(item)) }
	items := slices.SortedFunc(b.Items.All(), func(x, y site.Item) int { return cmp.Or(cmp.Compare(rank(x), rank(y)), -site.Compare(x, y)) })
	var first, last int64
	for _, item := range items {
		if slices.Contains(without, item) {
			continue
		}
		if t := item.Order(); t > 0 {
			first, last = min(cmp.Or(first, t), t), max(last, t)
		}
		e.add(item)
	}
	if e.Period = e.date(last); e.date(first) != e.Period {
		e.Period = fmt.Sprintf(s.Words.Range, e.date(first), e.date(last))
	}
	return e
}

// add adds an item to its section and day, which are the last ones or new.
func (e *edition) add(item site.Item) {
	folder, date := e.sectionOf(item), cmp.Or(e.date(item.Order()), e.Words.Undated)
	if n := len(e.Sections); n == 0 || e.Sections[n-1].folder != folder {
		title := e.Words.MoreNews
		if folder != nil {
			title = folder.Title
		}
		e.Sections = append(e.Sections, &part{folder: folder, Name: fmt.Sprintf("section-%02d", n+1), Title: title})
	}
	s := e.Sections[len(e.Sections)-1]
	if n := len(s.Days); n == 0 || s.Days[n-1].Title != date {
		s.Days = append(s.Days, &part{Title: date})
	}
	d, c := s.Days[len(s.Days)-1], &chapter{Item: item, Number: len(e.Chapters) + 1}
	e.Chapters, s.Chapters, d.Chapters = append(e.Chapters, c), append(s.Chapters, c), append(d.Chapters, c)
	e.byAddress[item.Address()] = c
}

// sectionOf returns the section of an item; nil for an item without a folder.
func (e *edition) sectionOf(item site.Item) *site.Folder {
	trail, depth := item.Folder().Trail(), len(e.Top.Trail())
	if len(trail) == 0 {
		return nil
	}
	return trail[min(depth, len(trail)-1)]
}

// date returns a day in words, "" for an unknown time.
func (e *edition) date(ms int64) string {
	if ms <= 0 {
		return ""
	}
	return e.Words.Date(time.UnixMilli(ms).In(e.Site.Location))
}

// When returns a time in words, "" if it is unknown.
func (e *edition) When(ms int64) string {
	if ms <= 0 {
		return ""
	}
	return e.Words.DateTime(time.UnixMilli(ms).In(e.Site.Location))
}

// Count returns the numbers of chapters by kind, in words.
func (e *edition) Count(chapters []*chapter) string {
	var items site.Items
	for _, c := range chapters {
		items.Append(c.Item)
	}
	return e.Words.Count(items)
}

//go:embed book.html
var bookHTML string

//go:embed book.css
var bookCSS []byte

var templates = template.Must(template.New("book").Parse(bookHTML))

// write writes the whole book.
func (e *edition) write(ctx context.Context, w io.Writer) (err error) {
	e.container = newContainer(w)
	lines := append(slices.Clone(e.Titles), e.Period)
	cover, err := picture.Cover(prose.Shorten(e.Site.Title, 60), e.Site.SourceName, lines...)
	if err != nil {
		return err
	}
	e.put(dir+"book.css", bookCSS)
	e.put(dir+"cover.png", cover)
	e.page("cover", "cover", e.view(e.Whole, nil))
	e.page("title", "title", e.view(e.Whole, e.Chapters))
	e.Pages = append(e.Pages, "nav") // written when the titles are known
	for _, s := range e.Sections {
		e.page("section", s.Name, e.view(s.Title, s.Chapters))
		for _, c := range s.Chapters {
			if err := e.chapter(ctx, c); err != nil {
				return err
			}
		}
	}
	for chapters := range slices.Chunk(e.Chapters, perPage) {
		e.page("sources", chapters[0].sources(), e.view(e.Words.Sources, chapters))
	}
	e.identify()
	e.render("nav", "nav.xhtml", e.view(e.Words.Contents, nil))
	e.render("ncx", "toc.ncx", e.view(e.Whole, nil))
	e.render("package", "package.opf", e.view(e.Whole, nil))
	return e.close()
}

// view is what all documents show.
type view struct {
	*edition
	Title    string // of the document
	Chapters []*chapter
}

func (e *edition) view(title string, chapters []*chapter) view { return view{e, title, chapters} }

// page writes a page and adds it to the order of reading.
func (e *edition) page(template, name string, v any) {
	e.Pages = append(e.Pages, name)
	e.render(template, name+".xhtml", v)
}

// render writes a document. Whatever a record holds, its characters are those of XML.
func (e *edition) render(template, file string, v any) {
	var b bytes.Buffer
	if err := templates.ExecuteTemplate(&b, template, v); err != nil {
		e.fail(fmt.Errorf("page %s of the book: %w", file, err))
	}
	e.put(dir+file, []byte(declaration+prose.StripInvalidXML(b.String())))
}

// identify sets a UUID (RFC 9562, version 8) of the records and pictures of the book, and
// when the newest item was published or changed.
func (e *edition) identify() {
	h := sha256.New()
	fmt.Fprintln(h, e.Whole)
	var newest int64
	for _, c := range e.Chapters {
		fmt.Fprintln(h, c.Kind(), c.ID(), c.Hash)
		newest = max(newest, c.Order(), c.Item.Modified())
	}
	for _, p := range e.Pictures {
		fmt.Fprintln(h, p.File())
	}
	id := h.Sum(nil)[:16]
	id[6], id[8] = id[6]&0x0f|0x80, id[8]&0x3f|0x80
	e.ID = fmt.Sprintf("urn:uuid:%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:])
	const year9999 = 253402300799000
	e.Modified = time.UnixMilli(min(newest, year9999)).UTC().Format("2006-01-02T15:04:05Z")
}
