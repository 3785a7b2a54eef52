package prose

import (
	"fmt"
	"strings"
	"sync"

	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/base"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/commonmark"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/strikethrough"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/table"
	xhtml "golang.org/x/net/html"
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

// Markdown returns the text as CommonMark with tables, its addresses as the
// resolver says. Of a text for which that would take too long it is the plain
// paragraphs. So it is of one that cannot be converted; the error says why.
func (b Body) Markdown(r Resolver) (string, error) {
	markup := flattenCells(string(b.HTML(r)))
	if cost(markup) > maxCost {
		return b.plainMarkdown(), nil
	}
	text, err := toMarkdown().ConvertString(markup)
	if err != nil {
		return b.plainMarkdown(), fmt.Errorf("converting a text to Markdown: %w; its plain words are used", err)
	}
	return text, nil
}

// plainMarkdown returns the words of the text as paragraphs of Markdown.
func (b Body) plainMarkdown() string {
	lines := strings.Split(b.Text(), "\n")
	for i, line := range lines {
		rest := strings.TrimLeft(line, "0123456789")
		mark := "" // of a list item, which it would be at the beginning of a line
		if rest != "" && strings.IndexByte(".)-+", rest[0]) >= 0 {
			mark = "\\"
		}
		lines[i] = line[:len(line)-len(rest)] + mark + InMarkdown(rest)
	}
	return strings.Join(lines, "\n\n")
}

// InMarkdown returns words as they are written in a line of Markdown, at whose
// beginning something else stands.
func InMarkdown(words string) string { return markdownWords.Replace(words) }

// markdownWords escapes what Markdown would read as markup anywhere in a line.
var markdownWords = strings.NewReplacer(
	"\\", "\\\\", "`", "\\`", "*", "\\*", "_", "\\_", "[", "\\[", "]", "\\]",
	"<", "\\<", ">", "\\>", "~", "\\~", "&", "\\&", "|", "\\|", "#", "\\#", "\n", " ",
)

// flattenCells prepares tables for Markdown, whose cells hold one line: what
// divides lines in a cell becomes a blank, and a caption a paragraph before
// its table.
func flattenCells(markup string) string {
	if !strings.Contains(markup, "<table>") {
		return markup
	}
	var b strings.Builder
	cells := 0       // open cells, inside of each other
	pending := false // a table's tag waits for its caption
	z := xhtml.NewTokenizer(strings.NewReader(markup))
	for kind := z.Next(); kind != xhtml.ErrorToken; kind = z.Next() {
		raw := string(z.Raw())
		name, _ := z.TagName()
		tag, begins := string(name), kind == xhtml.StartTagToken
		if pending && tag != "caption" {
			b.WriteString("<table>")
			pending = false
		}
		isCell := tag == "td" || tag == "th"
		if isCell && !begins {
			cells--
		}
		switch {
		case cells > 0 && (isCell || isBlock(tag)):
			b.WriteByte(' ')
		case tag == "table" && begins:
			pending = true
		case tag == "caption" && begins:
			b.WriteString("<p>")
		case tag == "caption":
			b.WriteString("</p><table>")
			pending = false
		default:
			b.WriteString(raw)
		}
		if isCell && begins {
			cells++
		}
	}
	return b.String()
}
