// Package page renders a site as HTML files, and its items as Markdown too.
//
// Every template has a view: a struct with exactly what the template may use,
// made by this package. A view holds plain strings, which html/template
// escapes for the place where they stand, links that are ready to use, and
// HTML only where package prose made it.
//
// The templates may be replaced one by one: layout.html frames every page,
// parts.html and item.html hold what several pages share, and the others are
// the views of the table in template.go. Each defines "main", the part inside
// the frame.
package page

import (
	"context"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"iter"

	"ayna/generator/output"
	"ayna/generator/press"
	"ayna/generator/prose"
	"ayna/generator/recent"
	"ayna/generator/site"
	"ayna/generator/story"
)

// Options is what pages are made of beside the site.
type Options struct {
	Templates fs.FS      // the built-in templates, or these with the owner's laid over them file by file
	Parsed    *Templates // what [Parse] made of Templates; nil has [New] parse them
	Assets    []Asset    // what [Assets] returned
	Own       []OwnPage  // the site owner's own pages
	Base      string     // digest of what every page depends on beside its own content: configuration and code version
}

// OwnPage is a page that the site's owner wrote.
type OwnPage struct {
	Name        string // of which its address is made: "imprint"
	Title       string
	Description string
	HTML        template.HTML // from prose.Markdown
}

// Renderer makes the pages of one arranged site. Its files may be written by
// any number of goroutines at once.
type Renderer struct {
	reader    *story.Reader
	site      *site.Site
	options   Options
	templates map[string]tmpl // by the name of the view
	base      string          // digest of what every page shows, whatever its view
	own       []ownPage       // with the page about the mirror
	source    link            // the mirrored service
	publisher thing           // likewise
	chromes   recent.Values[string, chrome]
	places    recent.Values[string, place]
	portraits recent.Values[*site.Writer, *story.Picture]
	stencils  recent.Values[stencilKey, prose.Stencil] // of teasers
	tags      recent.Values[string, prose.Stencil]     // by directory
}

// Templates are what a site is rendered with. They were parsed and tried.
type Templates struct{ byView map[string]tmpl }

// Parse parses the templates and tries each of them. An error names the file and
// the line.
func Parse(templates fs.FS, words site.Words) (*Templates, error) {
	parsed, err := parseAll(templates, words)
	if err != nil {
		return nil, fmt.Errorf("read the templates: %w", err)
	}
	return &Templates{parsed}, nil
}

// New returns a renderer of the reader's site. An error is one of [Parse], or
// names the page of the owner's that cannot be published.
func New(reader *story.Reader, options Options) (*Renderer, error) {
	templates := options.Parsed
	if templates == nil {
		var err error
		if templates, err = Parse(options.Templates, reader.Site.Words); err != nil {
			return nil, err
		}
	}
	r := &Renderer{reader: reader, site: reader.Site, options: options, templates: templates.byView}
	r.chromes.Most, r.places.Most, r.portraits.Most, r.tags.Most = chromes, chromes, portraits, stencilTags
	r.stencils.Most, r.stencils.Size = stencilBytes, prose.Stencil.Size
	r.source = link{Text: r.site.SourceName}
	r.source.Href, _ = prose.SafeURL(r.site.SourceHome)
	r.publisher = thing{Type: "NewsMediaOrganization", Name: r.source.Text, URL: r.source.Href}
	var err error
	if r.own, err = r.ownPages(); err != nil {
		return nil, err
	}
	r.base = r.shared()
	return r, nil
}

// Files yields every page of the site, its assets, the items as Markdown,
// sitemap and robots.txt. Nothing is read or rendered before a file is
// written. The only error is that of ctx.
func (r *Renderer) Files(ctx context.Context) iter.Seq2[output.File, error] {
	parts := []iter.Seq[output.File]{
		r.assets(), r.home(), r.timeline(), r.corrections(), r.moved(), r.subscribe(), r.indexes(), r.searchPage(), r.texts(), r.sitemaps(), r.webManifest(),
	}
	return func(yield func(output.File, error) bool) {
		for _, part := range parts {
			for file := range part {
				if err := ctx.Err(); err != nil {
					yield(output.File{}, err)
					return
				}
				if !yield(file, nil) {
					return
				}
			}
		}
	}
}

// framed is a pointer to a view.
type framed interface{ complete() error }

// render returns the file of a view that make builds when it is written. key
// has what the page shows beyond its frame. subject names the page in errors.
func (r *Renderer) render(address, view, subject string, key output.Digest, make func(ctx context.Context) (framed, error)) output.File {
	return output.File{
		Path: address,
		Key:  key.Key(),
		Write: func(ctx context.Context, w io.Writer) error {
			data, err := make(ctx)
			if err == nil {
				err = data.complete()
			}
			if err == nil {
				err = r.templates[view].Execute(w, data)
			}
			if err != nil {
				return fmt.Errorf("page of %s: %w", subject, err)
			}
			return nil
		},
	}
}

// part returns a template that is executed by itself.
func (r *Renderer) part(name string) *press.Plate { return r.templates[parts[name].view].parts[name] }

// key begins the key of a page: its view, its address and what all pages show.
func (r *Renderer) key(view, address string) output.Digest {
	return output.NewDigest("page").Text(view, r.templates[view].digest, r.base, address)
}
