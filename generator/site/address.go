package site

import (
	"path"
	"regexp"
	"strconv"
	"strings"
)

// Every address of the published tree is made in this file. Addresses are
// slash-separated paths relative to the root of the tree, of ASCII letters,
// digits, dots and hyphens only.

// The files at the root of the tree.
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

// Index returns the address of the list's page.
func (l *List) Index() string { return in(l.Dir, "index.html") }

// in returns the address of a file of a directory, which may be the root.
func in(dir, name string) string {
	if dir == "" {
		return name
	}
	return dir + "/" + name
}

// Sheet returns the address of a page of the list; number 0 is its index.
func (l *List) Sheet(number int) string {
	if number == 0 {
		return l.Index()
	}
	return in(l.Dir, "page/"+strconv.Itoa(number)+".html")
}

// Feed returns the address of the list's feed.
func (l *List) Feed(f Format) string {
	switch f {
	case RSS:
		return in(l.Dir, "feed.xml")
	case Atom:
		return in(l.Dir, "atom.xml")
	default:
		return in(l.Dir, "feed.json")
	}
}

// OwnFeed returns the address of the feed of a folder without its sub-folders.
func (f *Folder) OwnFeed(format Format) string { return path.Join(f.Dir, ownFeed(format)) }

func ownFeed(format Format) string {
	switch format {
	case RSS:
		return "feed-own.xml"
	case Atom:
		return "atom-own.xml"
	default:
		return "feed-own.json"
	}
}

// FormerFeed returns the address of a feed in a directory that its list, or
// with own its folder without sub-folders, had.
func FormerFeed(dir string, format Format, own bool) string {
	if own {
		return path.Join(dir, ownFeed(format))
	}
	return (&List{Dir: dir}).Feed(format)
}

// VolumeIndex returns the address of the page that names the volumes of a list.
func (w *Words) VolumeIndex(l *List) string { return in(l.Dir, w.ArchiveDir+"/index.html") }

// SubscribePage returns the address of the page that names all feeds, or, with
// a number above 0, of a page of those of one sort of lists.
func (w *Words) SubscribePage(sort Sort, number int) string {
	if number == 0 {
		return path.Join(w.SubscribeDir, "index.html")
	}
	name := map[Sort]string{
		OfWriters: w.WritersDir, OfTags: w.TagsDir, OfKinds: w.KindsDir, OfPages: w.PagesDir, OfSearches: w.SearchDir, OfMixes: w.MixesDir,
	}[sort]
	return path.Join(w.SubscribeDir, strings.TrimPrefix(name+"-", "-")+strconv.Itoa(number)+".html")
}

// VolumePage returns the address of the page of a volume of a list.
func (w *Words) VolumePage(l *List, v Volume) string {
	return in(l.Dir, w.ArchiveDir+"/"+v.Name+".html")
}

// VolumeFeed returns the address of the feed of a volume of a list.
func (w *Words) VolumeFeed(l *List, v Volume, format Format) string {
	extension := ".json"
	switch format {
	case RSS:
		extension = ".xml"
	case Atom:
		extension = ".atom.xml"
	}
	return in(l.Dir, w.ArchiveDir+"/"+v.Name+extension)
}

// ItemAddress proposes the address of an item's page: its folder, its title's
// slug and its id.
func ItemAddress(folder *Folder, title, id, language string) string {
	name := idPart(id)
	if s := Slug(title, language); s != "" {
		name = s + "-" + name
	} else if fileName.MatchString(name) {
		name = digest(id, 16)
	}
	return path.Join(folder.Dir, name+htmlExtension)
}

// fileName matches the ids that alone might name a file which is no item's: a
// list's index, the page for what is not there, the owner's own pages, devices.
var fileName = regexp.MustCompile(`^(?:404|[a-z]+|com[0-9]|lpt[0-9])$`)

// WriterDir proposes a writer's directory.
func WriterDir(w Words, name, id, language string) string {
	return path.Join(w.WritersDir, slugAndID(name, id, language))
}

// PageDir proposes an editorial page's directory.
func PageDir(w Words, title, id, language string) string {
	return path.Join(w.PagesDir, slugAndID(title, id, language))
}

// TagDir proposes a tag's directory.
func TagDir(w Words, name, language string) string {
	return path.Join(w.TagsDir, slugOr(name, language))
}

// SearchDir proposes a saved search's directory.
func SearchDir(w Words, title, language string) string {
	return path.Join(w.SearchDir, slugOr(title, language))
}

// KindDir proposes the directory of all items of a kind.
func KindDir(w Words, kind Kind, language string) string {
	return path.Join(w.KindsDir, slugOr(w.Kinds[kind], language))
}

// MixDir proposes a mix's directory.
func MixDir(w Words, title, language string) string {
	return path.Join(w.MixesDir, slugOr(title, language))
}

// SearchPage returns the address of the page that searches the site.
func SearchPage(w Words) string { return path.Join(w.SearchDir, "index.html") }

// SearchFile returns the address of a file of the index that the search page
// loads. Its name has a dot, as no saved search's directory has.
func SearchFile(w Words, name string) string { return path.Join(w.SearchDir, name) }

// OwnPage proposes the address of one of the owner's own pages.
func OwnPage(name, language string) string { return slugOr(name, language) + ".html" }

func slugAndID(text, id, language string) string {
	s := Slug(text, language)
	switch {
	case id == "":
		return slugOr(text, language)
	case s == "":
		return idPart(id)
	}
	return s + "-" + idPart(id)
}

func slugOr(text, language string) string {
	s := Slug(text, language)
	switch {
	case s == "":
		return digest(text, 12)
	case deviceName.MatchString(s):
		return s + "-" + digest(text, 6)
	}
	return s
}

// MediaAddress returns the address of a mirrored picture; name is the digest
// of its bytes and its extension.
func MediaAddress(name string) string { return path.Join(MediaDir, name) }

// AssetAddress returns the address of an asset, which names its content.
func AssetAddress(name string, content []byte) string {
	ext := path.Ext(name)
	stem := slugOr(strings.TrimSuffix(name, ext), "en")
	return path.Join(AssetsDir, stem+"."+digest(string(content), 10)+strings.ToLower(ext))
}

// SitemapPart returns the address of one of the sitemaps that are listed by
// the one at the root where a single one would be too long.
func SitemapPart(name string, number int) string {
	return "sitemap-" + name + "-" + strconv.Itoa(number) + ".xml"
}

var plainSegment = regexp.MustCompile(`^-?[0-9a-z]+(?:-+[0-9a-z]+)*$`)

// SplitPath returns the segments of a folder path as the service gives it.
// Slashes of either kind separate; empty, "." and ".." segments are dropped,
// and so is what lies deeper than 16 levels.
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

// FolderDir proposes the directory of a folder inside its parent's. A segment
// that is already a plain lower-case name stays as it is.
func FolderDir(w Words, parent, segment, language string) string {
	name := segment
	if len(name) > maxSlug || !plainSegment.MatchString(name) {
		name = slugOr(segment, language)
	}
	if reserved(w, parent, name) {
		name += "-" + digest(segment, 6)
	}
	return path.Join(parent, name)
}

// deviceName matches the names that Windows keeps for devices.
var deviceName = regexp.MustCompile(`^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])$`)

// Reserved reports whether a directory that a folder was given in another
// language is needed for something else in this one.
func Reserved(w Words, dir string) bool {
	parent, name := path.Split(dir)
	return name != "" && reserved(w, strings.TrimSuffix(parent, "/"), name)
}

// reserved reports whether the generator, or an operating system, needs a
// directory name for itself.
func reserved(w Words, parent, name string) bool {
	if deviceName.MatchString(name) || name == "page" || name == w.ArchiveDir {
		return true
	}
	if parent != "" {
		return false
	}
	switch name {
	case MediaDir, AssetsDir, w.PagesDir, w.WritersDir, w.TagsDir, w.SearchDir, w.KindsDir, w.CorrectionsDir, w.MixesDir, w.SubscribeDir:
		return true
	}
	return false
}

// Relative returns the link from one file of the tree to another.
func Relative(from, to string) string {
	shared := 0 // length of the way that both have in common, with its slash
	for i := 0; i < len(from) && i < len(to) && from[i] == to[i]; i++ {
		if from[i] == '/' {
			shared = i + 1
		}
	}
	// Addresses have no colon, so no first segment reads as a scheme.
	return Root(from[shared:]) + to[shared:]
}

// Root returns the way from a file of the tree to its root: "../../".
func Root(from string) string {
	const some = "../../../../../../../../"
	if up := len("../") * strings.Count(from, "/"); up <= len(some) {
		return some[:up]
	}
	return strings.Repeat("../", strings.Count(from, "/"))
}

// Absolute returns the full address of a file of the tree. An index page is
// named by its directory.
func (s *Settings) Absolute(address string) string {
	if dir, name := path.Split(address); name == "index.html" {
		return s.BaseURL + dir
	}
	return s.BaseURL + address
}
