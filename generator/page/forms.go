package page

import (
	"context"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/goccy/go-yaml"

	"ayna/generator/output"
	"ayna/generator/prose"
	"ayna/generator/site"
	"ayna/generator/story"
)

// frontMatter is the front matter of an item as Markdown. Times are RFC 3339 in the
// site's zone.
type frontMatter struct {
	Title    quoted   `yaml:"title"`
	Kind     quoted   `yaml:"kind"`
	ID       quoted   `yaml:"id"`
	Date     quoted   `yaml:"date,omitempty"`
	Modified quoted   `yaml:"modified,omitempty"`
	Folder   quoted   `yaml:"folder"` // path at the source
	Writers  []quoted `yaml:"writers,omitempty"`
	Editor   quoted   `yaml:"editor,omitempty"`
	Tags     []quoted `yaml:"tags,omitempty"`
	Source   quoted   `yaml:"source,omitempty"`  // address of the original
	Picture  quoted   `yaml:"picture,omitempty"` // the lead picture
}

// quoted is a string that is always written in quotation marks: a title may look
// like any value of YAML.
type quoted string

// MarshalYAML writes the string as a Go string, whose escapes are also YAML's.
func (q quoted) MarshalYAML() ([]byte, error) { return []byte(strconv.Quote(string(q))), nil } //guard:front-matter

// markdown returns the file of an item as Markdown.
func (r *Renderer) markdown(item site.Item, run *story.Run, batch string) output.File {
	address := item.MarkdownAddress()
	return output.File{
		Path: address, Batch: batch,
		Write: func(ctx context.Context, w io.Writer) error {
			s, err := run.Story(ctx, item)
			text := ""
			if err == nil {
				text, err = r.document(s, address)
			}
			if err != nil {
				return fmt.Errorf("markdown of %s %s: %w", item.Kind(), item.ID(), err)
			}
			_, err = io.WriteString(w, text)
			return err
		},
	}
}

func (r *Renderer) document(s *story.Story, address string) (string, error) {
	href := func(to string) string { return site.Relative(address, to) }
	front, err := yaml.Marshal(r.frontMatter(s, href))
	if err != nil {
		return "", err
	}
	body, err := s.Markdown()
	if err != nil {
		return "", err
	}
	parts := []string{"---\n" + string(front) + "---", "# " + prose.InMarkdown(s.Title)}
	for _, notice := range r.notices(s) {
		parts = append(parts, "> "+notice)
	}
	if s.Spot != "" {
		parts = append(parts, "**"+prose.InMarkdown(s.Spot)+"**")
	}
	if body = strings.TrimSpace(body); body != "" {
		parts = append(parts, body)
	}
	inBody := s.Body.Images()
	for _, p := range s.Pictures {
		if !slices.Contains(inBody, p.Source) {
			parts = append(parts, pictureInMarkdown(&p, href)...)
		}
	}
	return strings.Join(parts, "\n\n") + "\n", nil
}

func (r *Renderer) frontMatter(s *story.Story, href func(string) string) frontMatter {
	m := frontMatter{
		Title: quoted(s.Title), Kind: quoted(s.Kind()), ID: quoted(s.ID()), Folder: quoted(s.Folder().Path),
		Editor: quoted(s.Editor), Source: quoted(s.Source),
		Date: r.date(s.Published()), Modified: r.date(s.Modified()),
	}
	for _, w := range s.Writers() {
		m.Writers = append(m.Writers, quoted(w.Title))
	}
	for tag := range s.Tags() {
		m.Tags = append(m.Tags, quoted(tag.Title))
	}
	if len(s.Pictures) > 0 {
		m.Picture = quoted(s.Pictures[0].Src(href))
	}
	return m
}

func (r *Renderer) date(ms int64) quoted {
	if ms == 0 {
		return ""
	}
	return quoted(time.UnixMilli(ms).In(r.site.Location).Format(time.RFC3339))
}

// pictureInMarkdown returns the paragraphs of a picture: itself and its
// caption, or what is left of them.
func pictureInMarkdown(p *story.Picture, href func(string) string) []string {
	var parts []string
	if src := p.Src(href); src != "" {
		parts = append(parts, "!["+prose.InMarkdown(p.Title)+"](<"+markdownAddress.Replace(src)+">)")
	}
	if p.Caption != "" {
		parts = append(parts, "*"+prose.InMarkdown(p.Caption)+"*")
	}
	return parts
}

var markdownAddress = strings.NewReplacer("<", "%3C", ">", "%3E", "\\", "%5C", "\n", "%0A")

//go:embed fallback.html
var fallbackHTML string

// fallbackTemplate shows an item whose page cannot be made: what people would miss,
// and nothing else that may fail. No theme changes it.
var fallbackTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("plain page").Parse(fallbackHTML))
})

type fallbackView struct {
	frame
	Hidden         bool // search engines are asked to stay away
	Styles         []string
	Headline, Spot string
	Notice         string
	Paragraphs     []string // of the text
	Original       string   // address at the source, "" for none
}

// fallback writes a plain page that replaces the page of an item.
func (r *Renderer) fallback(item site.Item) func(context.Context, io.Writer) error {
	return func(ctx context.Context, w io.Writer) error {
		v, err := r.fallbackView(ctx, item)
		if err != nil {
			return fmt.Errorf("plain page of %s %s: %w", item.Kind(), item.ID(), err)
		}
		return fallbackTemplate().Execute(w, v)
	}
}

func (r *Renderer) fallbackView(ctx context.Context, item site.Item) (*fallbackView, error) {
	s, err := r.plainStory(ctx, item)
	if err != nil {
		return nil, err
	}
	v := &fallbackView{
		frame: r.frame(item.Address(), s.Title, s.Spot), Hidden: r.site.Robots == "deny",
		Headline: s.Title, Spot: s.Spot, Notice: r.site.Words.Plain, Original: s.Source,
	}
	r.identify(&v.frame, s)
	v.Styles = r.styles(v.href)
	for line := range strings.Lines(s.Body.Text()) {
		if line = strings.TrimSpace(line); line != "" {
			v.Paragraphs = append(v.Paragraphs, line)
		}
	}
	return v, nil
}

// plainStory reads an item's story, or only what lists show of it if the story
// cannot be read.
func (r *Renderer) plainStory(ctx context.Context, item site.Item) (*story.Story, error) {
	s, err := r.reader.Story(ctx, item)
	if err == nil {
		return s, nil
	}
	teasers, err := r.reader.Teasers(ctx, []site.Item{item})
	if err != nil {
		return nil, err
	}
	return &story.Story{Item: item, Content: story.Content{Title: teasers[0].Title, Spot: teasers[0].Spot}}, nil
}
