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
	Context          string   `json:"@context,omitempty"`
	Type             string   `json:"@type"`
	Name             string   `json:"name,omitempty"`
	Headline         string   `json:"headline,omitempty"`
	Description      string   `json:"description,omitempty"`
	URL              string   `json:"url,omitempty"`
	MainEntityOfPage string   `json:"mainEntityOfPage,omitempty"`
	IsBasedOn        string   `json:"isBasedOn,omitempty"`
	SameAs           string   `json:"sameAs,omitempty"`
	InLanguage       string   `json:"inLanguage,omitempty"`
	Published        string   `json:"datePublished,omitempty"`
	Modified         string   `json:"dateModified,omitempty"`
	Uploaded         string   `json:"uploadDate,omitempty"`
	Section          string   `json:"articleSection,omitempty"`
	Keywords         []string `json:"keywords,omitempty"`
	Image            []string `json:"image,omitempty"`
	Thumbnail        []string `json:"thumbnailUrl,omitempty"`
	ContentURL       string   `json:"contentUrl,omitempty"`
	Caption          string   `json:"caption,omitempty"`
	Media            []thing  `json:"associatedMedia,omitempty"`
	Author           []thing  `json:"author,omitempty"`
	Publisher        *thing   `json:"publisher,omitempty"`
	Elements         []thing  `json:"itemListElement,omitempty"`
	Position         int      `json:"position,omitempty"`
	Item             string   `json:"item,omitempty"`
	Action           *action  `json:"potentialAction,omitempty"`
}

// action is how the site is searched.
type action struct {
	Type   string `json:"@type"`
	Target string `json:"target"`
	Input  string `json:"query-input"`
}

const schemaOrg = "https://schema.org"

// describe sets what the page says to machines.
func (f *frame) describe(t *thing) (err error) {
	t.Context = schemaOrg
	f.Schema, err = prose.Linked(t)
	return err
}

// describeItem says what the page of an item is about.
func (r *Renderer) describeItem(v *itemView, s *story.Story) error {
	t := &thing{
		Type: "NewsArticle", Headline: s.Title, Description: v.Description, URL: r.site.Absolute(s.Address),
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
	if s.Folder.Parent != nil {
		t.Section = s.Folder.Title
	}
	for _, tag := range s.Tags {
		t.Keywords = append(t.Keywords, tag.Title)
	}
	for _, w := range s.Writers {
		t.Author = append(t.Author, thing{Type: "Person", Name: w.Title, URL: r.site.Absolute(w.Index())})
	}
	if v.Share.Picture != "" {
		t.Image = []string{v.Share.Picture}
	}
	switch s.Kind {
	case site.Gallery:
		t.Type, t.Name, t.Headline, t.Section = "ImageGallery", s.Title, "", ""
		t.Media = r.imageObjects(s)
	case site.Video:
		t.Type, t.Name, t.Headline, t.Section = "VideoObject", s.Title, "", ""
		t.Thumbnail, t.Image, t.Uploaded = t.Image, nil, t.Published
	}
	return v.describe(t)
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
func (r *Renderer) describeSite(f *frame) error {
	home := r.site.Absolute(r.site.Home.Index())
	return f.describe(&thing{
		Type: "WebSite", Name: r.site.Title, Description: f.Description, URL: home, InLanguage: r.site.Language,
		IsBasedOn: r.source.Href,
		Action: &action{
			"SearchAction", r.site.Absolute(site.SearchPage(r.site.Words)) + "?q={search_term_string}", "required name=search_term_string",
		},
	})
}

// describePerson says whom the page of a writer shows.
func (r *Renderer) describePerson(v *listView, w *site.Writer) error {
	t := &thing{Type: "Person", Name: w.Title, URL: r.site.Absolute(w.Index()), SameAs: v.Original}
	if v.Portrait != nil {
		t.Image = []string{r.absolute(v.address, v.Portrait.Src)}
	}
	return v.describe(t)
}

// breadcrumbs says the way from home to the place above a page.
func (f *frame) breadcrumbs() thing {
	list := thing{Context: schemaOrg, Type: "BreadcrumbList"}
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
