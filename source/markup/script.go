package markup

import (
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"ayna/source/note"
)

// noteScripts notes whether a script of the text fills something that shows nothing else, and
// removes tables whose rows are such.
func (t *text) noteScripts() {
	named := make(map[string]bool) // words of the scripts
	t.each(t.body, func(n *html.Node) {
		if isCode(n) && n.FirstChild != nil {
			for _, word := range identifier.FindAllString(n.FirstChild.Data, -1) {
				named[word] = true
			}
		}
	})
	t.each(t.body, func(n *html.Node) {
		isRowless := n.DataAtom == atom.Table && lacksRows(n, named)
		if isRowless || waitsForScript(n, named) {
			t.notes[note.Scripts] = true
		}
		if isRowless {
			Remove(n)
		}
	})
}

var identifier = regexp.MustCompile(`[\pL_][\pL\pN_-]+`)

// isCode reports whether an element is a script that runs, if only after a reader's consent.
func isCode(n *html.Node) bool {
	kind := strings.ToLower(Attribute(n, "type"))
	return n.DataAtom == atom.Script && (kind == "" || kind == "module" || kind == "text/plain" || strings.Contains(kind, "script"))
}

// waitsForScript reports whether an element shows nothing until a script has filled it. named are
// the words of the scripts.
func waitsForScript(n *html.Node, named map[string]bool) bool {
	switch {
	case n.Namespace != "" || isHidden(n) && n.DataAtom != atom.Script || n.DataAtom == atom.A || isOrnament(n):
		return false
	case n.DataAtom == atom.Canvas:
		return true
	case n.DataAtom == atom.Script: // it shows something in its own place
		return isCode(n) && Attribute(n, "src") != "" && (HasSettings(n) || Attribute(n, "title") != "") && !HasContent(n.Parent)
	}
	id := Attribute(n, "id")
	isWaiting := strings.Contains(n.Data, "-") || named[id]
	if next := elementBeside(n, true); next != nil && isCode(next) {
		isWaiting = isWaiting || id != "" || HasSettings(n)
	}
	return isWaiting && !HasContent(n)
}

// HasSettings reports whether an element has values for a script of a plug-in. Those of caches
// and of WordPress itself are for each script.
func HasSettings(n *html.Node) bool {
	return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool {
		name, isData := strings.CutPrefix(a.Key, "data-")
		return isData && !slices.ContainsFunc([]string{"cf", "no-", "rocket", "wp-", "minify", "pagespeed", "litespeed", "type", "element", "id"}, func(p string) bool { return strings.HasPrefix(name, p) })
	})
}

// isOrnament reports whether an element is an advertisement, or a helper of scripts, by its names.
func isOrnament(n *html.Node) bool {
	names := strings.FieldsFunc(strings.ToLower(Attribute(n, "class")+" "+Attribute(n, "id")), func(r rune) bool { return strings.ContainsRune(" -_", r) })
	return slices.ContainsFunc(names, func(name string) bool {
		return slices.Contains([]string{"ad", "ads", "adsbygoogle", "advert", "advertisement", "banner", "gpt", "root", "reklam", "taboola", "outbrain", "spinner", "loader", "loading"}, name)
	})
}

// lacksRows reports whether a table has a head alone, for rows that a script brings.
func lacksRows(table *html.Node, named map[string]bool) bool {
	hasHead, hasBody := false, named[Attribute(table, "id")]
	for n := range table.Descendants() {
		switch n.DataAtom {
		case atom.Thead:
			hasHead = true
		case atom.Tbody:
			hasBody = true
		case atom.Td, atom.Th:
			if part := n.Parent.Parent; part != nil && part.DataAtom != atom.Thead && part.DataAtom != atom.Tfoot {
				return false
			}
		}
	}
	return hasHead && hasBody
}
