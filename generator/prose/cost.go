package prose

import (
	"strconv"
	"strings"

	xhtml "golang.org/x/net/html"
)

// maxCost is what the Markdown of a text may cost.
const maxCost = 16 << 20

// cost estimates, without converting, the steps that the converter of
// [Body.Markdown] takes for HTML beyond reading it, and bounds with them what it
// writes. It stops above maxCost. Three things cost more than they are long:
// the end of each "[" is looked for up to the end of the line, each list and
// quote copies its lines once more, and tables are filled up.
func cost(markup string) int {
	sum, depth, brackets := 0, 0, 0
	var t tableCost
	z := xhtml.NewTokenizer(strings.NewReader(markup))
	for kind := z.Next(); kind != xhtml.ErrorToken && sum <= maxCost; kind = z.Next() {
		if kind == xhtml.TextToken {
			for _, c := range z.Raw() {
				sum += depth + brackets
				switch c {
				case '[':
					brackets++
				case ']':
					brackets = 0
				case '\n':
					sum += depth * depth
					brackets = 0
				}
			}
			continue
		}
		token := z.Token()
		begins := kind == xhtml.StartTagToken
		switch token.Data {
		case "li", "blockquote":
			if begins {
				depth++
			} else {
				depth--
			}
		case "table":
			if !begins {
				sum += t.cost()
			}
			t = tableCost{}
		case "tr":
			t.row(begins)
		case "td", "th":
			if begins {
				t.cell(token.Attr)
			}
			continue // a row is one line
		}
		if isBlock(token.Data) {
			sum += depth * depth
			brackets = 0
		}
	}
	return sum
}

// tableCost measures a table. All its rows get the columns of the longest, and
// a cell that spans others is put into the rows below in front of theirs.
type tableCost struct {
	rows, columns, widest, tallest, spanned int
}

func (t *tableCost) row(begins bool) {
	if begins {
		t.rows++
	}
	t.columns = 0
}

func (t *tableCost) cell(attr []xhtml.Attribute) {
	wide, tall := span(attr, "colspan"), span(attr, "rowspan")
	t.columns += wide
	t.widest, t.tallest = max(t.widest, t.columns), max(t.tallest, tall)
	if wide*tall > 1 {
		t.spanned += wide * tall
	}
}

func (t *tableCost) cost() int {
	const perCell = 16 // it is allocated, measured and written
	most := t.widest * t.tallest
	return (t.rows+t.tallest)*most*perCell + t.spanned*most
}

func span(attr []xhtml.Attribute, name string) int {
	n, err := strconv.Atoi(attribute(attr, name))
	if err != nil {
		return 1
	}
	return n
}
