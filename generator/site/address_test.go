package site_test

import (
	"path"
	"reflect"
	"strings"
	"testing"

	"ayna/generator/site"
)

func words(t *testing.T, language string) site.Words {
	t.Helper()
	w, err := site.WordsFor(language)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func TestItemAddress(t *testing.T) {
	root, futbol := &site.Folder{}, &site.Folder{List: site.List{Dir: "spor/futbol"}}
	long := strings.Repeat("a", 33)
	tests := map[string]struct {
		folder    *site.Folder
		title, id string
		want      string
	}{
		"usual":              {futbol, "Maç bitti", "41000001", "spor/futbol/mac-bitti-41000001.html"},
		"in no folder":       {root, "Maç bitti", "41000001", "mac-bitti-41000001.html"},
		"no title":           {futbol, "", "41000001", "spor/futbol/41000001.html"},
		"title of signs":     {futbol, "?!", "41000001", "spor/futbol/41000001.html"},
		"id of 24 digits":    {futbol, "a", "5809bbd30ad69709f47b14ad", "spor/futbol/a-5809bbd30ad69709f47b14ad.html"},
		"id of capitals":     {futbol, "a", "ABC", "spor/futbol/a-b5d4045c3f466fa9.html"},
		"id of dots":         {futbol, "a", "../../x", "spor/futbol/a-9cdf6a50100a862e.html"},
		"long id":            {futbol, "a", long, "spor/futbol/a-852785c805c77e71.html"},
		"id index":           {futbol, "", "index", "spor/futbol/1bc04b5291c26a46.html"},
		"id 404":             {root, "", "404", "6b3c238ebcf1f3c0.html"},
		"id 404 with title":  {root, "a", "404", "a-404.html"},
		"id of an own page":  {root, "", "hakkinda", "eff16c90c6639bb1.html"},
		"device":             {futbol, "", "com1", "spor/futbol/957a49c3e803f505.html"},
		"title like a list":  {futbol, "index.html", "7", "spor/futbol/index-html-7.html"},
		"title like a feed":  {futbol, "feed.xml", "7", "spor/futbol/feed-xml-7.html"},
		"title like a path":  {futbol, "../../etc/passwd", "7", "spor/futbol/etc-passwd-7.html"},
		"title turned round": {futbol, "\u202Eabc", "7", "spor/futbol/abc-7.html"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if got := site.ItemAddress(test.folder, test.title, test.id, "tr"); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestFolderDir(t *testing.T) {
	tests := map[string]struct{ language, parent, segment, want string }{
		"usual":               {"tr", "", "spor", "spor"},
		"sub-folder":          {"tr", "spor", "futbol", "spor/futbol"},
		"hyphen before":       {"tr", "ekonomi", "-elektrikte-ozellestirme", "ekonomi/-elektrikte-ozellestirme"},
		"two hyphens":         {"tr", "", "a--b", "a--b"},
		"Turkish letters":     {"tr", "", "Kültür Sanat", "kultur-sanat"},
		"capitals":            {"tr", "", "SPOR", "spor"},
		"dots":                {"tr", "", "a.b", "a-b"},
		"nothing left":        {"tr", "", "…", "b4935894c8ce"},
		"long":                {"tr", "", strings.Repeat("a", 300), strings.Repeat("a", 72)},
		"encoded dots":        {"tr", "", "%2e%2e", "2e-2e"},
		".git":                {"tr", "", ".git", "git"},
		"index.html":          {"tr", "", "index.html", "index-html"},
		"trailing dot":        {"tr", "", "spor.", "spor"},
		"trailing blank":      {"tr", "", "spor ", "spor"},
		"device":              {"tr", "", "con", "con-1143da"},
		"device in capitals":  {"tr", "spor", "AUX", "spor/aux-1898ed"},
		"device with number":  {"tr", "", "com1", "com1-957a49"},
		"assets":              {"tr", "", "assets", "assets-8bf729"},
		"media":               {"tr", "", "media", "media-721c95"},
		"written otherwise":   {"tr", "", "Yazar", "yazar-9d56e0"},
		"fixed word":          {"tr", "", "yazar", "yazar-f8d587"},
		"below it is free":    {"tr", "spor", "yazar", "spor/yazar"},
		"other language":      {"tr", "", "writers", "writers"},
		"fixed word, English": {"en", "", "writers", "writers-ccbceb"},
		"list pages":          {"tr", "spor", "page", "spor/page-366031"},
		"month archive":       {"tr", "spor", "arsiv", "spor/arsiv-4ff995"},
		"month archive, home": {"en", "", "archive", "archive-0eb3e3"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if got := site.FolderDir(words(t, test.language), test.parent, test.segment, test.language); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// TestFixedNamesAreReserved asks for every fixed directory of both languages.
// Folders have the names of no directory that words name, but that of all sections, which
// gives way to a folder.
func TestFixedNamesAreReserved(t *testing.T) {
	for _, language := range []string{"tr", "en"} {
		w := words(t, language)
		dirs := map[string]string{"MediaDir": site.MediaDir, "AssetsDir": site.AssetsDir, "pages of lists": "page"}
		for _, field := range reflect.VisibleFields(reflect.TypeFor[site.Words]()) {
			if strings.HasSuffix(field.Name, "Dir") && field.Name != "SectionsDir" && field.Name != "NumbersDir" { // neither is at the root for sure
				dirs[field.Name] = reflect.ValueOf(w).FieldByIndex(field.Index).String()
			}
		}
		for name, dir := range dirs {
			if got := site.FolderDir(w, "", dir, language); got == dir {
				t.Errorf("a folder may be named %s, as %s: address.go reserves no such name", dir, name)
			}
		}
	}
}

func TestDirs(t *testing.T) {
	w := words(t, "tr")
	tests := map[string]struct{ got, want string }{
		"writer":                     {site.ListDir(w.WritersDir, "Işıl Özden", "5809bbd3", "tr"), "yazar/isil-ozden-5809bbd3"},
		"writer by name":             {site.ListDir(w.WritersDir, "Işıl Özden", "", "tr"), "yazar/isil-ozden"},
		"writer by id":               {site.ListDir(w.WritersDir, "", "5809bbd3", "tr"), "yazar/5809bbd3"},
		"writer by neither":          {site.ListDir(w.WritersDir, "?", "", "tr"), "yazar/8a8de823d5ed"},
		"page":                       {site.ListDir(w.PagesDir, "Ana Sayfa", "5809bbd3", "tr"), "sayfa/ana-sayfa-5809bbd3"},
		"tag":                        {site.ListDir(w.TagsDir, "Deprem Bölgesi", "", "tr"), "etiket/deprem-bolgesi"},
		"tag of signs":               {site.ListDir(w.TagsDir, "?", "", "tr"), "etiket/8a8de823d5ed"},
		"tag like device":            {site.ListDir(w.TagsDir, "CON", "", "tr"), "etiket/con-a3dbc4"},
		"search":                     {site.ListDir(w.SearchDir, "Yerel seçim", "", "tr"), "arama/yerel-secim"},
		"own page":                   {site.OwnPage("Künye", "tr"), "kunye.html"},
		"picture":                    {site.MediaAddress("ab12.jpg"), "media/ab12.jpg"},
		"asset":                      {site.AssetAddress("site.CSS", []byte("x")), "assets/site.2d711642b7.css"},
		"attachment":                 {site.AttachmentAddress("0a.pdf", "http://a.example/x/Y%C4%B1ll%C4%B1k_Rapor.PDF?v=1"), "media/0a/yillik-rapor.pdf"},
		"attachment in capitals":     {site.AttachmentAddress("0a.pdf", "http://a.example/x/YILLIK-RAPOR.pdf"), "media/0a/yillik-rapor.pdf"},
		"attachment of another type": {site.AttachmentAddress("0a.mp3", "http://a.example/x.pdf"), "media/0a/x.mp3"},
		"attachment above":           {site.AttachmentAddress("0a.pdf", "http://a.example/..%2F..%2Fsite%00.yaml"), "media/0a/site.pdf"},
		"attachment, device":         {site.AttachmentAddress("0a.pdf", "http://a.example/NUL.pdf"), "media/0a/nul-ae6de1.pdf"},
		"attachment, long":           {site.AttachmentAddress("0a.pdf", "http://a.example/"+strings.Repeat("u", 300)+".pdf"), "media/0a/" + strings.Repeat("u", 72) + ".pdf"},
		"attachment, no name":        {site.AttachmentAddress("0a.pdf", "http://a.example/"), "media/0a/file.pdf"},
		"asset in a folder":          {site.AssetAddress("img/Logo 1.svg", []byte("x")), "assets/img-logo-1.2d711642b7.svg"},
		"part of the sitemap":        {site.SitemapPart("items", 2), "sitemap-items-2.xml"},
		"Markdown":                   {new(site.Collection).Add(&site.Draft{Address: "spor/a-1.html"}).MarkdownAddress(), "spor/a-1.md"},
		"index of home":              {(&site.List{}).Index(), "index.html"},
		"index of a list":            {(&site.List{Dir: "spor"}).Index(), "spor/index.html"},
		"list page 0":                {(&site.List{Dir: "spor"}).PageAddress(0), "spor/index.html"},
		"list page 3":                {(&site.List{Dir: "spor"}).PageAddress(3), "spor/page/3.html"},
		"list page of home":          {(&site.List{}).PageAddress(1), "page/1.html"},
		"RSS":                        {(&site.List{Dir: "spor"}).Feed(site.RSS), "spor/feed.xml"},
		"Atom":                       {(&site.List{Dir: "spor"}).Feed(site.Atom), "spor/atom.xml"},
		"JSON Feed of home":          {(&site.List{}).Feed(site.JSON), "feed.json"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if test.got != test.want {
				t.Errorf("got %q, want %q", test.got, test.want)
			}
		})
	}
}

func TestNamesAreShort(t *testing.T) {
	// The longest name that can be, with a suffix.
	var names site.Names
	long, id := strings.Repeat("ş", 1000), strings.Repeat("9", 32)
	names.Take(site.ItemAddress(&site.Folder{}, long, id, "tr"))
	if got := names.Claim(site.ItemAddress(&site.Folder{}, long, id, "tr"), "x"); len(got) > 120 {
		t.Errorf("%d bytes: %s", len(got), got)
	}
}

func TestSplitPath(t *testing.T) {
	tests := map[string]struct{ path, want string }{
		"usual":                 {"/spor/futbol/", "spor|futbol"},
		"no slashes":            {"spor", "spor"},
		"root":                  {"/", ""},
		"empty":                 {"", ""},
		"parents":               {"/../../etc/", "etc"},
		"double slashes":        {"//x//y", "x|y"},
		"backslashes":           {`\..\a\b\`, "a|b"},
		"dots":                  {"/a/./b/", "a|b"},
		"blanks":                {"/ a / /b/", "a|b"},
		"blanks and dots":       {"/ .. / . /b/", "b"},
		"encoded":               {"/%2e%2e/a", "%2e%2e|a"},
		"three dots are a name": {"/.../a", "...|a"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if got := strings.Join(site.SplitPath(test.path), "|"); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
	if got := len(site.SplitPath(strings.Repeat("/a", 5000))); got != 16 {
		t.Errorf("5,000 levels become %d, want 16", got)
	}
}

func TestRelative(t *testing.T) {
	tests := []struct{ from, to, want string }{
		{"index.html", "spor/index.html", "spor/index.html"},
		{"spor/index.html", "index.html", "../index.html"},
		{"spor/index.html", "spor/a-1.html", "a-1.html"},
		{"spor/index.html", "spor/index.html", "index.html"},
		{"spor/futbol/a.html", "spor/index.html", "../index.html"},
		{"spor/futbol/a.html", "gundem/b.html", "../../gundem/b.html"},
		{"spor/page/3.html", "spor/index.html", "../index.html"},
		{"spor/a.html", "sport/a.html", "../sport/a.html"},
		{"spor/a.html", "spor.html", "../spor.html"},
		{"spor/spor/a.html", "spor/b.html", "../b.html"},
		{"a/x/c.html", "a/y/x/c.html", "../y/x/c.html"},
		{"ekonomi/-a/b.html", "ekonomi/-a/-c/d.html", "-c/d.html"},
	}
	for _, test := range tests {
		got := site.Relative(test.from, test.to)
		if got != test.want {
			t.Errorf("Relative(%q, %q) = %q, want %q", test.from, test.to, got, test.want)
		}
		if followed := path.Join(path.Dir(test.from), got); followed != test.to {
			t.Errorf("from %q, %q leads to %q, want %q", test.from, got, followed, test.to)
		}
	}
}

func TestAbsolute(t *testing.T) {
	s := site.Settings{BaseURL: "https://ayna.example/haber/"}
	for address, want := range map[string]string{
		"index.html":        "https://ayna.example/haber/",
		"spor/index.html":   "https://ayna.example/haber/spor/",
		"spor/a-1.html":     "https://ayna.example/haber/spor/a-1.html",
		"spor/feed.xml":     "https://ayna.example/haber/spor/feed.xml",
		"spor/a-index.html": "https://ayna.example/haber/spor/a-index.html", // the item of the id "index"
	} {
		if got := s.Absolute(address); got != want {
			t.Errorf("Absolute(%q) = %q, want %q", address, got, want)
		}
	}
}
