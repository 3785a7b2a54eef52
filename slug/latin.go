package slug

import (
	"strings"
	"unicode"
)

// latinLetters writes a text for a slug in a language with Latin letters, as far as the
// language has a way to do so: Cyrillic and Greek as it does, letters of other scripts not
// at all. It returns "" for a text that is mostly in such a script: a Chinese reading of
// Japanese is worse than the id alone.
func latinLetters(text, base string) string {
	letters, dropped := 0, 0
	text = strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) {
			if r == '&' && !namesAmpersand[base] {
				return ' '
			}
			return r
		}
		if letters++; unicode.In(r, unicode.Latin, unicode.Cyrillic, unicode.Greek) {
			return r
		}
		dropped++
		return ' '
	}, text)
	if dropped*2 > letters {
		return ""
	}
	switch base {
	case "el":
		text = greekPairs.Replace(strings.ToLower(text))
	case "bg", "kk": // the module knows their letters
	default:
		text = fromCyrillic(text, base == "uk")
	}
	return text
}

// namesAmpersand are the languages whose word for "&" the module slug has.
var namesAmpersand = map[string]bool{"cs": true, "de": true, "es": true, "fi": true, "fr": true, "el": true, "id": true, "it": true, "kk": true, "nb": true, "nl": true, "nn": true, "pl": true, "pt": true, "ro": true, "sl": true, "sv": true}

// greekPairs are the pairs of letters that ELOT 743 writes as one sound.
var greekPairs = strings.NewReplacer(
	"ου", "ou", "ού", "ou", "γγ", "ng", "γξ", "nx", "γχ", "nch", " μπ", " b",
	"αυθ", "afth", "αυκ", "afk", "αυξ", "afx", "αυπ", "afp", "αυσ", "afs", "αυτ", "aft", "αυφ", "aff", "αυχ", "afch", "αυ", "av",
	"αύθ", "afth", "αύκ", "afk", "αύξ", "afx", "αύπ", "afp", "αύσ", "afs", "αύτ", "aft", "αύφ", "aff", "αύχ", "afch", "αύ", "av",
	"ευθ", "efth", "ευκ", "efk", "ευξ", "efx", "ευπ", "efp", "ευσ", "efs", "ευτ", "eft", "ευφ", "eff", "ευχ", "efch", "ευ", "ev",
	"εύθ", "efth", "εύκ", "efk", "εύξ", "efx", "εύπ", "efp", "εύσ", "efs", "εύτ", "eft", "εύφ", "eff", "εύχ", "efch", "εύ", "ev",
)

// cyrillic is how Russian passports and papers write what the module slug writes otherwise.
var cyrillic = map[rune]string{
	'ё': "yo", 'ж': "zh", 'й': "y", 'х': "kh", 'ц': "ts", 'ч': "ch", 'ш': "sh", 'щ': "shch", 'ъ': "", 'ы': "y", 'ь': "", 'э': "e", 'ю': "yu", 'я': "ya",
	'є': "ye", 'ї': "yi",
}

// ukrainian is the official table (KMU 2010); at the beginning of a word cyrillic goes before.
var ukrainian = map[rune]string{
	'г': "h", 'ґ': "g", 'и': "y", 'є': "ie", 'ї': "i", 'й': "i", 'ю': "iu", 'я': "ia",
}

func fromCyrillic(text string, isUkrainian bool) string {
	if !strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Cyrillic, r) }) {
		return text
	}
	if text = strings.ToLower(text); isUkrainian {
		text = strings.ReplaceAll(text, "зг", "zgh")
	}
	var b strings.Builder
	inside := false
	for _, r := range text {
		latin, known := cyrillic[r]
		if other, ok := ukrainian[r]; ok && isUkrainian && (inside || !known) {
			latin, known = other, true
		}
		if known {
			b.WriteString(latin)
		} else {
			b.WriteRune(r)
		}
		inside = unicode.IsLetter(r) || inside && (r == '\'' || r == '’')
	}
	return b.String()
}
