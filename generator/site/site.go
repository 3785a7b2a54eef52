// Package site is the model of a mirrored site: items, folders, writers, tags and
// other lists, their references to each other, and their addresses.
//
// Package arrange fills a [Site] from an archive; packages page, feed and search read it. A
// site of a million items fits in memory: titles, pictures and texts of items stay in the
// archive until a page is rendered.
//
// Begin with [Site] in site.go, then [List] and [Item]. address.go makes every
// address, words.go and wordparts.go have the words of the interface.
package site

import (
	"iter"
	"slices"
	"time"
)

// Site is an arranged site. It is not changed later, so it may be read concurrently.
type Site struct {
	Settings
	Collection // of all items

	All         Items           // the items of Home, and standing pages
	Home        List            // all items, newest first
	Root        *Folder         // the folder "/"; Home is published instead of it
	Folders     []*Folder       // all folders but Root: parents before children, siblings in alphabetical order
	Writers     []*Writer       // in alphabetical order
	Tags        []*Tag          // in alphabetical order
	Pages       []*Page         // editorial pages, in the service's order
	Standing    []*StandingPage // parents before those below them, siblings in the source's order
	Former      []Former        // each leads to a present address
	Searches    []*Search       // saved searches, in the order of the configuration
	Kinds       []*KindList
	Mixes       []*Mix    // in the order of the configuration
	Sections    []*Folder // the top folders, and others that the configuration names, as home shows them
	Navigation  []*Folder // the first of them, in the masthead of all pages
	SectionsDir string    // of the page that lists all folders

	NewNavigation string // the orders of the navigation that the archive keeps once the site is published; "" if they stay

	Emptied     []*List           // published lists without items now: they keep pages and feeds, but no page links to them
	Corrections List              // items whose text changed after they were published, the last change first
	Changes     map[int64]*Change // the last changes of the items of Corrections, by row

	Warnings []string // about the configuration
}

// Former is an address that an item had: as a standing page elsewhere in their tree, as a
// standing page before it became an article, or as an article before it became a page.
type Former struct {
	Address string
	Item    Item
}

// Lists yields every list, in the order of [ListKinds].
func (s *Site) Lists() iter.Seq[*List] {
	return func(yield func(*List) bool) {
		_ = yield(&s.Home) && each(s.Folders, yield) && each(s.Writers, yield) && each(s.Tags, yield) && each(s.Kinds, yield) &&
			each(s.Pages, yield) && each(s.Searches, yield) && yield(&s.Corrections) && each(s.Mixes, yield)
	}
}

// each yields the lists of one kind, until yield returns false.
func each[T interface{ list() *List }](lists []T, yield func(*List) bool) bool {
	for _, l := range lists {
		if !yield(l.list()) {
			return false
		}
	}
	return true
}

// Folder is a folder of the service. Its list includes the items of its sub-folders.
type Folder struct {
	List
	Path    string // as the service gives it: "/spor/futbol/"
	Parent  *Folder
	Folders []*Folder // in alphabetical order
	Own     Items     // the items that are not in a sub-folder
	OldDirs []string  // directories of folders that the source renamed to this one

	OldLists []OldList // what was published in OldDirs beside their index pages

	digest uint64 // see [Mixer.Folder]; 0 until [Site.Seal]
}

// An OldList is a directory that a folder had, and what was published there.
type OldList struct {
	Dir    string
	Pages  int      // after the index page
	Months []string // the names of periods
}

// Trail returns the folders below the root down to f itself.
func (f *Folder) Trail() []*Folder {
	var trail []*Folder
	for ; f != nil && f.Parent != nil; f = f.Parent {
		trail = append(trail, f)
	}
	slices.Reverse(trail)
	return trail
}

// unsorted are the paths of WordPress's category for posts without one, in its languages. Where
// its name may be that of a section, as Allgemein or Genel, it is shown.
var unsorted = []string{
	"/uncategorized/", "/uncategorised/", "/non-classe/", "/sin-categoria/", "/sem-categoria/", "/senza-categoria/", "/geen-categorie/",
	"/niet-gecategoriseerd/", "/bez-kategorii/", "/без-рубрики/", "/без-категорії/", "/χωρίς-κατηγορία/", "/غير-مصنف/", "/未分類/", "/未分类/", "/미분류/",
}

// Unsorted reports whether a folder has items without a section, so that its name says nothing.
func (f *Folder) Unsorted() bool { return slices.Contains(unsorted, f.Path) }

// Writer is a person whose columns or articles are mirrored.
type Writer struct {
	List
	Row int64  // of the writer's own record in the archive; 0 without one
	ID  string // "" if only the name is known
	URL string // the writer's page at the source, may be empty

	Shown uint64 // digest of the writer's picture, of its state in the mirror, and of words about the writer
}

// Tag is a tag, in any spelling.
type Tag struct{ List }

// KindList has all items of a kind.
type KindList struct {
	List
	ItemKind Kind
}

// Mix is a list of the configuration, composed by the owner.
type Mix struct{ List }

// Page is an editorial page.
type Page struct {
	List
	ID     string
	URL    string      // the page's address at the source, may be empty
	Absent []Reference // items of the page that the site does not have
}

// Reference is a record of the source that the site does not have.
type Reference struct {
	Title string
	URL   string // may be empty
}

// Search is a saved search.
type Search struct {
	List
	Query string
}

// Settings is the configuration of the site as a whole.
type Settings struct {
	Title       string
	Description string
	BaseURL     string // absolute, ends with a slash; where the site will be served
	Language    string // a tag of BCP 47
	Words       Words
	Location    *time.Location // zone in which dates are shown, and of dates without an offset
	DateOrder   string         // of day and month in dates of the source: "dmy", "mdy" or ""
	SourceName  string         // how pages name the mirrored service
	SourceHome  string         // its home page, may be empty
	SourceHost  string         // the host of its items, without www.
	Canonical   Canonical
	Robots      Robots
	Formats     []Format   // feeds to write
	FeedsOf     []ListKind // lists with feeds; nil is all of them
	FeedItems   int        // maximum number of entries in a feed; 0 is MinEntries or more
	Markdown    bool       // items are also published as Markdown
}

// Canonical says where the canonical copy of an item is, for search engines.
type Canonical string

const (
	CanonicalSource Canonical = "source" // its page at the source
	CanonicalMirror Canonical = "mirror" // its page of this site
)

// Robots says whether search engines may index the site.
type Robots string

const (
	AllowRobots Robots = "allow"
	DenyRobots  Robots = "deny"
)
