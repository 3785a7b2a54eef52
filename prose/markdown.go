package prose

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"github.com/JohannesKaufmann/html-to-markdown/v2/marker"
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
	conv.Register.RendererFor("sub", converter.TagTypeInline, renderTag, converter.PriorityEarly)
	conv.Register.RendererFor("sup", converter.TagTypeInline, renderTag, converter.PriorityEarly)
	conv.Register.RendererFor("code", converter.TagTypeInline, renderCode, converter.PriorityEarly)
	conv.Register.RendererFor("blockquote", converter.TagTypeBlock, renderQuote, converter.PriorityEarly)
	conv.Register.TextTransformer(escapeEntities, converter.PriorityEarly) // before the converter makes its own
	conv.Register.TextTransformer(escapeBrackets, converter.PriorityStandard+1)
	return conv
})

var entity = regexp.MustCompile(`&(#?\w+;)`)

// escapeEntities keeps words that look like an entity from becoming its character.
func escapeEntities(_ converter.Context, words string) string {
	if strings.IndexByte(words, '&') < 0 { // spares copies
		return words
	}
	return entity.ReplaceAllString(words, "&amp;$1")
}

// escaping is what the converter writes before a character that it may escape later.
const escaping = string(marker.MarkerEscaping)

var bracketsInLink = strings.NewReplacer(escaping+"[", "&#91;", escaping+"]", "&#93;")

// escapeBrackets escapes brackets that the converter does not: it looks for the other
// bracket in the same line only, but the words of a link may take several lines. In a link
// brackets become entities, since marked, a common program, undoes "\[" there before it
// looks for further links.
func escapeBrackets(ctx converter.Context, words string) string {
	if inLink, _ := ctx.Value("is_inside_link").(bool); inLink {
		return bracketsInLink.Replace(words)
	}
	return strings.ReplaceAll(words, escaping+"[", `\[`)
}

// renderTag writes an element that Markdown lacks as HTML. It is one line, since a tag
// alone in its line would begin a block of HTML, where Markdown escapes nothing.
func renderTag(ctx converter.Context, w converter.Writer, n *xhtml.Node) converter.RenderStatus {
	var b bytes.Buffer
	ctx.RenderChildNodes(ctx, &b, n)
	fmt.Fprintf(w, "<%s>%s</%[1]s>", n.Data, bytes.ReplaceAll(b.Bytes(), []byte("\n"), []byte(" ")))
	return converter.RenderSuccess
}

// renderCode writes code between backticks, or as HTML if its text would do harm without
// them: cells of a table and other code beside it can take a backtick away.
func renderCode(ctx converter.Context, w converter.Writer, n *xhtml.Node) converter.RenderStatus {
	for c := range n.Descendants() {
		if c.DataAtom == atom.Br || c.Type == xhtml.TextNode && strings.ContainsAny(c.Data, "<[]`|") {
			return renderTag(ctx, w, n)
		}
	}
	return converter.RenderTryNext
}

// lineEnd is how the converter writes the end of a line of code until all is converted.
const lineEnd = string(marker.MarkerCodeBlockNewline)

var blankLines = regexp.MustCompile(` *\n(?: *\n)+`)

// renderQuote writes a quote. The converter's own would end at the first line of code.
func renderQuote(ctx converter.Context, w converter.Writer, n *xhtml.Node) converter.RenderStatus {
	var b bytes.Buffer
	ctx.RenderChildNodes(ctx, &b, n)
	if text := bytes.TrimSpace(b.Bytes()); len(text) > 0 {
		lines := strings.NewReplacer("\n", "\n> ", lineEnd, lineEnd+"> ")
		w.WriteString("\n\n> " + lines.Replace(string(blankLines.ReplaceAll(text, []byte("\n\n")))) + "\n\n")
	}
	return converter.RenderSuccess
}

// Markdown returns the text as CommonMark with tables, with the resolver's addresses. A
// reduced text, and one that would take too long to convert, is plain paragraphs. If the
// conversion fails, it returns plain paragraphs and an error.
func (b Body) Markdown(r Resolver) (string, error) {
	if b.reduced != "" {
		return b.plainMarkdown(), nil
	}
	var text []byte
	document, err := xhtml.Parse(strings.NewReader(strings.ReplaceAll(string(b.HTML(r)), lineEnd, "")))
	if err == nil {
		flattenTables(document)
		escapeAlternatives(document)
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

// inAlternative makes entities of what can end the alternative text of a picture in a
// link, see escapeBrackets.
var inAlternative = strings.NewReplacer(`\\`, "&#92;", `\[`, "&#91;", `\]`, "&#93;")

// escapeAlternatives escapes the alternative texts of pictures, which the converter writes
// as they are.
func escapeAlternatives(document *xhtml.Node) {
	for n := range document.Descendants() {
		for i := range n.Attr {
			if a := &n.Attr[i]; a.Key == "alt" {
				a.Val = inAlternative.Replace(EscapeMarkdown(a.Val))
			}
		}
	}
}

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
// to reading it. This bounds the length of the Markdown, too. Two things take more than
// linear time: the converter copies the lines of each list and quote, and fills tables up.
func isCostly(document *xhtml.Node) bool {
	var c markdownCost
	c.add(document)
	return c.sum > maxCost
}

type markdownCost struct {
	sum   int
	depth int // open lists and quotes

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

func (c *markdownCost) line() { c.sum += c.depth * c.depth }

func (c *markdownCost) text(words string) {
	c.sum += c.depth * len(words)
	c.sum += c.depth * c.depth * strings.Count(words, "\n")
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
