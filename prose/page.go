package prose

import (
	"bytes"
	"fmt"
	"html/template"
	"strconv"
	"strings"
	"sync"

	"github.com/goccy/go-yaml"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	gtext "github.com/yuin/goldmark/text"

	"ayna/slug"
)

// Page is one of the site owner's own pages, such as the imprint.
type Page struct {
	// Title is from the front matter, or else from a first heading of level 1,
	// which the HTML then lacks. It may be empty.
	Title       string
	Description string
	HTML        template.HTML
}

var pageMarkdown = sync.OnceValue(func() goldmark.Markdown {
	return goldmark.New(
		goldmark.WithExtensions(extension.Linkify, extension.Strikethrough, extension.TaskList,
			// Alignment as an attribute, since a style would not pass the policy.
			extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute))),
		goldmark.WithParserOptions(parser.WithAutoHeadingID()))
})

// RenderMarkdown renders one of the owner's own pages: GitHub Flavored Markdown, after
// optional front matter: YAML with title and description between two lines "---".
// HTML in it is left out. Headings get ids by the rules of the language. Tables are put
// into a box that scrolls, which assistive software announces by the given label.
// Errors name the invalid line of the front matter.
//
// Never give it text of the source, see the package comment.
func RenderMarkdown(src []byte, table, language string) (Page, error) {
	text := strings.ReplaceAll(StripInvalidXML(strings.TrimPrefix(string(src), "\uFEFF")), "\r\n", "\n")
	front, body, err := splitFrontMatter(text)
	if err != nil {
		return Page{}, err
	}
	var meta struct {
		Title       string `yaml:"title"`
		Description string `yaml:"description"`
	}
	if err := yaml.UnmarshalWithOptions([]byte(front), &meta, yaml.Strict()); err != nil {
		return Page{}, fmt.Errorf("read the page's front matter: %w; only title and description may be set", err)
	}
	page := Page{Title: collapse(meta.Title), Description: collapse(meta.Description)}

	source := []byte(body)
	document := pageMarkdown().Parser().Parse(gtext.NewReader(source),
		parser.WithContext(parser.NewContext(parser.WithIDs(&headingIDs{language: language}))))
	var out bytes.Buffer
	render := func(n ast.Node) error {
		out.Reset()
		if err := pageMarkdown().Renderer().Render(&out, source, n); err != nil {
			return fmt.Errorf("render the page %q: %w", page.Title, err)
		}
		return nil
	}
	if h, ok := document.FirstChild().(*ast.Heading); ok && h.Level == 1 {
		if err := render(h); err != nil {
			return Page{}, err
		}
		if title := Plain(out.String()); page.Title == "" || page.Title == title {
			page.Title = title
			document.RemoveChild(document, h)
		}
	}
	demote(document)
	if err := render(document); err != nil {
		return Page{}, err
	}
	var box strings.Builder
	serialize(&box, tableBox(table))
	begin := strings.TrimSuffix(box.String(), "</div>")
	// All tags are goldmark's: HTML of the text is left out.
	boxes := strings.NewReplacer("<table>", begin+"<table>", "</table>", "</table></div>", "&#39;", "'")
	page.HTML = template.HTML(boxes.Replace(pagePolicy().Sanitize(out.String())))
	return page, nil
}

// demote lowers all headings by a level if the text uses level 1, which is for the
// page's title.
func demote(document ast.Node) {
	var headings []*ast.Heading
	top := 6
	for n := document.FirstChild(); n != nil; n = n.NextSibling() {
		if h, ok := n.(*ast.Heading); ok {
			headings, top = append(headings, h), min(top, h.Level)
		}
	}
	for _, h := range headings {
		if top == 1 {
			h.Level = min(6, h.Level+1)
		}
	}
}

// splitFrontMatter returns the front matter after a line break for the opening
// "---", so that errors count lines as in the file.
func splitFrontMatter(text string) (front, body string, err error) {
	rest, ok := strings.CutPrefix(text, "---\n")
	if !ok {
		return "", text, nil
	}
	front, body, ok = strings.Cut("\n"+rest+"\n", "\n---\n")
	if !ok {
		return "", "", fmt.Errorf("read the page's front matter: line 1 opens it with ---, but no line --- closes it; add one")
	}
	return front, body, nil
}

// headingIDs makes the ids of one page's headings.
type headingIDs struct {
	language string
	used     map[string]bool
}

// Generate implements [parser.IDs].
func (ids *headingIDs) Generate(value []byte, _ ast.NodeKind) []byte {
	first := slug.Of(string(value), ids.language)
	if first == "" {
		first = "h"
	}
	id := first
	for n := 2; ids.used[id]; n++ {
		id = first + "-" + strconv.Itoa(n)
	}
	ids.Put([]byte(id))
	return []byte(id)
}

// Put implements [parser.IDs].
func (ids *headingIDs) Put(value []byte) {
	if ids.used == nil {
		ids.used = map[string]bool{}
	}
	ids.used[string(value)] = true
}

// MarkdownAddresses returns the addresses of the links and pictures of a Markdown text, in
// the order of the text and as they are written there.
func MarkdownAddresses(markdown []byte) [][]byte {
	var list [][]byte
	ast.Walk(pageMarkdown().Parser().Parse(gtext.NewReader(markdown)), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Link:
			list = append(list, n.Destination)
		case *ast.Image:
			list = append(list, n.Destination)
		case *ast.AutoLink:
			if n.AutoLinkType == ast.AutoLinkURL {
				list = append(list, n.URL(markdown))
			}
		}
		return ast.WalkContinue, nil
	})
	return list
}
