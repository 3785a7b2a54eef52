package page

import (
	"path"

	"ayna/generator/prose"
	"ayna/generator/site"
	"ayna/generator/story"
)

// thing is something in the words of https://schema.org, as JSON-LD. Addresses
// are absolute, times RFC 3339.
type thing struct {
	Context          string
	Type             string
	Name             string
	Headline         string
	Description      string
	URL              string
	MainEntityOfPage string
	IsBasedOn        string
	SameAs           string
	InLanguage       string
	Published        string
	Modified         string
	Uploaded         string
	Section          string
	Keywords         []string
	Image            []string
	Thumbnail        []string
	ContentURL       string
	Caption          string
	Media            []thing
	Author           []thing
	Publisher        *thing
	Elements         []thing
	Position         int
	Item             string
	Action           *action
}

// Describe implements [prose.Described].
func (t *thing) Describe(o *prose.Object) {
	o.Text("@context", t.Context)
	o.Text("@type", t.Type)
	o.Text("name", t.Name)
	o.Text("headline", t.Headline)
	o.Text("description", t.Description)
	o.Text("url", t.URL)
	o.Text("mainEntityOfPage", t.MainEntityOfPage)
	o.Text("isBasedOn", t.IsBasedOn)
	o.Text("sameAs", t.SameAs)
	o.Text("inLanguage", t.InLanguage)
	o.Text("datePublished", t.Published)
	o.Text("dateModified", t.Modified)
	o.Text("uploadDate", t.Uploaded)
	o.Text("articleSection", t.Section)
	o.Texts("keywords", t.Keywords)
	o.Texts("image", t.Image)
	o.Texts("thumbnailUrl", t.Thumbnail)
	o.Text("contentUrl", t.ContentURL)
	o.Text("caption", t.Caption)
	things(o, "associatedMedia", t.Media)
	things(o, "author", t.Author)
	if t.Publisher != nil {
		o.Thing("publisher", t.Publisher)
	}
	things(o, "itemListElement", t.Elements)
	o.Number("position", t.Position)
	o.Text("item", t.Item)
	if t.Action != nil {
		o.Thing("potentialAction", t.Action)
	}
}

func things(o *prose.Object, name string, list []thing) {
	o.Things(name, len(list), func(i int) prose.Described { return &list[i] })
}

// action is how the site is searched.
type action struct{ Type, Target, Input string }

// Describe implements [prose.Described].
func (a *action) Describe(o *prose.Object) {
	o.Text("@type", a.Type)
	o.Text("target", a.Target)
	o.Text("query-input", a.Input)
}

const schemaOrg = "https://schema.org"

// describe sets what the page says to machines.
func (f *frame) describe(t *thing) {
	t.Context = schemaOrg
	f.Schema = prose.Linked(t)
}

// describeItem says what the page of an item is about.
func (r *Renderer) describeItem(v *itemView, s *story.Story) {
	t := &thing{
		Type: "NewsArticle", Headline: s.Title, Description: v.Description, URL: r.site.Absolute(s.Address()),
		MainEntityOfPage: v.Canonical, InLanguage: r.site.Language, Publisher: &r.publisher,
	}
	if v.Canonical != s.Source {
		t.IsBasedOn = s.Source
	}
	if v.Published != nil {
		t.Published = v.Published.Machine
	}
	if v.Updated != nil {
		t.Modified = v.Updated.Machine
	}
	if s.Folder().Parent != nil {
		t.Section = s.Folder().Title
	}
	for tag := range s.Tags() {
		t.Keywords = append(t.Keywords, tag.Title)
	}
	for _, w := range s.Writers() {
		t.Author = append(t.Author, thing{Type: "Person", Name: w.Title, URL: r.site.Absolute(w.Index())})
	}
	if v.Share.Picture != "" {
		t.Image = []string{v.Share.Picture}
	}
	switch s.Kind() {
	case site.Gallery:
		t.Type, t.Name, t.Headline, t.Section = "ImageGallery", s.Title, "", ""
		t.Media = r.imageObjects(s)
	case site.Video:
		t.Type, t.Name, t.Headline, t.Section = "VideoObject", s.Title, "", ""
		t.Thumbnail, t.Image, t.Uploaded = t.Image, nil, t.Published
	}
	v.describe(t)
}

func (r *Renderer) imageObjects(s *story.Story) []thing {
	var objects []thing
	for _, p := range s.Pictures {
		if src := p.Src(r.site.Absolute); src != "" {
			objects = append(objects, thing{Type: "ImageObject", ContentURL: src, Caption: p.Caption})
		}
	}
	return objects
}

// describeSite says on home what the site is and how it is searched.
func (r *Renderer) describeSite(f *frame) {
	home := r.site.Absolute(r.site.Home.Index())
	f.describe(&thing{
		Type: "WebSite", Name: r.site.Title, Description: f.Description, URL: home, InLanguage: r.site.Language,
		IsBasedOn: r.source.Href,
		Action: &action{
			"SearchAction", r.site.Absolute(site.SearchPage(r.site.Words)) + "?q={search_term_string}", "required name=search_term_string",
		},
	})
}

// describePerson says whom the page of a writer shows.
func (r *Renderer) describePerson(v *listView, w *site.Writer) {
	t := &thing{Type: "Person", Name: w.Title, URL: r.site.Absolute(w.Index()), SameAs: v.Original}
	if v.Portrait != nil {
		t.Image = []string{r.absolute(v.address, v.Portrait.Src)}
	}
	v.describe(t)
}

// breadcrumbs says the way from home to the place above a page.
func (f *frame) breadcrumbs() *thing {
	list := &thing{Context: schemaOrg, Type: "BreadcrumbList"}
	for i, l := range f.Trail {
		list.Elements = append(list.Elements,
			thing{Type: "ListItem", Position: i + 1, Name: l.Text, Item: f.renderer.absolute(f.address, l.Href)})
	}
	return list
}

// absolute returns the full address of what a page links inside the tree;
// links that are full already stay.
func (r *Renderer) absolute(from, href string) string {
	if _, outside := prose.SafeURL(href); outside {
		return href
	}
	return r.site.Absolute(path.Join(path.Dir(from), href))
}
