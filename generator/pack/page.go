package pack

import (
	"bytes"
	"strings"
	"time"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// page is what the tags in the head of a page say.
type page struct {
	title   string
	isItem  bool
	changed time.Time // when the item was published or changed last; zero if that is unknown
}

func inspect(content []byte) (p page) {
	z := html.NewTokenizer(bytes.NewReader(content))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return p
		case html.StartTagToken, html.SelfClosingTagToken:
			t := z.Token()
			switch {
			case t.DataAtom == atom.Meta && attribute(t, "name") == "ayna-record":
				p.isItem = true
			case t.DataAtom == atom.Meta && attribute(t, "property") == "og:title":
				p.title = attribute(t, "content")
			case t.DataAtom == atom.Meta && attribute(t, "property") == "article:published_time":
				p.changed, _ = time.Parse(time.RFC3339, attribute(t, "content"))
			case t.DataAtom == atom.Meta && attribute(t, "property") == "article:modified_time":
				p.changed, _ = time.Parse(time.RFC3339, attribute(t, "content"))
			}
		}
	}
}

// articleText returns the text of the first article of a page.
func articleText(content []byte) string {
	var text strings.Builder
	depth, skip := 0, 0
	z := html.NewTokenizer(bytes.NewReader(content))
	for {
		kind := z.Next()
		name, _ := z.TagName()
		switch tag := atom.Lookup(name); {
		case kind == html.ErrorToken:
			return ""
		case kind == html.TextToken:
			if depth > 0 && skip == 0 {
				text.Write(z.Text())
			}
		case tag == atom.Article && kind == html.StartTagToken:
			depth++
		case tag == atom.Article && kind == html.EndTagToken:
			if depth--; depth == 0 {
				return strings.Join(strings.Fields(text.String()), " ")
			}
		case (tag == atom.Nav || tag == atom.Script || tag == atom.Style) && kind == html.StartTagToken:
			skip++
		case (tag == atom.Nav || tag == atom.Script || tag == atom.Style) && kind == html.EndTagToken:
			skip--
		case !inline[tag]:
			text.WriteByte(' ')
		}
	}
}

// inline are elements whose tags separate no words.
var inline = map[atom.Atom]bool{
	atom.A: true, atom.Abbr: true, atom.B: true, atom.Bdi: true, atom.Code: true, atom.Em: true, atom.I: true, atom.Mark: true,
	atom.S: true, atom.Small: true, atom.Span: true, atom.Strong: true, atom.Sub: true, atom.Sup: true, atom.Time: true, atom.U: true,
}

func attribute(t html.Token, key string) string {
	for _, a := range t.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}
