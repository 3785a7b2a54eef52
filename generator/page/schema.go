package page

import (
	"path"

	"ayna/generator/site"
	"ayna/generator/story"
	"ayna/prose"
)

// jsonLD describes the subject of a page in the vocabulary of https://schema.org.
// Addresses are absolute, times RFC 3339.
type jsonLD struct {
	Context          string        `json:"@context,omitempty"`
	Type             string        `json:"@type,omitempty"`
	Name             string        `json:"name,omitempty"`
	Headline         string        `json:"headline,omitempty"`
	Description      string        `json:"description,omitempty"`
	URL              string        `json:"url,omitempty"`
	MainEntityOfPage string        `json:"mainEntityOfPage,omitempty"`
	IsBasedOn        string        `json:"isBasedOn,omitempty"`
	SameAs           string        `json:"sameAs,omitempty"`
	InLanguage       string        `json:"inLanguage,omitempty"`
	Published        string        `json:"datePublished,omitempty"`
	Modified         string        `json:"dateModified,omitempty"`
	Uploaded         string        `json:"uploadDate,omitempty"`
	Section          string        `json:"articleSection,omitempty"`
	Keywords         []string      `json:"keywords,omitempty"`
	Image            []string      `json:"image,omitempty"`
	Thumbnail        []string      `json:"thumbnailUrl,omitempty"`
	Media            []jsonLDPart  `json:"associatedMedia,omitempty"`
	Author           []jsonLDPart  `json:"author,omitempty"`
	Publisher        *jsonLDPart   `json:"publisher,omitempty"`
	Elements         []jsonLDPart  `json:"itemListElement,omitempty"`
	Action           *searchAction `json:"potentialAction,omitempty"`
}

// jsonLDPart is a person, an organization, a picture or a breadcrumb. It has a type of its
// own because encoding/json looks at each field, also at those that are empty.
type jsonLDPart struct {
	Type       string `json:"@type"`
	Name       string `json:"name,omitempty"`
	URL        string `json:"url,omitempty"`
	ContentURL string `json:"contentUrl,omitempty"`
	Caption    string `json:"caption,omitempty"`
	Position   int    `json:"position,omitempty"`
	Item       string `json:"item,omitempty"`
}

// searchAction describes how to search the site.
type searchAction struct {
	Type   string `json:"@type,omitempty"`
	Target string `json:"target,omitempty"`
	Input  string `json:"query-input,omitempty"`
}

const schemaOrg = "https://schema.org"

// describe sets the description of the page's subject.
func (f *pageView) describe(t *jsonLD) {
	t.Context = schemaOrg
	f.Schema = prose.JSONLD(t)
}

// describeItem describes an item on its page.
func (r *Renderer) describeItem(v *itemView, s *story.Story) {
	t := &jsonLD{
		Type: "NewsArticle", Headline: s.Title, Description: v.Description, URL: r.site.Absolute(s.Address()),
		MainEntityOfPage: v.Canonical, InLanguage: r.site.Language, Publisher: &r.publisher,
		Published: v.Share.Published, Modified: v.Share.Modified,
	}
	if v.Canonical != s.Source {
		t.IsBasedOn = s.Source
	}
	if s.Folder().Parent != nil && !s.Folder().Unsorted() {
		t.Section = s.Folder().Title
	}
	for tag := range s.Tags() {
		t.Keywords = append(t.Keywords, tag.Title)
	}
	for _, w := range s.Writers() {
		t.Author = append(t.Author, jsonLDPart{Type: "Person", Name: w.Title, URL: r.site.Absolute(w.Index())})
	}
	if v.Share.Picture != "" {
		t.Image = []string{v.Share.Picture}
	}
	switch s.Kind() {
	case site.Gallery:
		t.Type, t.Name, t.Headline, t.Section = "ImageGallery", s.Title, "", ""
		for _, p := range s.Pictures {
			if src := p.Src(r.site.Absolute); src != "" {
				t.Media = append(t.Media, jsonLDPart{Type: "ImageObject", ContentURL: src, Caption: p.Caption})
			}
		}
	case site.Video:
		t.Type, t.Name, t.Headline, t.Section = "VideoObject", s.Title, "", ""
		t.Thumbnail, t.Image, t.Uploaded = t.Image, nil, t.Published
	}
	v.describe(t)
}

// describeSite describes the site and its search on home.
func (r *Renderer) describeSite(f *pageView) {
	home := r.site.Absolute(r.site.Home.Index())
	f.describe(&jsonLD{
		Type: "WebSite", Name: r.site.Title, Description: f.Description, URL: home, InLanguage: r.site.Language,
		IsBasedOn: r.source.Href,
		Action: &searchAction{
			"SearchAction", r.site.Absolute(site.SearchPage(r.site.Words)) + "?q={search_term_string}", "required name=search_term_string",
		},
	})
}

// describePerson describes a writer on the writer's page.
func (r *Renderer) describePerson(v *listView, w *site.Writer) {
	t := &jsonLD{Type: "Person", Name: w.Title, URL: r.site.Absolute(w.Index()), SameAs: v.Original}
	if v.Portrait != nil {
		t.Image = []string{r.absolute(v.address, v.Portrait.Src)}
	}
	v.describe(t)
}

// breadcrumbs returns the trail of a page.
func (f *pageView) breadcrumbs() *jsonLD {
	list := &jsonLD{Context: schemaOrg, Type: "BreadcrumbList"}
	for i, l := range f.Trail {
		list.Elements = append(list.Elements,
			jsonLDPart{Type: "ListItem", Position: i + 1, Name: l.Text, Item: f.renderer.absolute(f.address, l.Href)})
	}
	return list
}

// absolute returns the full address of a link from a page. Links to other sites
// stay as they are.
func (r *Renderer) absolute(from, href string) string {
	if _, outside := prose.SafeURL(href); outside {
		return href
	}
	return r.site.Absolute(path.Join(path.Dir(from), href))
}
