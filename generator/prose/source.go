package prose

import (
	"html"
	"net/url"
	"strconv"
	"strings"

	xhtml "golang.org/x/net/html"
)

// A token is a tag or a text of the source.
type token struct {
	kind  xhtml.TokenType // TextToken, StartTagToken or EndTagToken
	tag   string
	attr  []xhtml.Attribute
	text  string
	match int // of a start tag: where its end tag stands; 0: nowhere
}

// tokenize reads the source's tags. Comments and doctypes are left out, what
// only looks like a tag is text. It stops, false, above maxNodes.
func tokenize(text string) ([]token, bool) {
	var list []token
	open := map[string][]int{}
	tags := tags{text: text}
	z := xhtml.NewTokenizer(strings.NewReader(text))
	for len(list) <= maxNodes {
		kind := z.Next()
		raw := string(z.Raw())
		if kind == xhtml.ErrorToken {
			if !tags.isTag(raw) && raw != "" {
				list = append(list, token{kind: xhtml.TextToken, text: html.UnescapeString(raw)})
			}
			return list, true
		}
		t := z.Token()
		if t.Data != "script" && t.Data != "style" {
			// An <iframe> without an end must not swallow the article.
			z.NextIsNotRawText()
		}
		switch kind {
		case xhtml.TextToken:
			list = append(list, token{kind: kind, text: t.Data})
		case xhtml.StartTagToken, xhtml.SelfClosingTagToken:
			if !tags.isTag(raw) {
				list = append(list, token{kind: xhtml.TextToken, text: html.UnescapeString(raw)})
				continue
			}
			if kind == xhtml.StartTagToken {
				open[t.Data] = append(open[t.Data], len(list))
			}
			list = append(list, token{kind: xhtml.StartTagToken, tag: t.Data, attr: t.Attr})
		case xhtml.EndTagToken:
			if starts := open[t.Data]; len(starts) > 0 {
				list[starts[len(starts)-1]].match = len(list)
				open[t.Data] = starts[:len(starts)-1]
			}
			list = append(list, token{kind: kind, tag: t.Data})
		}
	}
	return nil, false
}

// rewrite writes the source again with elements of the allow-list alone:
// addresses absolute and safe, lazy pictures plain, players as cards, layout
// elements renamed, all else reduced to its words. It reports false if the
// tree that a parser would make of it is too large.
func rewrite(text string, base *url.URL) (string, bool) {
	tokens, ok := tokenize(text)
	if !ok {
		return "", false
	}
	w := writer{base: base, open: map[string]int{}, opened: map[string]int{}}
	for i := 0; i < len(tokens) && w.nodes <= maxNodes; i++ {
		t := &tokens[i]
		switch {
		case t.kind == xhtml.TextToken:
			w.count()
			w.out.WriteString(html.EscapeString(t.text))
		case t.kind == xhtml.EndTagToken:
			w.end(t.tag)
		case t.match == 0 && (t.tag == "script" || t.tag == "style"):
			i = len(tokens) // all the rest is inside of it
		case dropped[t.tag]:
			i = max(i, t.match)
		case players[t.tag]:
			if w.player(tokens, i) {
				i = max(i, t.match)
			}
		default:
			w.start(t)
		}
	}
	return w.out.String(), w.nodes <= maxNodes
}

type writer struct {
	out     strings.Builder
	base    *url.URL
	open    map[string]int // elements open now, by name
	opened  map[string]int // formatting elements ever opened, by name, 3 at most
	reopens int            // their sum
	nodes   int            // the most nodes that a parser can make of out
	spare   string         // the address in the last <source>, for the <img> after it
}

// count adds what one more token can cost: itself, and every formatting
// element that a parser may open again before it.
func (w *writer) count() { w.nodes += 1 + w.reopens }

func (w *writer) start(t *token) {
	tag := name(t.tag)
	e, known := elements[tag]
	switch {
	case t.tag == "source":
		w.spare = widest(attribute(t.attr, "srcset"))
	case tag == "img":
		w.image(t)
	case !known:
	case needsTable[tag] && w.open["table"] == 0:
		w.tag("div")
		w.end("div")
	case tag == "a":
		if href, ok := resolve(w.base, attribute(t.attr, "href")); ok {
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

// needsTable are the tags that a parser ignores outside of a table, joining
// the words around them.
var needsTable = map[string]bool{
	"caption": true, "thead": true, "tbody": true, "tfoot": true, "tr": true, "td": true, "th": true,
}

func name(tag string) string {
	if to, ok := renamed[tag]; ok {
		return to
	}
	return tag
}

// tag writes a start tag with pairs of attribute names and values.
func (w *writer) tag(tag string, attributes ...string) {
	w.count()
	w.out.WriteString("<" + tag)
	for i := 0; i+1 < len(attributes); i += 2 {
		w.out.WriteString(" " + attributes[i] + `="` + html.EscapeString(attributes[i+1]) + `"`)
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
func (w *writer) end(tag string) {
	tag = name(tag)
	if w.open[tag] == 0 {
		return
	}
	w.count()
	w.open[tag]--
	w.out.WriteString("</" + tag + ">")
}

// image writes a picture, or its words if it has no address.
func (w *writer) image(t *token) {
	if isTiny(t.attr) {
		return
	}
	alt := collapse(attribute(t.attr, "alt"))
	addresses := pictureAddresses(t.attr, w.spare)
	w.spare = ""
	for _, address := range addresses {
		if src, ok := resolve(w.base, address); ok {
			w.tag("img", "src", src, "alt", alt)
			return
		}
	}
	w.count()
	w.out.WriteString(html.EscapeString(alt))
}

// pictureAddresses lists where a picture may be, the best first. A picture
// that is loaded late has a placeholder as its src.
func pictureAddresses(attr []xhtml.Attribute, spare string) []string {
	return []string{
		attribute(attr, "data-src"), attribute(attr, "data-original"), attribute(attr, "data-lazy-src"),
		widest(attribute(attr, "data-srcset")), attribute(attr, "src"), widest(attribute(attr, "srcset")), spare,
	}
}

// widest returns the address of the largest picture of a srcset, which is read
// as HTML says: an address ends at a blank, and may hold commas but none at its
// end; what describes it ends at a comma.
func widest(srcset string) string {
	best, most := "", -1.0
	for {
		srcset = strings.TrimLeftFunc(srcset, func(r rune) bool { return isBlank(r) || r == ',' })
		if srcset == "" {
			return best
		}
		end := strings.IndexFunc(srcset, isBlank)
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

// isTiny reports whether something is there to count visitors, not to be seen.
func isTiny(attr []xhtml.Attribute) bool {
	for _, key := range []string{"width", "height"} {
		n, err := strconv.Atoi(strings.TrimSuffix(attribute(attr, key), "px"))
		if err == nil && n <= 1 {
			return true
		}
	}
	return false
}
