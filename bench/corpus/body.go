package main

import (
	"fmt"
	"html"
	"math/rand/v2"
	"strings"
)

// block is a paragraph, a heading or a quotation.
type block struct {
	tag   string // p, h2 or blockquote
	spans []span
}

// span is a run of text, emphasised or linked or neither.
type span struct {
	text   string
	strong bool
	link   *head
}

// body makes a text of 300 to 800 words that links the first related item.
func (p *paper) body(r *rand.Rand, related []head) []block {
	var blocks []block
	for left := 300 + r.IntN(500); left > 0; {
		b := block{tag: "p"}
		if len(blocks) > 0 && r.IntN(6) == 0 {
			b = block{tag: "h2", spans: []span{{text: p.title(r)}}}
			blocks = append(blocks, b)
			continue
		}
		if len(blocks) > 0 && r.IntN(10) == 0 {
			b.tag = "blockquote"
		}
		for range 2 + r.IntN(4) {
			s := span{text: p.sentence(r, 14), strong: r.IntN(12) == 0}
			left -= strings.Count(s.text, " ") + 1
			b.spans = append(b.spans, s)
		}
		if len(blocks) == 1 && len(related) > 0 {
			b.spans = append(b.spans, span{text: related[0].title, link: &related[0]})
		}
		blocks = append(blocks, b)
	}
	return blocks
}

// asHTML is the text as the service gives it.
func asHTML(blocks []block) string {
	var b strings.Builder
	for _, block := range blocks {
		fmt.Fprintf(&b, "<%s>", block.tag)
		for i, s := range block.spans {
			if i > 0 {
				b.WriteByte(' ')
			}
			text := html.EscapeString(s.text)
			switch {
			case s.link != nil:
				fmt.Fprintf(&b, `<a href="%s">%s</a>`, s.link.url(), text)
			case s.strong:
				fmt.Fprintf(&b, "<strong>%s</strong>", text)
			default:
				b.WriteString(text)
			}
		}
		fmt.Fprintf(&b, "</%s>\r\n", block.tag)
	}
	return b.String()
}

// asMarkdown is the same text as an editor of a Hugo site writes it.
func asMarkdown(blocks []block) string {
	before := map[string]string{"p": "", "h2": "## ", "blockquote": "> "}
	var b strings.Builder
	for _, block := range blocks {
		b.WriteString(before[block.tag])
		for i, s := range block.spans {
			if i > 0 {
				b.WriteByte(' ')
			}
			switch {
			case s.link != nil:
				fmt.Fprintf(&b, "[%s](%s)", s.text, s.link.page())
			case s.strong:
				fmt.Fprintf(&b, "**%s**", s.text)
			default:
				b.WriteString(s.text)
			}
		}
		b.WriteString("\n\n")
	}
	return b.String()
}
