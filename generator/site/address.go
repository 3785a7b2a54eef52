package site

import (
	"cmp"
	neturl "net/url"
	"path"
	"regexp"
	"strconv"
	"strings"

	"ayna/attachment"
	"ayna/slug"
)

// Every address of the published tree is made in this file. Addresses are paths
// relative to its root, of ASCII letters, digits, dots, hyphens and slashes.

// The files and directories at the root of the tree.
const (
	NotFound    = "404.html"
	OPML        = "opml.xml"
	RobotsTxt   = "robots.txt"
	Sitemap     = "sitemap.xml"
	NewsSitemap = "sitemap-news.xml"
	WebManifest = "manifest.webmanifest"
	Manifest    = "manifest.sha256"
	MediaDir    = "media"
	AssetsDir   = "assets"
	maxSegments = 16
)

const htmlExtension = ".html"

// in returns the address of a file in a directory, which may be the root.
func in(dir, name string) string {
	if dir == "" {
		return name
	}
	return dir + "/" + name
}

// Index returns the address of the list's index page.
func (l *List) Index() string { return in(l.Dir, "index.html") }

// PageAddress returns the address of a page of the list; number 0 is its index page.
func (l *List) PageAddress(number int) string {
	if number == 0 {
		return l.Index()
	}
	return in(l.Dir, "page/"+strconv.Itoa(number)+".html")
}

// Feed returns the address of the list's feed.
func (l *List) Feed(f Format) string { return FeedAddress(l.Dir, f) }

// OwnFeed returns the address of the feed of a folder without its sub-folders.
func (f *Folder) OwnFeed(format Format) string { return OwnFeedAddress(f.Dir, format) }

// FeedAddress returns the address of the feed of the list in a directory.
func FeedAddress(dir string, format Format) string { return feedAddress(dir, format, "") }

// OwnFeedAddress returns the address of the feed of the folder in a directory without its
// sub-folders.
func OwnFeedAddress(dir string, format Format) string { return feedAddress(dir, format, "-own") }

func feedAddress(dir string, format Format, suffix string) string {
	stem, ext := "feed", ".json"
	switch format {
	case RSS:
		ext = ".xml"
	case Atom:
		stem, ext = "atom", ".xml"
	}
	return in(dir, stem+suffix+ext)
}

// MonthIndex returns the address of the page that lists the months of a list.
func (w *Words) MonthIndex(l *List) string { return in(l.Dir, w.ArchiveDir+"/index.html") }

// NumbersPage returns the address of the page that counts the items.
func (w *Words) NumbersPage() string { return path.Join(w.ArchiveDir, w.NumbersDir, "index.html") }

// PeriodPage returns the address of the page of a month or year of a list.
func (w *Words) PeriodPage(l *List, v Period) string {
	return in(l.Dir, w.ArchiveDir+"/"+v.Name+".html")
}

// MonthFeed returns the address of the feed of a month of a list.
func (w *Words) MonthFeed(l *List, v Period, format Format) string {
	extension := ".json"
	switch format {
	case RSS:
		extension = ".xml"
	case Atom:
		extension = ".atom.xml"
	}
	return in(l.Dir, w.ArchiveDir+"/"+v.Name+extension)
}

// SubscribePage returns the address of the page that lists all feeds. Numbers above
// 0 are further pages with the feeds of one kind of lists.
func (w *Words) SubscribePage(kind ListKind, number int) string {
	if number == 0 {
		return in(w.SubscribeDir, "index.html")
	}
	name := map[ListKind]string{
		OfWriters: w.WritersDir, OfTags: w.TagsDir, OfKinds: w.KindsDir, OfPages: w.PagesDir, OfSearches: w.SearchDir, OfMixes: w.CustomListsDir,
	}[kind]
	return in(w.SubscribeDir, strings.TrimPrefix(name+"-", "-")+strconv.Itoa(number)+".html")
}

// ItemAddress proposes the address of an item's page. It is made of the folder, the
// slug of the title, and the id.
func ItemAddress(folder *Folder, title, id, language string) string {
	name := idPart(id)
	if s := slug.Of(title, language); s != "" {
		name = s + "-" + name
	} else if reservedName.MatchString(name) {
		name = digest(id, 16)
	}
	return path.Join(folder.Dir, name+htmlExtension)
}

// reservedName matches names, without extension, that may be those of other files than
// items: an index page, the 404 page, an own page, a device of Windows.
var reservedName = regexp.MustCompile(`^(?:404|[a-z]+|com[0-9]|lpt[0-9])$`)

// ListDir proposes the directory of a list in parent, such as Words.TagsDir. id is ""
// for lists without one.
func ListDir(parent, title, id, language string) string {
	name := slug.Of(title, language)
	switch {
	case id == "":
		name = slugOr(title, language)
	case name == "":
		name = idPart(id)
	default:
		name += "-" + idPart(id)
	}
	return path.Join(parent, name)
}

// SearchPage returns the address of the search page.
func SearchPage(w Words) string { return in(w.SearchDir, "index.html") }

// SearchFile returns the address of a file of the search index. Its name has a dot,
// unlike the directories of saved searches.
func SearchFile(w Words, name string) string { return in(w.SearchDir, name) }

// OwnPage proposes the address of one of the owner's own pages.
func OwnPage(name, language string) string { return slugOr(name, language) + ".html" }

func slugOr(text, language string) string {
	s := slug.Of(text, language)
	switch {
	case s == "":
		return digest(text, 12)
	case deviceName.MatchString(s):
		return s + "-" + digest(text, 6)
	}
	return s
}

// MediaAddress returns the address of a mirrored picture.
func MediaAddress(name string) string { return in(MediaDir, name) }

// AttachmentAddress returns the address of a mirrored attachment, in a directory of its digest,
// under the name that it has at the source.
func AttachmentAddress(name, source string) string {
	digest, extension, _ := strings.Cut(name, ".")
	own := attachment.Name(source)
	own = strings.TrimSuffix(own, path.Ext(own))
	return in(MediaDir, digest+"/"+slugOr(cmp.Or(own, "file"), "en")+"."+extension)
}

// AssetAddress returns the address of an asset, with a digest of its content.
func AssetAddress(name string, content []byte) string {
	ext := path.Ext(name)
	stem := slugOr(strings.TrimSuffix(name, ext), "en")
	return in(AssetsDir, stem+"."+digest(string(content), 10)+strings.ToLower(ext))
}

// SitemapPart returns the address of a part of a sitemap that is too long for one
// file.
func SitemapPart(name string, number int) string {
	return "sitemap-" + name + "-" + strconv.Itoa(number) + ".xml"
}

// SplitPath returns the first 16 segments of a folder path of the service, which
// slashes or backslashes separate. It drops empty segments, "." and "..".
func SplitPath(folder string) []string {
	fields := strings.FieldsFunc(folder, func(r rune) bool { return r == '/' || r == '\\' })
	segments := fields[:0]
	for _, s := range fields {
		if s = strings.TrimSpace(s); s != "" && s != "." && s != ".." {
			segments = append(segments, s)
		}
	}
	return segments[:min(len(segments), maxSegments)]
}

// FolderDir proposes the directory of a folder in that of its parent. It keeps
// segments that are plain names.
func FolderDir(w Words, parent, segment, language string) string {
	name := segment
	if len(name) > slug.Max || !isPlain(name) {
		name = slugOr(segment, language)
	}
	if reserved(w, parent, name) {
		name += "-" + digest(segment, 6)
	}
	return path.Join(parent, name)
}

// deviceName matches the names of devices of Windows.
var deviceName = regexp.MustCompile(`^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])$`)

// Reserved reports whether a directory is reserved in the site's language. A folder
// may have got it in another language.
func Reserved(w Words, dir string) bool {
	parent, name := path.Split(dir)
	return name != "" && reserved(w, strings.TrimSuffix(parent, "/"), name)
}

// reserved reports whether the generator or Windows reserves a directory name.
func reserved(w Words, parent, name string) bool {
	if name == "page" || name == w.ArchiveDir ||
		deviceName.MatchString(name) {
		return true
	}
	if parent != "" {
		return false
	}
	switch name {
	case MediaDir, AssetsDir,
		w.PagesDir, w.WritersDir, w.TagsDir, w.SearchDir, w.KindsDir, w.CorrectionsDir, w.CustomListsDir, w.SubscribeDir:
		return true
	}
	return false
}

// Relative returns the relative link from one file of the tree to another.
func Relative(from, to string) string {
	shared := 0 // length of the common directory, with its slash
	for i := 0; i < len(from) && i < len(to) && from[i] == to[i]; i++ {
		if from[i] == '/' {
			shared = i + 1
		}
	}
	// Addresses have no colon, so no first segment reads as a scheme.
	return Root(from[shared:]) + to[shared:]
}

// Root returns the relative path from a file of the tree to its root: "../../".
func Root(from string) string {
	const usual = "../../../../../../../../" // saves an allocation
	depth := strings.Count(from, "/")
	if up := len("../") * depth; up <= len(usual) {
		return usual[:up]
	}
	return strings.Repeat("../", depth)
}

// Rooted returns the link to a file of the tree from any page of the same host: "/haber/" and
// the address.
func (s *Settings) Rooted(address string) string {
	base := "/"
	if u, err := neturl.Parse(s.BaseURL); err == nil {
		base = cmp.Or(u.EscapedPath(), base)
	}
	dir, name := path.Split(address)
	if name == "index.html" {
		name = ""
	}
	return base + dir + name
}

// Absolute returns the URL of a file of the tree, for an index page that of its
// directory.
func (s *Settings) Absolute(address string) string {
	dir, name := path.Split(address)
	if name == "index.html" {
		name = ""
	}
	return s.BaseURL + dir + name
}
