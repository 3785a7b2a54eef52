package fakepaper

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
)

// wpDate is the layout of dates: local ones, and those in UTC without a mark.
const wpDate = "2006-01-02T15:04:05"

// postColumns are the fields of posts of a type, in one answer.
func (p *WordPress) postColumns(name string, isShort bool) []column[*Post] {
	var a rendering
	columns := []column[*Post]{
		{"id", func(post *Post) any { return post.ID }},
		{"date", func(post *Post) any { return post.localDate.Format(wpDate) }},
		{"date_gmt", func(post *Post) any { return post.Date.UTC().Format(wpDate) }},
		{"guid", func(post *Post) any { return map[string]any{"rendered": post.guid} }},
		{"modified", func(post *Post) any { return post.localModified.Format(wpDate) }},
		{"modified_gmt", func(post *Post) any { return post.Modified.UTC().Format(wpDate) }},
		{"slug", func(post *Post) any { return post.Slug }},
		{"status", func(post *Post) any { return post.Status }},
		{"type", func(*Post) any { return typeName(name) }},
		{"link", func(post *Post) any { return p.link(post) }},
		{"title", func(post *Post) any { return map[string]any{"rendered": texturized(post.Title)} }},
		{"content", func(post *Post) any {
			if isShort {
				return nil
			}
			return rendered(post, func() string { return p.render(post, &a) })
		}},
		{"excerpt", func(post *Post) any { return rendered(post, post.summary) }},
		{"author", func(post *Post) any { return post.Author }},
		{"featured_media", func(post *Post) any { return post.Picture }},
		{"template", func(post *Post) any { return post.Template }},
		{"sehirler", func(post *Post) any { return numbers(post.Cities) }},
		{"meta", func(*Post) any { return map[string]any{"footnotes": ""} }},
		{"_links", func(post *Post) any { return p.links(name, post.ID) }},
	}
	switch name {
	case "posts":
		columns = append(columns, []column[*Post]{
			{"sticky", func(post *Post) any { return post.Sticky }},
			{"format", func(post *Post) any { return post.Format }},
			{"categories", func(post *Post) any { return numbers(post.Categories) }},
			{"tags", func(post *Post) any { return numbers(post.Tags) }},
		}...)
	case "pages":
		columns = append(columns, []column[*Post]{
			{"parent", func(post *Post) any { return post.Parent }},
			{"menu_order", func(post *Post) any { return post.Order }},
		}...)
	}
	return columns
}

// numbers is a list that is never null.
func numbers(ids []int) []int { return append([]int{}, ids...) }

// rendered is a text of a post, which a password hides.
func rendered(post *Post, text func() string) map[string]any {
	if post.Protected {
		return map[string]any{"rendered": "", "protected": true}
	}
	return map[string]any{"rendered": text, "protected": false}
}

// link is the address of a post: below its category with the lowest id, or its parents.
func (p *WordPress) link(post *Post) string {
	switch {
	case p.PlainPermalinks && post.Type == "pages":
		return fmt.Sprintf("%s/?page_id=%d", p.home(), post.ID)
	case p.PlainPermalinks:
		return fmt.Sprintf("%s/?p=%d", p.home(), post.ID)
	case post.Type == "posts":
		return p.home() + p.folderPath(slices.Min(post.Categories)) + post.Slug + "/"
	case post.Type != "pages":
		return p.home() + "/" + post.Type + "/" + post.Slug + "/"
	}
	address := post.Slug + "/"
	for parent := p.byID[post.Parent]; parent != nil && parent != post; parent = p.byID[parent.Parent] {
		address = parent.Slug + "/" + address
	}
	return p.home() + "/" + address
}

// texturized returns a title with the entities of WordPress. Tags in it stay.
func texturized(title string) string {
	title = strings.ReplaceAll(title, "&", "&#038;")
	if !strings.Contains(title, "<") {
		for i := 0; strings.Contains(title, `"`); i++ {
			title = strings.Replace(title, `"`, []string{"&#8220;", "&#8221;"}[i%2], 1)
		}
	}
	return strings.NewReplacer("'", "&#8217;", "...", "&#8230;", " - ", " &#8211; ").Replace(title)
}

// summary is the excerpt that the editor wrote, or else the first 55 words of the text.
func (post *Post) summary() string {
	if post.Excerpt != "" {
		return "<p>" + texturized(post.Excerpt) + "</p>\n"
	}
	text := plainTags.ReplaceAllString(strings.ReplaceAll(post.Text, "</p>", " "), "")
	words := strings.Fields(text)
	if len(words) > 55 {
		words = append(words[:55], "[&hellip;]")
	}
	return "<p>" + strings.Join(words, " ") + "</p>\n"
}

var plainTags = regexp.MustCompile(`<[^>]*>`)

// A rendering is what the texts of one answer share: WordPress numbers galleries through
// all of it, and wraps the figures of a classic post that follows one of blocks.
type rendering struct {
	blocks, classics int
	hasBlocks        bool
}

// render returns the text of a post as the answer has it.
func (p *WordPress) render(post *Post, a *rendering) string {
	if post.Classic {
		return p.renderClassic(post, a)
	}
	a.hasBlocks = true
	blocks := strings.SplitAfter(post.Text, "</p>")
	if post.Format == "video" {
		blocks = slices.Insert(blocks, 0, `<figure class="wp-block-embed is-type-video is-provider-film wp-block-embed-film"><div class="wp-block-embed__wrapper">`+
			"\nhttps://film.example/izle/kiyi\n</div></figure>")
	}
	if len(post.Gallery) > 0 {
		a.blocks++
		gallery := fmt.Sprintf("<figure class=\"wp-block-gallery has-nested-images columns-default is-cropped wp-block-gallery-%d is-layout-flex\">\n", a.blocks)
		for _, id := range append([]int{post.Picture}, post.Gallery...) {
			m := p.media[id]
			gallery += fmt.Sprintf("<figure class=\"wp-block-image size-large\">%s<figcaption class=\"wp-element-caption\">%s</figcaption></figure>\n\n\n\n", m.tag("wp-image"), texturized(m.Caption))
		}
		blocks = append(blocks, gallery+"</figure>")
	}
	var b strings.Builder
	b.WriteByte('\n')
	for _, block := range blocks {
		if block = strings.TrimSpace(block); block != "" {
			b.WriteString(block + "\n\n\n\n")
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// renderClassic returns the text of a post without blocks, with a picture that has a
// caption, and a gallery.
func (p *WordPress) renderClassic(post *Post, a *rendering) string {
	var figures []string
	if m := p.media[post.Picture]; m != nil {
		figures = append(figures, fmt.Sprintf(`<figure id="attachment_%d" aria-describedby="caption-attachment-%[1]d" style="width: 300px" class="wp-caption aligncenter">%s<figcaption id="caption-attachment-%[1]d" class="wp-caption-text">%s</figcaption></figure>`,
			m.ID, m.tag("size-medium wp-image"), texturized(m.Caption)))
	}
	if len(post.Gallery) > 0 {
		a.classics++
		gallery := fmt.Sprintf("<div id='gallery-%d' class='gallery galleryid-%d gallery-columns-3 gallery-size-large'>", a.classics, post.ID)
		for _, id := range post.Gallery {
			m := p.media[id]
			gallery += fmt.Sprintf("<figure class='gallery-item'>\n\t\t\t<div class='gallery-icon landscape'>\n\t\t\t\t<a href='%s/?attachment_id=%d'>%s</a>\n\t\t\t</div>\n\t\t\t\t<figcaption class='wp-caption-text gallery-caption' id='gallery-%d-%[2]d'>\n\t\t\t\t%[5]s\n\t\t\t\t</figcaption></figure>",
				p.home(), id, m.tag("wp-image"), a.classics, texturized(m.Caption))
		}
		figures = append(figures, gallery+"\n\t\t</div>\n")
	}
	text := strings.TrimSpace(strings.ReplaceAll(post.Text, "</p><p>", "</p>\n<p>")) + "\n"
	for _, figure := range figures {
		if a.hasBlocks {
			figure = "<p>" + figure + "</p>"
		}
		text += figure + "\n"
	}
	return text
}

// A pictureSize is a smaller version of a picture.
type pictureSize struct {
	name          string
	width, height int
	address       string
}

// sizes are the versions of a picture. One of the sample's has none.
func (m *Medium) sizes() (list []pictureSize) {
	if !strings.Contains(m.Address, "/uploads/") {
		return nil
	}
	end := path.Ext(m.Address)
	for _, s := range []pictureSize{{"large", 1024, 683, ""}, {"medium", 300, 200, ""}, {"medium_large", 768, 512, ""}} {
		s.address = fmt.Sprintf("%s-%dx%d%s", strings.TrimSuffix(m.Address, end), s.width, s.height, end)
		list = append(list, s)
	}
	return list
}

// tag is the element that shows a picture in a text.
func (m *Medium) tag(class string) string {
	sizes := m.sizes()
	if sizes == nil {
		return fmt.Sprintf(`<img decoding="async" src=%q alt=%q class="%s-%d" />`, m.Address, m.Alt, class, m.ID)
	}
	var set strings.Builder
	for _, s := range sizes {
		fmt.Fprintf(&set, "%s %dw, ", s.address, s.width)
	}
	return fmt.Sprintf(`<img loading="lazy" decoding="async" width="1024" height="683" src=%q alt=%q class="%s-%d" srcset="%s%s 1600w" sizes="(max-width: 1024px) 100vw, 1024px" />`,
		sizes[0].address, m.Alt, class, m.ID, set.String(), m.Address)
}
