package page

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/goccy/go-yaml"

	"ayna/generator/output"
	"ayna/generator/site"
	"ayna/generator/story"
	"ayna/prose"
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

// MarshalYAML writes a Go string literal: double-quoted strings of YAML have the same
// escapes.
func (q quoted) MarshalYAML() ([]byte, error) { return []byte(strconv.Quote(string(q))), nil }

// markdownFile returns the file of an item as Markdown.
func (r *Renderer) markdownFile(item site.Item, run *story.Batch, batch string) output.File {
	address := item.MarkdownAddress()
	return output.File{
		Path: address, Batch: batch,
		Key: func() site.Digest { return r.keyWithout(address, func(m *site.Mixer) { m.Short(item.Content()) }) },
		Write: func(ctx context.Context, w io.Writer) error {
			s, err := run.Story(ctx, item)
			text := ""
			if err == nil {
				text, err = r.markdownText(s, address)
			}
			if err != nil {
				return fmt.Errorf("markdown of %s %s: %w", item.Kind(), item.ID(), err)
			}
			_, err = io.WriteString(w, text)
			return err
		},
	}
}

func (r *Renderer) markdownText(s *story.Story, address string) (string, error) {
	href := func(to string) string { return site.Relative(address, to) }
	front, err := yaml.Marshal(r.frontMatter(s, href))
	if err != nil {
		return "", err
	}
	body, err := s.Markdown()
	if err != nil {
		return "", err
	}
	parts := []string{"---\n" + notMarkdown.Replace(string(front)) + "---", "# " + prose.EscapeMarkdown(s.Title)}
	for _, notice := range s.Notices(&r.site.Words) {
		parts = append(parts, "> "+notice)
	}
	if s.Spot != "" {
		parts = append(parts, "**"+prose.EscapeMarkdown(s.Spot)+"**")
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

// notMarkdown keeps programs that do not know front matter from finding tags and links in
// it, all of whose values are quoted.
var notMarkdown = strings.NewReplacer("<", `\u003C`, "](", `]\u0028`)

func (r *Renderer) frontMatter(s *story.Story, href func(string) string) frontMatter {
	m := frontMatter{
		Title: quoted(s.Title), Kind: quoted(s.Kind()), ID: quoted(s.ID()), Folder: quoted(s.Folder().Path),
		Editor: quoted(s.Editor), Source: quoted(s.Source),
		Date: r.frontMatterDate(s.Published()), Modified: r.frontMatterDate(s.Modified()),
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

func (r *Renderer) frontMatterDate(ms int64) quoted {
	if ms == 0 {
		return ""
	}
	return quoted(time.UnixMilli(ms).In(r.site.Location).Format(time.RFC3339))
}

// pictureInMarkdown returns the paragraphs of a picture: the image, if the mirror has
// it, and the caption, if there is one.
func pictureInMarkdown(p *story.Picture, href func(string) string) []string {
	var parts []string
	if src := p.Src(href); src != "" {
		parts = append(parts, "!["+prose.EscapeMarkdown(p.Title)+"](<"+markdownAddress.Replace(src)+">)")
	}
	if p.Caption != "" {
		parts = append(parts, "*"+prose.EscapeMarkdown(p.Caption)+"*")
	}
	return parts
}

var markdownAddress = strings.NewReplacer("<", "%3C", ">", "%3E", "\\", "%5C", "\n", "%0A")
