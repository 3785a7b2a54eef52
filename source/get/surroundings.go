package get

import (
	"fmt"
	"regexp"
)

// pageTag is a tag that begins pages of HTML, and not the notices of programs.
var pageTag = regexp.MustCompile(`(?i)<(!doctype|html|head|body|title)\b`)

// refuseText returns the error of an answer that holds no expected value.
func (g *Getter) refuseText(path string, r response) error {
	head := r.body[:min(len(r.body), maxErrorBody)]
	begins := head[0]
	isPage := begins != '[' && begins != '{' && pageTag.Match(head)
	err := errPage
	if !isPage {
		err = fmt.Errorf("%w: it is cut off or damaged", ErrNotJSON)
	}
	e := g.refuse(path, r, err)
	if e.WebPage = isPage; !isPage && begins == '<' { // the notice of a program
		e.Message = g.guard.Printable(withoutTags(string(head)))
	}
	return e
}

// quoted is the number of characters of other words that are kept.
const quoted = 80

// noteSurroundings keeps what stood around a value, before it or else after it.
func (g *Getter) noteSurroundings(before, after []byte) {
	for _, text := range [][]byte{before, after} {
		words := []rune(g.guard.Printable(string(text[:min(len(text), maxErrorBody)])))
		if len(words) > 0 {
			words = words[:min(len(words), quoted)]
			g.surroundings.CompareAndSwap(nil, &words)
			return
		}
	}
}

// Warning returns the sentence that quotes what stood around the first value of JSON that had
// other words around it, "" if none had.
func (g *Getter) Warning() string {
	words := g.surroundings.Load()
	if words == nil {
		return ""
	}
	return fmt.Sprintf("this site writes other words around its JSON, which are left out: %q", string(*words))
}
