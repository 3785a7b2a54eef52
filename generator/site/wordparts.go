package site

// The parts of [Words], by the pages that show them. A file in words/ has all of them side by
// side, so no two parts have a field of one name.

// addressWords are parts of published addresses, which never change.
type addressWords struct {
	PagesDir, WritersDir, TagsDir, SearchDir, KindsDir, ArchiveDir, CorrectionsDir, CustomListsDir, SubscribeDir string

	SectionsDir string // of the page of all sections; a folder of that name goes before
	AboutName   string // of the page about the mirror
	NumbersDir  string // of the page of numbers, in ArchiveDir
}

// kindWords name kinds of items and of lists.
type kindWords struct {
	Kinds   map[Kind]string // one item of a kind; part of addresses, too
	KindsOf map[Kind]string // a list of one kind
	Counts  map[Kind]Plural

	FolderKind, WriterKind, TagKind, PageKind, SearchKind, CustomListKind string // what a list is
}

// layoutWords are around every page.
type layoutWords struct {
	SkipToContent, MainNavigation, Breadcrumb string
	Home, ThisSite, NewestItem                string
	Mirror                                    string // format with one %s, the source's name
	LookSystem, LookLight, LookDark           string // names of the switch between looks
}

// itemWords are of an item's page, of its teasers and of its entry in feeds.
type itemWords struct {
	By, Editor, Published, Updated, ReadOriginal, WatchOriginal string
	ReadingMinutes                                              Plural
	Waiting, Gone, Reduced, Changed                             string
	ForMembers, MembersOnly                                     string // of an item whose text members alone may read: a word in lists, and a sentence
	NewerItem, OlderItem, Related, MoreColumns, MoreIn          string
	MoreOf                                                      string // format with a folder's title
	CopyLink, Share                                             string // buttons
	Comments                                                    Plural // of readers
	NoName                                                      string // a reader who has given no name
	FirstComments                                               string // format with a number
	Table                                                       string
	FileSizes                                                   [3]string // formats with a number: kilobytes, megabytes, gigabytes
}

// galleryWords are of pictures, and of the page that shows many.
type galleryWords struct {
	PictureBadge, Pictures              Plural
	PictureMissing                      string
	PreviousPicture, NextPicture, Close string
}

// listWords are of home, folders and other lists of items.
type listWords struct {
	Latest, All, Columnists, MoreNews, AllNews, SubFolders string
	Newer, Older, Pagination                               string
	PageTitle                                              string // format with a list's title and a number
	ListDescription                                        string // format with the titles of a list and of the site
	Empty, Moved, AtSource, ElsewhereAtSource              string
}

// indexWords are of pages that list lists.
type indexWords struct {
	AllKinds, AllSections, CustomLists, Pages, Searches, Tags, Writers string // titles
	LatestColumns                                                      string // of different writers
	TopTags                                                            string // tags with most items
	Letters                                                            string
}

// archiveWords are of months.
type archiveWords struct {
	Archive    string
	ArchiveOf  string // format with a list's title
	MonthTitle string // format with a list's title, and a month and year
	PartTitle  string // format with the title of a month and the number of its part

	Numbers, Years, NotAtSource string // the page of numbers: its title, a heading, what was removed at the source
}

// correctionWords are of an item's history.
type correctionWords struct {
	Corrections         string
	CorrectionTitle     string    // format with an item's title
	CorrectionFields    [3]string // title, spot and text of an item
	CorrectionsText     string
	WordsGone, WordsNew string
	LastChanges         string // format with a number
	ChangeCut           string // format with a number of words
}

// feedWords are of feeds and of the page that lists them.
type feedWords struct {
	Subscribe                      string
	SubscribeText                  []string // paragraphs
	FeedNote                       string   // above a feed that a browser shows
	FollowThis, AllFeeds           string
	FollowPaste, FollowReader      string // of a feed's address: a sentence before it, and a link that opens a reader
	Feeds                          Plural
	OwnTitle                       string // format with a folder's title
	Range                          string // format with the first and the last of several titles
	Copy, Copied, FindList, NoList string
}

// searchWords are of the search page.
type searchWords struct {
	Search, SearchFor, SearchButton, KindLabel, AnyKind, AnyWriter, Results, MoreResults string

	Filters                                string // opens the fields below on a phone
	FromLabel, ToLabel                     string // the first and the last day
	SortLabel, SortByRelevance, SortByDate string

	DidYouMean       string // a query that may be meant, %s
	FoundInstead     string // a word that is unknown, %s, and the one that is found instead, %s
	SearchTooShort   string // the least number of letters, %s
	OlderResults     string
	Found            string // how many are found, %d
	FoundAtMost      string // likewise
	FoundAmongNewest string // how many are found, %d, and among how many items, %s

	FoundNothing, SearchFailed, SearchNeedsScript, Browse string

	SearchDescription string // format with the site's title
}

// fixedPageWords are of the few pages that are no item and no list.
type fixedPageWords struct {
	About                       string
	AboutText                   []string // paragraphs; each a format with one %s, the source's name
	NotFoundTitle, NotFoundText string
	Plain                       string // of a simple page in place of one that failed
	BuildingTitle, BuildingText string // of the page in place of a site that is not there yet
	BuildingCount               string // format with the numbers of records that have arrived and that are known
}

// bookWords are of books.
type bookWords struct {
	Contents, Cover, Sources, AboutSource, InMirror, Fetched, Undated string

	SourcesText []string // paragraphs; the first is a format with the source's name
	BookAccess  string   // what helps people who do not see well
}
