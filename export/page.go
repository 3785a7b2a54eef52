package export

import (
	"bytes"
	"slices"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// isItem reports whether a page is that of an item: a tag in its head names the record.
func isItem(content []byte) bool {
	z := html.NewTokenizer(bytes.NewReader(content))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return false
		case html.StartTagToken, html.SelfClosingTagToken:
			t := z.Token()
			if t.DataAtom == atom.Meta && slices.Contains(t.Attr, html.Attribute{Key: "name", Val: "ayna-record"}) {
				return true
			}
		}
	}
}
