package site

import (
	"fmt"
	"strconv"
	"time"
)

// Words is a language's share of the site: every word of the interface, and
// the fixed parts of addresses.
type Words struct {
	// Fixed directories. They are part of published addresses.
	PagesDir, WritersDir, TagsDir, SearchDir, KindsDir, ArchiveDir, CorrectionsDir, MixesDir, SubscribeDir string

	AboutName string // of the page about the mirror; its address is made of it

	Kinds  map[Kind]string // one item of a kind
	Months [12]string

	Home, Writers, Tags, Searches, Pages, Latest                            string
	SkipToContent, MainNavigation, Breadcrumb, Pagination                   string
	Newer, Older, NewerItem, OlderItem, Related, MoreColumns, MoreIn        string
	By, Editor, Published, Updated, ReadOriginal, WatchOriginal             string
	ReadingMinutes, Pictures, Items                                         string // formats with one %d
	FollowThis, AllFeeds                                                    string
	Mirror                                                                  string // format with one %s, the source's name
	About, Waiting, Gone, Reduced, PictureMissing, Empty, ElsewhereAtSource string
	NotFoundTitle, NotFoundText, Table, Player, Letters                     string
	FolderKind, WriterKind, TagKind, PageKind, SearchKind                   string // what a list is
	SubFolders, AllSections, Columnists, MoreNews, AllNews, AtSource        string
	SheetTitle                                                              string   // format with a list's title and a number
	ListDescription                                                         string   // format with the titles of a list and of the site
	AboutText                                                               []string // paragraphs; each a format with one %s, the source's name
	Locale                                                                  string   // as Open Graph names it

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
	return Words{}, fmt.Errorf("language %q: the interface speaks tr and en", language)
}

// Date writes the day of t as a reader of the language expects it.
func (w Words) Date(t time.Time) string {
	return strconv.Itoa(t.Day()) + " " + w.Months[t.Month()-1] + " " + strconv.Itoa(t.Year())
}

// DateTime writes day and minute of t.
func (w Words) DateTime(t time.Time) string {
	return w.Date(t) + " " + t.Format(w.clock)
}

var turkish = Words{
	PagesDir: "sayfa", WritersDir: "yazar", TagsDir: "etiket", SearchDir: "arama", KindsDir: "tur",
	ArchiveDir: "arsiv", CorrectionsDir: "duzeltmeler", MixesDir: "karma", SubscribeDir: "abone",

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
	PictureMissing: "Fotoğraf aynada yok", Empty: "Burada henüz bir şey yok.", ElsewhereAtSource: "Aynada olmayanlar",
	NotFoundTitle: "Sayfa bulunamadı", NotFoundText: "Aradığınız sayfa bu aynada yok. Adres değişmiş ya da kayıt kaynağından kaldırılmış olabilir.",
	Table: "Tablo", Player: "Video", Letters: "Harfler",
	FolderKind: "Bölüm", WriterKind: "Yazar", TagKind: "Etiket", PageKind: "Sayfa", SearchKind: "Kayıtlı arama",
	SubFolders: "Alt bölümler", AllSections: "Tüm bölümler", Columnists: "Köşe yazarları", MoreNews: "Diğer haberler", AllNews: "Tüm haberler", AtSource: "Kaynaktaki sayfası",
	SheetTitle: "%s, sayfa %d", ListDescription: "%s: en yeni içerikler ve beslemeler. %s",
	AboutName: "hakkinda",
	AboutText: []string{
		"Bu site, %s tarafından yayımlanan içeriğin bir aynasıdır: haberler, köşe yazıları, foto galeriler ve videolar, kaynağın okuma arayüzünden alınır ve burada durağan sayfalar olarak sunulur.",
		"Metinlerin ve fotoğrafların bütün hakları %s ile eser sahiplerine aittir. Her sayfa, özgün sayfanın bağlantısını taşır.",
		"Ayna, %s ile aynı anda güncellenmeyebilir. Bir kaydın en güncel hâli için kaynağına bakın.",
	},
	Locale: "tr_TR",
	clock:  "15.04",
}

var english = Words{
	PagesDir: "pages", WritersDir: "writers", TagsDir: "tags", SearchDir: "search", KindsDir: "kinds",
	ArchiveDir: "archive", CorrectionsDir: "corrections", MixesDir: "mixes", SubscribeDir: "subscribe",

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
	PictureMissing: "Picture not in the mirror", Empty: "Nothing here yet.", ElsewhereAtSource: "Not in the mirror",
	NotFoundTitle: "Page not found", NotFoundText: "The page you are looking for is not in this mirror. Its address may have changed, or the record was removed at its source.",
	Table: "Table", Player: "Video", Letters: "Letters",
	FolderKind: "Section", WriterKind: "Writer", TagKind: "Tag", PageKind: "Page", SearchKind: "Saved search",
	SubFolders: "Sub-sections", AllSections: "All sections", Columnists: "Columnists", MoreNews: "More news", AllNews: "All news", AtSource: "Page at the source",
	SheetTitle: "%s, page %d", ListDescription: "%s: the latest, and its feeds. %s",
	AboutName: "about",
	AboutText: []string{
		"This site is a mirror of what %s publishes: news, columns, photo galleries and videos, taken from its read interface and shown here as static pages.",
		"All rights in texts and pictures belong to %s and their authors. Every page links its original.",
		"The mirror may lag behind %s. For the latest state of a record, see its source.",
	},
	Locale: "en_US",
	clock:  "15:04",
}
