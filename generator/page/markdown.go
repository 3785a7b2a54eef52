package page

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/goccy/go-yaml"

	"ayna/generator/output"
	"ayna/generator/prose"
	"ayna/generator/site"
	"ayna/generator/story"
)

// matter is the front matter of an item as Markdown. Times are RFC 3339 in the
// site's zone.
type matter struct {
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

// quoted is a string that is always written between quotes: a title may look
// like anything that YAML knows.
type quoted string

// MarshalYAML writes the string as Go does, whose escapes are also YAML's.
func (q quoted) MarshalYAML() ([]byte, error) { return []byte(strconv.Quote(string(q))), nil }

// markdown returns the file of an item as Markdown.
func (r *Renderer) markdown(item site.Item, run *story.Run) output.File {
	address := item.MarkdownAddress()
	key := output.NewDigest("markdown").Text(r.options.Base, address, item.Folder().Path)
	addShown(key, item)
	addLinks(key, item)
	return output.File{
		Path: address,
		Key:  key.Key(),
		Write: func(ctx context.Context, w io.Writer) error {
			s, err := run.Story(ctx, item)
			if err != nil {
				return fmt.Errorf("markdown of %s %s: %w", item.Kind(), item.ID(), err)
			}
			text, err := r.document(s, address)
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
	front, err := yaml.Marshal(r.matter(s, href))
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
	inBody := make(map[string]bool)
	for _, address := range s.Body.Images() {
		inBody[address] = true
	}
	for _, p := range s.Pictures {
		if !inBody[p.Source] {
			parts = append(parts, pictureInMarkdown(&p, href)...)
		}
	}
	return strings.Join(parts, "\n\n") + "\n", nil
}

func (r *Renderer) matter(s *story.Story, href func(string) string) matter {
	m := matter{
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
