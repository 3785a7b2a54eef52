package page

import (
	"context"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"ayna/generator/site"
)

// face is how pages show a writer.
type face struct {
	Portrait *picture // nil if there is none
	Initials string   // where there is no portrait; "" for a name without letters
}

// portraits is how many of their pictures are kept at hand.
const portraits = 512

// face reads a writer's picture.
func (r *Renderer) face(ctx context.Context, f *frame, w *site.Writer) (face, error) {
	stored, known := r.portraits.Get(w)
	var err error
	if !known {
		if stored, err = r.reader.Portrait(ctx, w); err == nil {
			r.portraits.Put(w, stored)
		}
	}
	if stored == nil || err != nil {
		return face{Initials: initials(w.Title, r.site.Language)}, err
	}
	p := f.picture(*stored)
	p.Alt, p.Sizes = w.Title, portraitSizes
	return face{Portrait: &p}, nil
}

// initials returns the first letters of a writer's first and last name, as the
// language writes capitals.
func initials(name, language string) string {
	var letters []rune
	for _, word := range strings.Fields(norm.NFC.String(name)) {
		if i := strings.IndexFunc(word, unicode.IsLetter); i >= 0 {
			letters = append(letters, []rune(word[i:])[0])
		}
	}
	if len(letters) > 2 {
		letters = []rune{letters[0], letters[len(letters)-1]}
	}
	if language == "tr" {
		return strings.ToUpperSpecial(unicode.TurkishCase, string(letters))
	}
	return strings.ToUpper(string(letters))
}
