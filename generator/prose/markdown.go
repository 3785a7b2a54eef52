package prose

import (
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/base"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/commonmark"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/strikethrough"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/table"
	xhtml "golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

var toMarkdown = sync.OnceValue(func() *converter.Converter {
	conv := converter.NewConverter(converter.WithPlugins(
		base.NewBasePlugin(), commonmark.NewCommonmarkPlugin(commonmark.WithListEndComment(false)), strikethrough.NewStrikethroughPlugin(),
		// Aligned, one long cell would make its column wide in every row.
		table.NewTablePlugin(table.WithCellPaddingBehavior(table.CellPaddingBehaviorMinimal))))
	// Without these "H2O" and "m2" would lose their meaning.
	conv.Register.RendererFor("sub", converter.TagTypeInline, base.RenderAsHTML, converter.PriorityEarly)
	conv.Register.RendererFor("sup", converter.TagTypeInline, base.RenderAsHTML, converter.PriorityEarly)
	return conv
})

// Markdown returns the text as CommonMark with tables, with the resolver's addresses. A
// text that would take too long to convert becomes plain paragraphs. If the conversion
// fails, it returns plain paragraphs and an error.
func (b Body) Markdown(r Resolver) (string, error) {
	var text []byte
	document, err := xhtml.Parse(strings.NewReader(string(b.HTML(r))))
	if err == nil {
		flattenTables(document)
		if isCostly(document) {
			return b.plainMarkdown(), nil
		}
		text, err = toMarkdown().ConvertNode(document)
	}
	if err != nil {
		return b.plainMarkdown(), fmt.Errorf("convert a text to Markdown: %w; its plain words are used", err)
	}
	return string(text), nil
}

// plainMarkdown returns the words of the text as paragraphs of Markdown.
func (b Body) plainMarkdown() string {
	lines := strings.Split(b.Text(), "\n")
	for i, line := range lines {
		rest := strings.TrimLeft(line, "0123456789")
		escape := "" // keeps the line from beginning a list item
		if rest != "" && strings.IndexByte(".)-+", rest[0]) >= 0 {
			escape = "\\"
		}
		lines[i] = line[:len(line)-len(rest)] + escape + EscapeMarkdown(rest)
	}
	return strings.Join(lines, "\n\n")
}

// EscapeMarkdown escapes plain words for a line of Markdown, but not for its beginning.
func EscapeMarkdown(words string) string { return markdownWords.Replace(words) }

// markdownWords escapes what Markdown would read as markup anywhere in a line.
var markdownWords = strings.NewReplacer(
	"\\", "\\\\", "`", "\\`", "*", "\\*", "_", "\\_", "[", "\\[", "]", "\\]",
	"<", "\\<", ">", "\\>",
	"~", "\\~", "&", "\\&", "|", "\\|", "#", "\\#", "\n", " ",
)

// flattenTables prepares tables for Markdown, whose cells hold one line: blocks in a cell
// are replaced by their content between blanks, and a caption becomes a paragraph before
// its table.
func flattenTables(n *xhtml.Node) {
	for c := n.FirstChild; c != nil; {
		next := c.NextSibling
		switch c.Data {
		case "td", "th":
			flattenCell(c)
		case "caption":
			n.RemoveChild(c)
			c.Data, c.DataAtom = "p", atom.P
			n.Parent.InsertBefore(c, n)
		default:
			flattenTables(c)
		}
		c = next
	}
}

func flattenCell(n *xhtml.Node) {
	for c := n.FirstChild; c != nil; {
		next := c.NextSibling
		flattenCell(c)
		if c.Type == xhtml.ElementNode && isBlock(c.Data) {
			n.InsertBefore(textNode(" "), c)
			n.InsertBefore(textNode(" "), next)
			unwrap(c)
		}
		c = next
	}
}

// maxCost is the most steps that the conversion of a text may take.
const maxCost = 16 << 20

// isCostly estimates whether converting a text takes more than maxCost steps in addition
// to reading it. This bounds the length of the Markdown, too. Three things take more than
// linear time: the converter searches the end of each "[" up to the end of the line,
// copies the lines of each list and quote, and fills tables up.
func isCostly(document *xhtml.Node) bool {
	var c markdownCost
	c.add(document)
	return c.sum > maxCost
}

type markdownCost struct {
	sum      int
	depth    int // open lists and quotes
	brackets int // open in this line

	// Of the innermost table. All its rows get the columns of the longest one, and
	// a cell that spans rows is repeated in the rows below.
	rows, columns, widest, tallest, spanned int
}

func (c *markdownCost) add(n *xhtml.Node) {
	if n.Type == xhtml.TextNode {
		c.text(n.Data)
		return
	}
	isLine := isBlock(n.Data) && n.Data != "td" && n.Data != "th" // a row is one line
	if isLine {
		defer c.line()
	}
	switch n.Data {
	case "li", "blockquote":
		c.depth++
		defer func() { c.depth-- }()
	case "table":
		c.rows, c.widest, c.tallest, c.spanned = 0, 0, 0, 0
	case "tr":
		c.rows, c.columns = c.rows+1, 0
	case "td", "th":
		c.cell(n.Attr)
	}
	if isLine {
		c.line()
	}
	for child := n.FirstChild; child != nil && c.sum <= maxCost; child = child.NextSibling {
		c.add(child)
	}
	if n.Data == "table" {
		const perCell = 16 // it is allocated, measured and written
		most := c.widest * c.tallest
		c.sum += (c.rows+c.tallest)*most*perCell + c.spanned*most
	}
}

func (c *markdownCost) line() {
	c.sum += c.depth * c.depth
	c.brackets = 0
}

func (c *markdownCost) text(words string) {
	if c.depth == 0 && c.brackets == 0 && !strings.Contains(words, "[") {
		return
	}
	for i := range len(words) {
		c.sum += c.depth + c.brackets
		switch words[i] {
		case '[':
			c.brackets++
		case ']':
			c.brackets = 0
		case '\n':
			c.line()
		}
	}
}

func (c *markdownCost) cell(attr []xhtml.Attribute) {
	wide, tall := span(attr, "colspan"), span(attr, "rowspan")
	c.columns += wide
	c.widest, c.tallest = max(c.widest, c.columns), max(c.tallest, tall)
	if wide*tall > 1 {
		c.spanned += wide * tall
	}
}

func span(attr []xhtml.Attribute, name string) int {
	n, err := strconv.Atoi(attribute(attr, name))
	if err != nil {
		return 1
	}
	return n
}
