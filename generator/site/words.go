package site

import (
	"fmt"
	"strconv"
	"time"
)

// Words holds the texts of the interface in one language, and the fixed parts of
// addresses.
type Words struct {
	// Directories. As parts of published addresses they never change.
	PagesDir, WritersDir, TagsDir, SearchDir, KindsDir, ArchiveDir, CorrectionsDir, CustomListsDir, SubscribeDir string

	AboutName string // of the page about the mirror; becomes its address

	Kinds  map[Kind]string // one item of a kind
	Months [12]string

	AllKinds, CustomLists, Corrections, Archive, Subscribe                  string    // titles of lists and indexes
	KindKind, CustomListKind                                                string    // what these lists are
	MonthTitle                                                              string    // format with a list's title, a month and a year
	PartTitle                                                               string    // format with the title of a month and the number of its part
	Feeds                                                                   string    // format with a number
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
	By, Editor, Published, Updated, ReadOriginal, WatchOriginal             string
	ReadingMinutes, Pictures, Items                                         string // formats with one %d
	FollowThis, AllFeeds                                                    string
	Mirror                                                                  string // format with one %s, the source's name
	About, Waiting, Gone, Reduced, PictureMissing, Empty, ElsewhereAtSource string
	NotFoundTitle, NotFoundText, Table, Letters                             string
	FolderKind, WriterKind, TagKind, PageKind, SearchKind                   string // what a list is
	SubFolders, AllSections, Columnists, MoreNews, AllNews, AtSource        string
	PageTitle                                                               string   // format with a list's title and a number
	ListDescription                                                         string   // format with the titles of a list and of the site
	AboutText                                                               []string // paragraphs; each a format with one %s, the source's name
	Locale                                                                  string   // as Open Graph names it

	Plain                        string // of a simple page in place of one that failed
	Changed, WordsGone, WordsNew string // of an item's history
	LastChanges                  string // format with a number
	ChangeCut                    string // format with a number of words

	Theme, PreviousPicture, NextPicture, Close string
	// Of the search page.
	Search, SearchFor, KindLabel, YearLabel, AnyKind, AnyYear, Results, MoreResults string
	OlderResults                                                                    string
	Found                                                                           string // how many are found, %d
	FoundAmongNewest                                                                string // how many are found, %d, and among how many items, %s
	FoundNothing, SearchFailed, SearchNeedsScript, Browse                           string
	SearchDescription                                                               string // format with the site's title

	clock string // time layout of the hour
}

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

	Kinds:  map[Kind]string{Article: "Haber", Column: "Köşe yazısı", Gallery: "Foto galeri", Video: "Video"},
	Months: [12]string{"Ocak", "Şubat", "Mart", "Nisan", "Mayıs", "Haziran", "Temmuz", "Ağustos", "Eylül", "Ekim", "Kasım", "Aralık"},

	Home: "Ana sayfa", Writers: "Yazarlar", Tags: "Etiketler", Searches: "Kayıtlı aramalar", Pages: "Sayfalar", Latest: "Son haberler",
	SkipToContent: "İçeriğe geç", MainNavigation: "Ana gezinme", Breadcrumb: "Bulunduğunuz yer", Pagination: "Liste sayfaları",
	Newer: "Daha yeni", Older: "Daha eski", NewerItem: "Sonraki", OlderItem: "Önceki", Related: "İlgili haberler", MoreColumns: "Yazarın diğer yazıları", MoreIn: "Bu bölümden",
	By: "Yazan", Editor: "Editör", Published: "Yayımlandı", Updated: "Güncellendi", ReadOriginal: "Kaynağında oku", WatchOriginal: "Videoyu kaynağında izle",
	ReadingMinutes: "%d dk okuma", Pictures: "%d fotoğraf", Items: "%d kayıt",
	FollowThis: "Bu listeyi takip et", AllFeeds: "Tüm beslemeler (OPML)",
	Mirror: "Bu site, %s içeriğinin bir aynasıdır.",
	About:  "Bu ayna hakkında", Waiting: "Bu yazının tam metni henüz aynaya ulaşmadı.", Gone: "Bu kayıt artık kaynağında bulunmuyor.", Reduced: "Bu metin sadeleştirilmiş olarak gösteriliyor.",
	PictureMissing: "Fotoğraf aynada yok", Empty: "Burada şu anda bir şey yok.", ElsewhereAtSource: "Aynada olmayanlar",
	NotFoundTitle: "Sayfa bulunamadı", NotFoundText: "Aradığınız sayfa bu aynada yok. Adres değişmiş ya da kayıt kaynağından kaldırılmış olabilir.",
	Table: "Tablo", Letters: "Harfler",
	FolderKind: "Bölüm", WriterKind: "Yazar", TagKind: "Etiket", PageKind: "Sayfa", SearchKind: "Kayıtlı arama",
	SubFolders: "Alt bölümler", AllSections: "Tüm bölümler", Columnists: "Köşe yazarları", MoreNews: "Diğer haberler", AllNews: "Tüm haberler", AtSource: "Kaynaktaki sayfası",
	PageTitle: "%s, sayfa %d", ListDescription: "%s: en yeni içerikler ve beslemeler. %s",
	AllKinds: "Türler", CustomLists: "Karma listeler", Corrections: "Düzeltmeler", Archive: "Arşiv", Subscribe: "Abone ol",
	KindKind: "Tür", CustomListKind: "Karma liste",
	MonthTitle: "%s, %s %d", PartTitle: "%s (%d)", Feeds: "%d besleme", ArchiveOf: "%s: arşiv", Range: "%s – %s", OwnTitle: "%s (alt bölümler olmadan)",
	CorrectionTitle: "Düzeltme: %s", CorrectionFields: [3]string{"Başlık", "Spot", "Metin"},
	CorrectionsText: "Yayımlandıktan sonra sözleri değişen kayıtlar: çıkan sözler üstü çizili, giren sözler altı çizili.",
	Moved:           "Bu bölümün adı değişti. Yeni yeri:",
	SubscribeText: []string{
		"Besleme (RSS), bir listenin en yeni içeriklerini taşıyan bir dosyadır. Adresini bir besleme okuyucusuna verdiğinizde yeni yazılar size gelir; üyelik, e-posta adresi ya da izleme gerekmez.",
		"Bir okuyucu seçin (telefonda, bilgisayarda ya da tarayıcıda), aşağıdan bir adresi kopyalayın ve okuyucuda “abone ol” ya da “besleme ekle” bölümüne yapıştırın. Okuyucuların çoğu, herhangi bir sayfanın adresinden de beslemesini bulur.",
		"RSS, Atom ve JSON Feed aynı içeriğin üç biçimidir; okuyucunuz hangisini tanıyorsa onu kullanın, emin değilseniz RSS'i. OPML dosyası bütün beslemeleri bir kerede içe aktarır.",
	},
	AboutName: "hakkinda",
	AboutText: []string{
		"Bu site, %s tarafından yayımlanan içeriğin bir aynasıdır: haberler, köşe yazıları, foto galeriler ve videolar, kaynağın okuma arayüzünden alınır ve burada durağan sayfalar olarak sunulur.",
		"Metinlerin ve fotoğrafların bütün hakları %s ile eser sahiplerine aittir. Her sayfa, özgün sayfanın bağlantısını taşır.",
		"Ayna, %s ile aynı anda güncellenmeyebilir. Bir kaydın en güncel hâli için kaynağına bakın.",
	},
	Plain:   "Bu sayfa her zamanki biçimiyle hazırlanamadı; burada yalnızca metni var.",
	Changed: "Bu kaydın sözleri yayımlandıktan sonra değişti", WordsGone: "çıkan", WordsNew: "giren",
	LastChanges:     "Yalnızca en yeni değişiklikler gösteriliyor: %d.",
	ChangeCut:       "Bu değişiklik uzun; en çok %d sözcüğü gösteriliyor.",
	Theme:           "Koyu görünüm",
	PreviousPicture: "Önceki fotoğraf", NextPicture: "Sonraki fotoğraf", Close: "Kapat",
	Locale: "tr_TR",
	Search: "Arama", SearchFor: "Aranan", KindLabel: "Tür", YearLabel: "Yıl", AnyKind: "Tüm türler", AnyYear: "Tüm yıllar", Results: "Sonuçlar", MoreResults: "Daha fazla sonuç",
	OlderResults: "Daha eskilerde ara", Found: "%d sonuç", FoundAmongNewest: "En yeni %s içerikte %d sonuç",
	FoundNothing: "Sonuç bulunamadı.", SearchFailed: "Arama dizini okunamadı. Sayfayı yenileyip yeniden deneyin.",
	SearchNeedsScript: "Arama JavaScript ile çalışır. Aşağıdaki dizinler onsuz da kullanılabilir.", Browse: "Dizinler",
	SearchDescription: "%s içinde arama: başlıklar, spotlar, yazarlar ve etiketler.",
	clock:             "15.04",
}

var english = Words{
	PagesDir: "pages", WritersDir: "writers", TagsDir: "tags", SearchDir: "search", KindsDir: "kinds",
	ArchiveDir: "archive", CorrectionsDir: "corrections", CustomListsDir: "mixes", SubscribeDir: "subscribe",

	Kinds:  map[Kind]string{Article: "Article", Column: "Column", Gallery: "Photo gallery", Video: "Video"},
	Months: [12]string{"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"},

	Home: "Home", Writers: "Writers", Tags: "Tags", Searches: "Saved searches", Pages: "Pages", Latest: "Latest",
	SkipToContent: "Skip to content", MainNavigation: "Main navigation", Breadcrumb: "You are here", Pagination: "List pages",
	Newer: "Newer", Older: "Older", NewerItem: "Next", OlderItem: "Previous", Related: "Related", MoreColumns: "More by this writer", MoreIn: "More in this section",
	By: "By", Editor: "Editor", Published: "Published", Updated: "Updated", ReadOriginal: "Read the original", WatchOriginal: "Watch at the source",
	ReadingMinutes: "%d min read", Pictures: "Pictures: %d", Items: "Items: %d",
	FollowThis: "Follow this list", AllFeeds: "All feeds (OPML)",
	Mirror: "This site is a mirror of %s.",
	About:  "About this mirror", Waiting: "The full text of this item has not reached the mirror yet.", Gone: "This record is no longer at its source.", Reduced: "This text is shown simplified.",
	PictureMissing: "Picture not in the mirror", Empty: "There is nothing here now.", ElsewhereAtSource: "Not in the mirror",
	NotFoundTitle: "Page not found", NotFoundText: "The page you are looking for is not in this mirror. Its address may have changed, or the record was removed at its source.",
	Table: "Table", Letters: "Letters",
	FolderKind: "Section", WriterKind: "Writer", TagKind: "Tag", PageKind: "Page", SearchKind: "Saved search",
	SubFolders: "Sub-sections", AllSections: "All sections", Columnists: "Columnists", MoreNews: "More news", AllNews: "All news", AtSource: "Page at the source",
	PageTitle: "%s, page %d", ListDescription: "%s: the latest, and its feeds. %s",
	AllKinds: "Kinds", CustomLists: "Mixed lists", Corrections: "Corrections", Archive: "Archive", Subscribe: "Subscribe",
	KindKind: "Kind", CustomListKind: "Mixed list",
	MonthTitle: "%s, %s %d", PartTitle: "%s (%d)", Feeds: "Feeds: %d", ArchiveOf: "%s: archive", Range: "%s – %s", OwnTitle: "%s (without sub-sections)",
	CorrectionTitle: "Correction: %s", CorrectionFields: [3]string{"Title", "Spot", "Text"},
	CorrectionsText: "Records whose words changed after they were published: what went is struck out, what came is underlined.",
	Moved:           "This section has a new name. Its new place:",
	SubscribeText: []string{
		"A feed (RSS) is a file with the newest items of a list. Give its address to a feed reader, and what is new comes to you, without an account, a mail address, or tracking.",
		"Choose a reader (on a phone, a computer, or in a browser), copy an address from below, and paste it where the reader says “subscribe” or “add feed”. Most readers also find the feed from the address of any page.",
		"RSS, Atom and JSON Feed are three forms of the same content; use the one that your reader knows, or RSS if in doubt. The OPML file brings all feeds into a reader at once.",
	},
	AboutName: "about",
	AboutText: []string{
		"This site is a mirror of what %s publishes: news, columns, photo galleries and videos, taken from its read interface and shown here as static pages.",
		"All rights in texts and pictures belong to %s and their authors. Every page links its original.",
		"The mirror may lag behind %s. For the latest state of a record, see its source.",
	},
	Plain:   "This page could not be made in its usual form; here is its text alone.",
	Changed: "The words of this record changed after it was published", WordsGone: "removed", WordsNew: "added",
	LastChanges:     "Only the newest changes are shown: %d.",
	ChangeCut:       "This change is long; at most %d of its words are shown.",
	Theme:           "Dark look",
	PreviousPicture: "Previous picture", NextPicture: "Next picture", Close: "Close",
	Locale: "en_US",
	Search: "Search", SearchFor: "Search for", KindLabel: "Kind", YearLabel: "Year", AnyKind: "All kinds", AnyYear: "All years", Results: "Results", MoreResults: "More results",
	OlderResults: "Search older items", Found: "Results: %d", FoundAmongNewest: "Results among the newest %s items: %d",
	FoundNothing: "Nothing found.", SearchFailed: "The search index could not be read. Reload the page and try again.",
	SearchNeedsScript: "Search works with JavaScript. The indexes below work without it.", Browse: "Indexes",
	SearchDescription: "Search in %s: headlines, summaries, writers and tags.",
	clock:             "15:04",
}
