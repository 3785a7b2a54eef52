package page

import (
	"regexp"
	"slices"
	"strings"
)

// The files of the typeface without their ends: roman and italic. They have Latin letters and
// signs, which pages in every language show.
const (
	romanFace  = "serif"
	italicFace = "serif-italic"
)

// scriptFaces are the files with letters of other scripts, by what their names have more.
var scriptFaces = map[string]string{"Cyrl": "-cyrillic", "Grek": "-greek"}

// typefaces returns links to the files of a typeface that a text in the site's language needs,
// that of most letters first.
func (r *Renderer) typefaces(face string, href func(string) string) []string {
	script, _ := r.language.Script()
	var files []string
	for _, name := range slices.Compact([]string{face + scriptFaces[script.String()], face}) {
		if file := r.asset(name+".woff2", href); file != "" {
			files = append(files, file)
		}
	}
	return files
}

// faceRule is a rule of a style sheet that takes a typeface from a file.
var faceRule = regexp.MustCompile(`@font-face *\{[^}]*url\(([^)]*)\)[^}]*\}\n?`)

// withoutFaces returns a style sheet without the rules for typefaces of this program whose files a
// theme has taken away: a browser would request these.
func withoutFaces(sheet string, assets []Asset) string {
	return faceRule.ReplaceAllStringFunc(sheet, func(rule string) string {
		if name := faceRule.FindStringSubmatch(rule)[1]; strings.HasPrefix(name, "serif") && AddressOf(assets, name) == "" {
			return ""
		}
		return rule
	})
}
