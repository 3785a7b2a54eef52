package prose

import (
	"net/url"
	"strconv"
	"strings"

	xhtml "golang.org/x/net/html"
)

// rewrite writes the source again with elements of the allow-list alone: addresses
// are absolute and safe, pictures that load late have their real address, players
// are cards, layout elements are renamed, and all else is reduced to its words. It
// returns false if the parsed tree would have more than maxNodes nodes.
func rewrite(text string, base *url.URL) (string, bool) {
	tokens, ok := tokenize(text)
	if !ok {
		return "", false
	}
	w := rewriter{base: base, targets: targets(tokens, base), open: map[string]int{}, opened: map[string]int{}}
	w.out.Grow(len(text) + len(text)/8)
	for i := 0; i < len(tokens) && w.nodes <= maxNodes; i++ {
		t := &tokens[i]
		switch {
		case t.kind == xhtml.TextToken:
			w.text(t.text)
		case t.kind == xhtml.EndTagToken:
			w.end(t.tag)
		case t.end == 0 && (t.tag == "script" || t.tag == "style"):
			i = len(tokens) // the rest of the text is its content
		case dropped[t.tag]:
			i = max(i, t.end)
		case players[t.tag]:
			if w.player(tokens, i) {
				i = max(i, t.end)
			}
		case t.tag == "td" || t.tag == "th": // the parser would move an anchor before one out of the table
			w.start(t)
			w.anchor(t)
		default:
			w.anchor(t)
			w.start(t)
		}
	}
	return w.out.String(), w.nodes <= maxNodes
}

// tokenize returns the tokens of the source, false if there are more than maxNodes.
// Tokens of elements that may be left out as a whole know where their element ends.
func tokenize(text string) ([]token, bool) {
	list := make([]token, 0, min(2*strings.Count(text, "<")+1, maxNodes)) // a tag, and a text after it
	open := map[string][]int{}
	l := newLexer(text)
	for t, ok := l.next(); ok; t, ok = l.next() {
		if dropped[t.tag] || players[t.tag] {
			starts := open[t.tag]
			switch {
			case t.kind == xhtml.StartTagToken:
				open[t.tag] = append(starts, len(list))
			case t.kind == xhtml.EndTagToken && len(starts) > 0:
				list[starts[len(starts)-1]].end = len(list)
				open[t.tag] = starts[:len(starts)-1]
			}
		}
		if list = append(list, t); len(list) > maxNodes {
			return nil, false
		}
	}
	return list, true
}

type rewriter struct {
	out     strings.Builder
	base    *url.URL
	targets map[string]int // numbers of the places to which links of the text lead
	open    map[string]int // elements open now, by name
	opened  map[string]int // formatting elements ever opened, by name, 3 at most
	reopens int            // their sum
	nodes   int            // an upper bound of the nodes in the parsed tree
	spare   string         // the address in the last <source>, for the <img> after it
}

// count adds the nodes of one more token: its own, and one for every formatting
// element that the parser may open again before it.
func (w *rewriter) count() { w.nodes += 1 + w.reopens }

func (w *rewriter) text(words string) {
	w.count()
	escaper.WriteString(&w.out, words)
}

func (w *rewriter) start(t *token) {
	tag := rename(t.tag)
	e, known := elements[tag]
	switch {
	case t.tag == "source":
		w.spare = largestCandidate(attribute(t.attr, "srcset"))
	case tag == "img":
		w.image(t)
	case !known:
	case needsTable[tag] && w.open["table"] == 0:
		w.tag("div")
		w.end("div")
	case tag == "a":
		href := attribute(t.attr, "href")
		if fragment, ok := fragmentOf(w.base, href); ok {
			w.tag(tag, "href", "#"+strconv.Itoa(w.targets[fragment]))
		} else if href, ok := resolve(w.base, href); ok {
			w.tag(tag, "href", href)
		}
	default:
		var attributes []string
		for _, a := range t.attr {
			if allowed := e.attributes[a.Key]; allowed != nil {
				attributes = append(attributes, a.Key, a.Val)
			}
		}
		w.tag(tag, attributes...)
	}
}

// needsTable are the tags that the parser ignores outside of a table, so that the
// words around them would be joined.
var needsTable = map[string]bool{
	"caption": true, "thead": true, "tbody": true, "tfoot": true, "tr": true, "td": true, "th": true,
}

// tag writes a start tag with pairs of attribute names and values.
func (w *rewriter) tag(tag string, attributes ...string) {
	w.count()
	w.out.WriteString("<" + tag)
	for i := 0; i+1 < len(attributes); i += 2 {
		w.out.WriteString(" " + attributes[i] + `="`)
		escaper.WriteString(&w.out, attributes[i+1])
		w.out.WriteByte('"')
	}
	w.out.WriteByte('>')
	if elements[tag].kind == void {
		return
	}
	w.open[tag]++
	if formatting[tag] && w.opened[tag] < 3 {
		w.opened[tag]++
		w.reopens++
	}
}

// end writes an end tag, if its element can be open.
func (w *rewriter) end(tag string) {
	tag = rename(tag)
	if w.open[tag] == 0 {
		return
	}
	w.count()
	w.open[tag]--
	w.out.WriteString("</" + tag + ">")
}

// image writes a picture, or its words if it has no address.
func (w *rewriter) image(t *token) {
	if isTiny(t.attr) {
		return
	}
	alt := collapse(attribute(t.attr, "alt"))
	// The best address first: a picture that is loaded late has a placeholder
	// as its src.
	addresses := []string{
		attribute(t.attr, "data-src"), attribute(t.attr, "data-original"), attribute(t.attr, "data-lazy-src"),
		largestCandidate(attribute(t.attr, "data-srcset")), attribute(t.attr, "src"), largestCandidate(attribute(t.attr, "srcset")), w.spare,
	}
	w.spare = ""
	for _, address := range addresses {
		if src, ok := resolve(w.base, address); ok {
			attributes := []string{"src", src, "alt", alt}
			if isSmall(t.attr) {
				attributes = append(attributes, "class", small)
			}
			w.tag("img", attributes...)
			return
		}
	}
	w.text(alt)
}

// largestCandidate returns the address of the largest picture of a srcset. As in HTML, an
// address ends at white space and may contain commas, but none at its end; its
// descriptors end at a comma.
func largestCandidate(srcset string) string {
	best, most := "", -1.0
	for {
		srcset = strings.TrimLeft(srcset, blanks+",")
		if srcset == "" {
			return best
		}
		end := strings.IndexAny(srcset, blanks)
		if end < 0 {
			end = len(srcset)
		}
		address, size := strings.TrimRight(srcset[:end], ","), 1.0
		if srcset = srcset[end:]; len(address) == end {
			var descriptors string
			descriptors, srcset, _ = strings.Cut(srcset, ",")
			if fields := strings.Fields(descriptors); len(fields) > 0 {
				size, _ = strconv.ParseFloat(strings.TrimRight(fields[0], "wxh"), 64)
			}
		}
		if size > most {
			best, most = address, size
		}
	}
}

// isTiny reports whether an element is one pixel wide or high, as those that count
// visitors are.
func isTiny(attr []xhtml.Attribute) bool {
	width, height := pixels(attr, "width"), pixels(attr, "height")
	return 0 <= width && width <= 1 || 0 <= height && height <= 1
}

// small is the class of pictures that stand in a line of words, as a smiley does.
const small = "small"

// maxSmall is the width and height in pixels up to which a picture is small.
const maxSmall = 48

// isSmall reports whether a picture stands in a line of words.
func isSmall(attr []xhtml.Attribute) bool {
	for class := range strings.FieldsSeq(attribute(attr, "class")) {
		if class == small || class == "emoji" || class == "wp-smiley" {
			return true
		}
	}
	width, height := pixels(attr, "width"), pixels(attr, "height")
	return max(width, height) > 0 && width <= maxSmall && height <= maxSmall
}

// pixels returns a length that an attribute has in pixels, -1 if it has none.
func pixels(attr []xhtml.Attribute, key string) int {
	n, err := strconv.Atoi(strings.TrimSuffix(attribute(attr, key), "px"))
	if err != nil {
		return -1
	}
	return n
}
