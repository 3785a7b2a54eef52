package site

import (
	"fmt"
	"strings"

	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"
)

// Words holds the texts of the interface in one language, and the fixed parts of
// addresses, as the language's file in words/ has them.
type Words struct {
	// Directories. As parts of published addresses they never change.
	PagesDir, WritersDir, TagsDir, SearchDir, KindsDir, ArchiveDir, CorrectionsDir, CustomListsDir, SubscribeDir string

	SectionsDir string // of the page of all sections; a folder of that name goes before

	AboutName string // of the page about the mirror; becomes its address

	Kinds   map[Kind]string // one item of a kind; part of addresses, too
	KindsOf map[Kind]string // a list of one kind
	Counts  map[Kind]Plural

	AllKinds, CustomLists, Corrections, Archive, Subscribe                  string    // titles of lists and indexes
	CustomListKind                                                          string    // what a custom list is
	MonthTitle                                                              string    // format with a list's title, and a month and year
	PartTitle                                                               string    // format with the title of a month and the number of its part
	ArchiveOf                                                               string    // format with a list's title
	Range                                                                   string    // format with the first and the last of several titles
	OwnTitle                                                                string    // format with a folder's title
	CorrectionTitle                                                         string    // format with an item's title
	CorrectionFields                                                        [3]string // title, spot and text of an item
	CorrectionsText, Moved                                                  string
	SubscribeText                                                           []string // paragraphs
	FeedNote                                                                string   // above a feed that a browser shows
	Home, Writers, Tags, Searches, Pages, Latest                            string
	SkipToContent, MainNavigation, Breadcrumb, Pagination                   string
	Newer, Older, NewerItem, OlderItem, Related, MoreColumns, MoreIn        string
	MoreOf                                                                  string // format with a folder's title
	By, Editor, Published, Updated, ReadOriginal, WatchOriginal             string
	ReadingMinutes, PictureBadge, Pictures, Feeds                           Plural
	FollowThis, AllFeeds                                                    string
	Mirror                                                                  string // format with one %s, the source's name
	About, Waiting, Gone, Reduced, PictureMissing, Empty, ElsewhereAtSource string
	NotFoundTitle, NotFoundText, Table, Letters                             string
	FolderKind, WriterKind, TagKind, PageKind, SearchKind                   string // what a list is
	ThisSite, NewestItem, All                                               string
	LatestColumns                                                           string // of different writers
	TopTags                                                                 string // tags with most items
	SubFolders, AllSections, Columnists, MoreNews, AllNews, AtSource        string
	PageTitle                                                               string   // format with a list's title and a number
	ListDescription                                                         string   // format with the titles of a list and of the site
	AboutText                                                               []string // paragraphs; each a format with one %s, the source's name

	ForMembers, MembersOnly      string // of an item whose text members alone may read: a word in lists, and a sentence
	Plain                        string // of a simple page in place of one that failed
	BuildingTitle, BuildingText  string // of the page in place of a site that is not there yet
	BuildingCount                string // format with the numbers of records that have arrived and that are known
	Changed, WordsGone, WordsNew string // of an item's history
	LastChanges                  string // format with a number
	ChangeCut                    string // format with a number of words

	LookSystem, LookLight, LookDark     string // names of the switch between looks
	PreviousPicture, NextPicture, Close string
	Copy, Copied, FindList, NoList      string // of the page of feeds
	// Of the search page.
	Search, SearchFor, SearchButton, KindLabel, AnyKind, AnyWriter, Results, MoreResults string
	FromLabel, ToLabel                                                                   string // the first and the last day
	SortLabel, SortByRelevance, SortByDate                                               string
	DidYouMean                                                                           string // a query that may be meant, %s
	FoundInstead                                                                         string // a word that is unknown, %s, and the one that is found instead, %s
	SearchTooShort                                                                       string // the least number of letters, %s
	OlderResults                                                                         string
	Found, FoundAtMost                                                                   string // how many are found, %d
	FoundAmongNewest                                                                     string // how many are found, %d, and among how many items, %s
	FoundNothing, SearchFailed, SearchNeedsScript, Browse                                string
	SearchDescription                                                                    string // format with the site's title

	// Of books.
	Contents, Cover, Sources, AboutSource, InMirror, Fetched, Undated string
	SourcesText                                                       []string // paragraphs; the first is a format with the source's name
	BookAccess                                                        string   // what helps people who do not see well

	// Of the language, not in its file.
	Months     [12]string      `words:"-"` // by themselves
	DateMonths [12]string      `words:"-"` // inside of a date
	DateOrder  string          `words:"-"` // a date as the CLDR writes its pattern, for the search page
	Calendar   string          `words:"-"` // of dates, as Unicode names it, "" for the Gregorian one
	Onward     string          `words:"-"` // an arrow in the direction of reading
	Back       string          `words:"-"` // and one against it
	Locale     string          `words:"-"` // as Open Graph names it
	KindDirs   map[Kind]string `words:"-"` // Kinds as addresses have them
	Mark       string          `words:"-"` // the language of the words where it is not the site's, else ""

	tag    language.Tag
	locale *locale
}

// Plural is how a number of things is written, by the CLDR's category of the number. "%s"
// stands for the number.
type Plural [plural.Many + 1]string

// Number returns the text for n things.
func (w *Words) Number(p Plural, n int) string {
	form := plural.Cardinal.MatchPlural(w.ofWords(), n%pluralPeriod, 0, 0, 0, 0)
	text := p[form]
	if text == "" { // the file of the words has fewer forms
		text = p[plural.Other]
	}
	return strings.Replace(text, "%s", w.Digits(n), 1)
}

// ofWords returns the language that the words are in.
func (w *Words) ofWords() language.Tag {
	if w.Mark != "" {
		return language.English
	}
	return w.tag
}

// pluralPeriod keeps numbers small without changing their category.
const pluralPeriod = 10_000_000

// Count returns the numbers of items of each kind: "27 articles, 1 gallery". It reads
// every item.
func (w *Words) Count(items Items) string {
	numbers := make([]int, len(Kinds))
	for item := range items.All() {
		numbers[item.record().kind]++
	}
	var parts []string
	for i, n := range numbers {
		if n > 0 {
			parts = append(parts, w.Number(w.Counts[Kinds[i]], n))
		}
	}
	return w.Join(parts)
}

// Join writes texts as a list in one line, with the comma of the script.
func (w *Words) Join(parts []string) string {
	comma := ", "
	switch script, _ := w.ofWords().Script(); script.String() {
	case "Arab":
		comma = "، "
	case "Jpan", "Hans", "Hant":
		comma = "、"
	}
	return strings.Join(parts, comma)
}

// Month returns the title of a month of a list.
func (w *Words) Month(list string, v Month) string {
	title := fmt.Sprintf(w.MonthTitle, list, w.monthYear(int(v.Month), v.Year))
	if v.Part > 0 {
		title = fmt.Sprintf(w.PartTitle, title, w.Ungrouped(v.Part))
	}
	return title
}
