package site

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Words holds the texts of the interface in one language, and the fixed parts of
// addresses.
type Words struct {
	// Directories. As parts of published addresses they never change.
	PagesDir, WritersDir, TagsDir, SearchDir, KindsDir, ArchiveDir, CorrectionsDir, CustomListsDir, SubscribeDir string

	AboutName string // of the page about the mirror; becomes its address

	Kinds   map[Kind]string // one item of a kind; part of addresses, too
	KindsOf map[Kind]string // a list of one kind
	Counts  map[Kind]Plural
	Months  [12]string

	AllKinds, CustomLists, Corrections, Archive, Subscribe                  string    // titles of lists and indexes
	CustomListKind                                                          string    // what a custom list is
	MonthTitle                                                              string    // format with a list's title, a month and a year
	PartTitle                                                               string    // format with the title of a month and the number of its part
	ArchiveOf                                                               string    // format with a list's title
	Range                                                                   string    // format with the first and the last of several titles
	OwnTitle                                                                string    // format with a folder's title
	CorrectionTitle                                                         string    // format with an item's title
	CorrectionFields                                                        [3]string // title, spot and text of an item
	CorrectionsText, Moved                                                  string
	SubscribeText                                                           []string // paragraphs
	Home, Writers, Tags, Searches, Pages, Latest                            string
	SkipToContent, MainNavigation, Breadcrumb, Pagination                   string
	Newer, Older, NewerItem, OlderItem, Related, MoreColumns, MoreIn        string
	MoreOf                                                                  string // format with a folder's title
	By, Editor, Published, Updated, ReadOriginal, WatchOriginal             string
	ReadingMinutes                                                          string // format with a number
	Pictures, Feeds                                                         Plural
	FollowThis, AllFeeds                                                    string
	Mirror                                                                  string // format with one %s, the source's name
	About, Waiting, Gone, Reduced, PictureMissing, Empty, ElsewhereAtSource string
	NotFoundTitle, NotFoundText, Table, Letters                             string
	FolderKind, WriterKind, TagKind, PageKind, SearchKind                   string // what a list is
	ThisSite, NewestItem, All                                               string
	PictureBadge                                                            string // format with a number
	LatestColumns                                                           string // of different writers
	TopTags                                                                 string // tags with most items
	SubFolders, AllSections, Columnists, MoreNews, AllNews, AtSource        string
	PageTitle                                                               string   // format with a list's title and a number
	ListDescription                                                         string   // format with the titles of a list and of the site
	AboutText                                                               []string // paragraphs; each a format with one %s, the source's name
	Locale                                                                  string   // as Open Graph names it

	Plain                        string // of a simple page in place of one that failed
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

	clock     string // time layout of the hour
	thousands string // separates groups of three digits
}

// Plural is how a number of things is written: the text for one, and the format for
// other numbers.
type Plural [2]string

// WordsFor returns the words of language, "tr" or "en".
func WordsFor(language string) (Words, error) {
	switch language {
	case "tr":
		return turkish, nil
	case "en":
		return english, nil
	}
	return Words{}, fmt.Errorf("language %q: must be tr or en", language)
}

// Number returns the text for n things.
func (w *Words) Number(p Plural, n int) string {
	if n == 1 {
		return p[0]
	}
	return fmt.Sprintf(p[1], w.Digits(n))
}

// Digits returns a number with its digits in groups.
func (w *Words) Digits(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + w.thousands + s[i:]
	}
	return s
}

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
	return strings.Join(parts, ", ")
}

// Date returns the day of t in words.
func (w *Words) Date(t time.Time) string { return string(w.appendDate(nil, t)) }

func (w *Words) appendDate(b []byte, t time.Time) []byte {
	year, month, day := t.Date()
	b = append(append(strconv.AppendInt(b, int64(day), 10), ' '), w.Months[month-1]...)
	return strconv.AppendInt(append(b, ' '), int64(year), 10)
}

// DateTime returns the day of t in words, and the time.
func (w *Words) DateTime(t time.Time) string {
	b := append(w.appendDate(make([]byte, 0, 64), t), ' ')
	return string(t.AppendFormat(b, w.clock))
}

// Month returns the title of a month of a list.
func (w *Words) Month(list string, v Month) string {
	title := fmt.Sprintf(w.MonthTitle, list, w.Months[v.Month-1], v.Year)
	if v.Part > 0 {
		title = fmt.Sprintf(w.PartTitle, title, v.Part)
	}
	return title
}

var turkish = Words{
	PagesDir: "sayfa", WritersDir: "yazar", TagsDir: "etiket", SearchDir: "arama", KindsDir: "tur",
	ArchiveDir: "arsiv", CorrectionsDir: "duzeltmeler", CustomListsDir: "karma", SubscribeDir: "abone",

	Kinds:   map[Kind]string{Article: "Haber", Column: "Köşe yazısı", Gallery: "Foto galeri", Video: "Video"},
	KindsOf: map[Kind]string{Article: "Haberler", Column: "Köşe yazıları", Gallery: "Foto galeriler", Video: "Videolar"},
	Counts: map[Kind]Plural{
		Article: {"1 haber", "%s haber"}, Column: {"1 köşe yazısı", "%s köşe yazısı"}, Gallery: {"1 galeri", "%s galeri"}, Video: {"1 video", "%s video"},
	},
	Months: [12]string{"Ocak", "Şubat", "Mart", "Nisan", "Mayıs", "Haziran", "Temmuz", "Ağustos", "Eylül", "Ekim", "Kasım", "Aralık"},

	Home: "Ana sayfa", Writers: "Tüm yazarlar", Tags: "Konular", Searches: "Hazır aramalar", Pages: "Seçkiler", Latest: "Son haberler",
	SkipToContent: "İçeriğe geç", MainNavigation: "Ana menü", Breadcrumb: "Bulunduğunuz yer", Pagination: "Sayfalar",
	Newer: "Daha yeniler", Older: "Daha eskiler", NewerItem: "Sonraki", OlderItem: "Önceki", Related: "İlgili haberler", MoreColumns: "Yazarın diğer yazıları", MoreIn: "Bu bölümden", MoreOf: "%s bölümünden",
	By: "Yazan", Editor: "Editör", Published: "Yayımlandı", Updated: "Güncellendi", ReadOriginal: "Kaynağında oku", WatchOriginal: "Videoyu kaynağında izle",
	ReadingMinutes: "%d dk okuma", Pictures: Plural{"1 fotoğraf", "%s fotoğraf"}, Feeds: Plural{"1 besleme", "%s besleme"},
	FollowThis: "Takip et", AllFeeds: "Tüm beslemeler (OPML)",
	ThisSite: "Bu site", NewestItem: "Son haber", All: "Tümü", PictureBadge: "%d foto",
	Mirror: "Bu site, %s içeriğinin bir aynasıdır.",
	About:  "Bu ayna hakkında", Waiting: "Bu yazının tam metni henüz aynaya ulaşmadı.", Gone: "Bu içerik kaynağından kaldırılmış; son hâli burada saklanıyor.", Reduced: "Bu metin sadeleştirilmiş olarak gösteriliyor.",
	PictureMissing: "Fotoğraf aynada yok", Empty: "Şu anda burada gösterilecek bir şey yok.", ElsewhereAtSource: "Yalnızca kaynağında",
	NotFoundTitle: "Sayfa bulunamadı", NotFoundText: "Aradığınız sayfa burada yok. Adresi değişmiş ya da kaynağından kaldırılmış olabilir.",
	Table: "Tablo", Letters: "Harfler",
	FolderKind: "Bölüm", WriterKind: "Yazar", TagKind: "Konu", PageKind: "Seçki", SearchKind: "Arama",
	SubFolders: "Alt bölümler", AllSections: "Tüm bölümler", Columnists: "Köşe yazarları", LatestColumns: "Son yazılar", TopTags: "En çok yazılanlar", MoreNews: "Diğer haberler", AllNews: "Tüm haberler", AtSource: "Kaynaktaki sayfa",
	PageTitle: "%s, sayfa %d", ListDescription: "%s: en yeni haberler, yazılar, fotoğraflar ve videolar. %s",
	AllKinds: "Yazı, fotoğraf, video", CustomLists: "Derlemeler", Corrections: "Düzeltmeler", Archive: "Arşiv", Subscribe: "RSS ile takip",
	CustomListKind: "Derleme",
	MonthTitle:     "%s, %s %d", PartTitle: "%s (%d)", ArchiveOf: "%s arşivi", Range: "%s – %s", OwnTitle: "%s (alt bölümler olmadan)",
	CorrectionTitle: "Düzeltme: %s", CorrectionFields: [3]string{"Başlık", "Özet", "Metin"},
	CorrectionsText: "Yayımlandıktan sonra metni değişen haberler ve yazılar. Çıkarılan sözcüklerin üstü, eklenenlerin altı çizili.",
	Moved:           "Bu bölümün adı değişti. Yeni yeri:",
	SubscribeText: []string{
		"Sevdiğiniz bölümü, yazarı ya da konuyu bir RSS okuyucusuyla takip edin: Yeni yazılar size gelir; üyelik ya da e-posta adresi gerekmez, kimse sizi izlemez.",
		"Aşağıdan bir adresi kopyalayın ve okuyucunuzda “abone ol” ya da “besleme ekle” bölümüne yapıştırın. Okuyucuların çoğu, buradaki bir sayfanın adresinden de beslemesini bulur.",
		"RSS, Atom ve JSON Feed aynı içeriğin üç biçimidir; emin değilseniz RSS'i seçin. OPML dosyası bütün beslemeleri okuyucunuza bir kerede ekler.",
	},
	AboutName: "hakkinda",
	AboutText: []string{
		"Bu site, %s tarafından yayımlanan içeriğin bir aynasıdır: haberler, köşe yazıları, foto galeriler ve videolar, yayıncının verdiği arayüzden alınır ve burada sade sayfalar olarak sunulur.",
		"Metinlerin ve fotoğrafların bütün hakları %s ile eser sahiplerine aittir. Her sayfa, özgün sayfanın bağlantısını taşır.",
		"Ayna, %s ile aynı anda güncellenmeyebilir. Bir haberin en güncel hâli için kaynağına bakın.",
	},
	Plain:   "Bu sayfa her zamanki biçimiyle hazırlanamadı; burada yalnızca metni var.",
	Changed: "Bu metin yayımlandıktan sonra değişti", WordsGone: "çıkarılan", WordsNew: "eklenen",
	LastChanges: "Yalnızca son %d değişiklik gösteriliyor.",
	ChangeCut:   "Değişiklik uzun; en çok %d sözcüğü gösteriliyor.",
	LookSystem:  "Görünüm: sistemdeki gibi", LookLight: "Görünüm: açık", LookDark: "Görünüm: koyu",
	Copy: "Kopyala", Copied: "Kopyalandı", FindList: "Bölüm, yazar ya da konu bulun", NoList: "Bu adla bir şey yok.",
	PreviousPicture: "Önceki fotoğraf", NextPicture: "Sonraki fotoğraf", Close: "Kapat",
	Locale: "tr_TR",
	Search: "Arama", SearchFor: "Aranan", SearchButton: "Ara", KindLabel: "Tür", AnyKind: "Tüm türler", AnyWriter: "Tüm yazarlar", Results: "Sonuçlar", MoreResults: "Daha fazla sonuç",
	OlderResults: "Daha eskilerde ara", Found: "%d sonuç", FoundAtMost: "En çok %d sonuç", FoundAmongNewest: "En yeni %s içerikte %d sonuç",
	FoundNothing: "Sonuç bulunamadı.", SearchFailed: "Arama dizini okunamadı. Sayfayı yenileyip yeniden deneyin.",
	FromLabel: "Başlangıç", ToLabel: "Bitiş", SortLabel: "Sıralama", SortByRelevance: "En ilgili", SortByDate: "En yeni",
	DidYouMean: "Bunu mu demek istediniz: %s", FoundInstead: "“%s” geçen içerik yok. “%s” için bulunanlar gösteriliyor.",
	SearchTooShort:    "Sonuç yok. En az %s harf yazın.",
	SearchNeedsScript: "Arama JavaScript ile çalışır. Aşağıdaki sayfalar onsuz da kullanılabilir.", Browse: "Göz atın",
	SearchDescription: "%s içinde arama: başlıklar, metinler, yazarlar ve konular.",
	Contents:          "İçindekiler", Cover: "Kapak", Sources: "Kaynaklar", AboutSource: "Kaynak bilgisi", InMirror: "Aynada", Fetched: "Aynaya alındı", Undated: "Tarihi bilinmiyor",
	SourcesText: []string{
		"Bu kitaptaki içerik %s kaynağından alınmıştır.",
		"Bir yazıyı kaynak gösterirken yazarını, başlığını, yayımlayanı, tarihini, kaynaktaki adresini ve aynaya alındığı zamanı belirtin; aşağıdakiler bu düzendedir. Aynadaki adres, kaynaktaki sayfa kaldırılsa da kalan kopyanın adresidir.",
	},
	BookAccess: "Metinler başlıklarla ve içindekiler sayfasıyla gezilebilir. Fotoğrafların açıklamaları kaynaktan gelir; bazılarında açıklama yoktur.",
	clock:      "15.04", thousands: ".",
}

var english = Words{
	PagesDir: "pages", WritersDir: "writers", TagsDir: "tags", SearchDir: "search", KindsDir: "kinds",
	ArchiveDir: "archive", CorrectionsDir: "corrections", CustomListsDir: "mixes", SubscribeDir: "subscribe",

	Kinds:   map[Kind]string{Article: "Article", Column: "Column", Gallery: "Photo gallery", Video: "Video"},
	KindsOf: map[Kind]string{Article: "Articles", Column: "Columns", Gallery: "Photo galleries", Video: "Videos"},
	Counts: map[Kind]Plural{
		Article: {"1 article", "%s articles"}, Column: {"1 column", "%s columns"}, Gallery: {"1 gallery", "%s galleries"}, Video: {"1 video", "%s videos"},
	},
	Months: [12]string{"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"},

	Home: "Home", Writers: "All writers", Tags: "Topics", Searches: "Suggested searches", Pages: "Editors' picks", Latest: "Latest",
	SkipToContent: "Skip to content", MainNavigation: "Main navigation", Breadcrumb: "You are here", Pagination: "Pages",
	Newer: "Newer", Older: "Older", NewerItem: "Next", OlderItem: "Previous", Related: "Related", MoreColumns: "More by this writer", MoreIn: "More in this section", MoreOf: "More from %s",
	By: "By", Editor: "Editor", Published: "Published", Updated: "Updated", ReadOriginal: "Read the original", WatchOriginal: "Watch at the source",
	ReadingMinutes: "%d min read", Pictures: Plural{"1 picture", "%s pictures"}, Feeds: Plural{"1 feed", "%s feeds"},
	FollowThis: "Follow", AllFeeds: "All feeds (OPML)",
	ThisSite: "This site", NewestItem: "Latest item", All: "All", PictureBadge: "%d photos",
	Mirror: "This site is a mirror of %s.",
	About:  "About this mirror", Waiting: "The full text has not reached this mirror yet.", Gone: "No longer at its source; this is the last version seen.", Reduced: "This text is shown simplified.",
	PictureMissing: "Picture not in the mirror", Empty: "There is nothing to show here at the moment.", ElsewhereAtSource: "Only at the source",
	NotFoundTitle: "Page not found", NotFoundText: "The page you are looking for is not here. Its address may have changed, or it was taken down at its source.",
	Table: "Table", Letters: "Letters",
	FolderKind: "Section", WriterKind: "Writer", TagKind: "Topic", PageKind: "Editors' picks", SearchKind: "Search",
	SubFolders: "Sub-sections", AllSections: "All sections", Columnists: "Columnists", LatestColumns: "Latest columns", TopTags: "Most covered", MoreNews: "More news", AllNews: "All news", AtSource: "Page at the source",
	PageTitle: "%s, page %d", ListDescription: "%s: the latest stories, columns, pictures and videos. %s",
	AllKinds: "Stories, pictures, video", CustomLists: "Collections", Corrections: "Corrections", Archive: "Archive", Subscribe: "Follow by RSS",
	CustomListKind: "Collection",
	MonthTitle:     "%s, %s %d", PartTitle: "%s (%d)", ArchiveOf: "%s archive", Range: "%s – %s", OwnTitle: "%s (without sub-sections)",
	CorrectionTitle: "Correction: %s", CorrectionFields: [3]string{"Headline", "Summary", "Text"},
	CorrectionsText: "Stories whose words changed after publication. Removed words are struck out, added ones are underlined.",
	Moved:           "This section has a new name and address:",
	SubscribeText: []string{
		"Follow a section, a writer or a topic in a feed reader (RSS): what is new comes to you, without an account, a mail address, or anyone watching.",
		"Copy an address from below and paste it where your reader says “subscribe” or “add feed”. Most readers also find the feed from the address of any page.",
		"RSS, Atom and JSON Feed are three forms of the same content; choose RSS if in doubt. The OPML file adds all feeds to your reader at once.",
	},
	AboutName: "about",
	AboutText: []string{
		"This site is a mirror of what %s publishes: news, columns, photo galleries and videos, taken from the interface that it offers and shown here as plain pages.",
		"All rights in texts and pictures belong to %s and their authors. Every page links its original.",
		"The mirror may lag behind %s. For the latest version of a story, see its source.",
	},
	Plain:   "This page could not be made in its usual form; here is its text alone.",
	Changed: "This text changed after publication", WordsGone: "removed", WordsNew: "added",
	LastChanges: "Only the last %d changes are shown.",
	ChangeCut:   "The change is long; at most %d of its words are shown.",
	LookSystem:  "Look: as the system", LookLight: "Look: light", LookDark: "Look: dark",
	Copy: "Copy", Copied: "Copied", FindList: "Find a section, a writer or a topic", NoList: "Nothing has that name.",
	PreviousPicture: "Previous picture", NextPicture: "Next picture", Close: "Close",
	Locale: "en_US",
	Search: "Search", SearchFor: "Search for", SearchButton: "Search", KindLabel: "Kind", AnyKind: "All kinds", AnyWriter: "All writers", Results: "Results", MoreResults: "More results",
	OlderResults: "Search older items", Found: "Results: %d", FoundAtMost: "Results: at most %d", FoundAmongNewest: "Results among the newest %s items: %d",
	FoundNothing: "Nothing found.", SearchFailed: "The search index could not be read. Reload the page and try again.",
	FromLabel: "From", ToLabel: "To", SortLabel: "Order", SortByRelevance: "Best match first", SortByDate: "Newest first",
	DidYouMean: "Did you mean %s?", FoundInstead: "Nothing has “%s”. These are results for “%s”.",
	SearchTooShort:    "Nothing found. Type at least %s letters.",
	SearchNeedsScript: "Search works with JavaScript. The pages below work without it.", Browse: "Browse",
	SearchDescription: "Search in %s: headlines, texts, writers and topics.",
	Contents:          "Contents", Cover: "Cover", Sources: "Sources", AboutSource: "About the source", InMirror: "In the mirror", Fetched: "Fetched", Undated: "Undated",
	SourcesText: []string{
		"The content of this book was taken from %s.",
		"To cite an item, name its writer, headline, publisher, date, its address at the source and when it was fetched, as the entries below do. The address in the mirror is that of the copy, which stays if the page at the source is taken down.",
	},
	BookAccess: "Texts can be navigated by headings and a table of contents. Descriptions of pictures are those of the source; some pictures have none.",
	clock:      "15:04", thousands: ",",
}
