package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/language"

	"ayna/generator/site"
)

// usualTag returns a language tag without the script and region that the language implies:
// "de" for "de-DE", but "de-AT". American English keeps its region, which has its own dates.
// It returns "" if the text is not a language tag.
func usualTag(text string) string {
	tag, err := site.ParseLanguage(text)
	if err != nil {
		return ""
	}
	base, script, region := tag.Raw()
	if short := language.Make(base.String()); tag != language.AmericanEnglish {
		usualScript, _ := short.Script()
		usualRegion, _ := short.Region()
		if (script == usualScript || script.String() == "Zzzz") && region == usualRegion {
			return base.String()
		}
	}
	tag, _ = language.Compose(base, script, region)
	return tag.String()
}

// scriptLanguages has the likeliest language of each script, the more certain ones first.
var scriptLanguages = []struct {
	script *unicode.RangeTable
	tag    string
}{
	{unicode.Hiragana, "ja"}, {unicode.Katakana, "ja"}, {unicode.Hangul, "ko"}, {unicode.Han, "zh"}, {unicode.Hebrew, "he"},
	{unicode.Greek, "el"}, {unicode.Arabic, "ar"}, {unicode.Cyrillic, "ru"},
}

// signs are letters and words that are frequent in one language, and rare in the others of
// its script.
var signs = map[string][]string{
	"fa": {"پ", "چ", "ژ", "گ", " را ", " که ", " از "}, "ar": {"ة", "ى", " في ", " من ", " على "},
	"uk": {"і", "ї", "є", "ґ"}, "ru": {"ы", "э", "ъ", "ё", " что ", " для "},
	"tr": {" ve ", " bir ", " için ", " ile ", "ğ", "ş", "ı"}, "de": {" und ", " der ", " die ", " das ", " nicht ", " für ", "ß"},
	"en": {" the ", " and ", " of ", " to ", " for ", " with "}, "es": {" el ", " los ", " y ", " las ", " del ", "ñ", "¿"},
	"fr": {" les ", " des ", " et ", " une ", " pour ", " est ", " du "}, "it": {" il ", " di ", " che ", " per ", " della ", " gli "},
	"nl": {" het ", " een ", " van ", " voor ", " niet ", " zijn ", " wordt ", " bij "}, "pl": {" się ", " w ", " nie ", " na ", "ł", "ż", "ś"},
	"zh": {"这", "国", "们", "会", "来", "时", "说", "为"}, "zh-Hant": {"這", "國", "們", "會", "來", "時", "說", "為"},
	"pt": {" não ", " uma ", " do ", " dos ", " em ", "ção", "ã"},
}

// knownNames has the English names of the languages that are told apart.
var knownNames = map[string]string{
	"ar": "Arabic", "de": "German", "el": "Greek", "en": "English", "es": "Spanish", "fa": "Persian", "fr": "French", "he": "Hebrew", "it": "Italian",
	"ja": "Japanese", "ko": "Korean", "nl": "Dutch", "pl": "Polish", "pt": "Portuguese", "ru": "Russian", "tr": "Turkish", "uk": "Ukrainian",
	"zh": "Chinese", "zh-Hant": "traditional Chinese",
}

// chooseLanguage sets the language to the one that the site names, unless a flag gives it or
// the titles are certainly in another one. Where that is not known, it asks.
func (s *setup) chooseLanguage(titles []string) error {
	if s.language != "" {
		return nil
	}
	named, guessed, other := s.named, guessLanguage(titles), contradiction(titles, s.named)
	question, why := "Language of the pages, as tr, de or pt-BR", ", by the titles of the newest articles"
	switch {
	case other != "":
		why += "; the site says " + named
		question = fmt.Sprintf("The site says %s, its titles look %s. Language", named, knownNames[other])
	case named != "":
		why = ", as the site names it"
	}
	s.outline.Language = cmp.Or(other, named, guessed)
	if s.outline.Language != "" && (other == "" || s.answers == nil) {
		fmt.Fprintf(s.stdout, "language: %s%s\n", s.outline.Language, why)
	}
	if named != "" && other == "" {
		return nil
	}
	return s.ask(question, s.complete().Language, s.into(&s.outline.Language))
}

// leastSigns is how many signs a language needs to be believed.
const leastSigns = 5

// guessLanguage returns the language of titles, "" if they leave a doubt. It knows the
// languages that have a file of words in generator/site/words.
func guessLanguage(titles []string) string {
	text := joined(titles)
	letters, total := countLetters(text)
	for _, s := range scriptLanguages {
		switch few := letters[s.tag] == 0 || letters[s.tag]*4 < total; {
		case s.tag == "ja" && letters["ja"]*10 > total: // kana among Han
			return "ja"
		case few:
		case s.tag == "ar":
			return mostSigns(text, "ar", "fa")
		case s.tag == "ru":
			return mostSigns(text, "ru", "uk")
		case s.tag == "zh": // short titles may have none of the signs
			return cmp.Or(mostSigns(text, "zh", "zh-Hant"), "zh")
		default:
			return s.tag
		}
	}
	return mostSigns(text, "tr", "de", "en", "es", "fr", "it", "nl", "pl", "pt")
}

// contradiction returns the language of titles that are certainly not in the one that a site
// names, else "". Titles of a language with signs have many of them, two thirds of their sorts,
// and four times those of the language that is named, which must be a known one: a related
// language, as Danish or Azerbaijani, has only some of the sorts.
func contradiction(titles []string, named string) string {
	const many, manyLetters = 4 * leastSigns, 100
	tag := guessLanguage(titles)
	base, _, _ := strings.Cut(named, "-")
	if other, _, _ := strings.Cut(tag, "-"); tag == "" || knownNames[base] == "" || other == base {
		return ""
	}
	text := joined(titles)
	if slices.Contains([]string{"ja", "ko", "he", "el", "zh", "zh-Hant"}, tag) { // which own their script
		letters, total := countLetters(text)
		if own := letters["ja"] + letters["ko"] + letters["zh"] + letters["he"] + letters["el"]; total < manyLetters || own*2 < total || tag == "zh" && base == "ja" {
			return ""
		}
		return tag
	}
	most, sorts := countSigns(text, tag)
	if rival, _ := countSigns(text, base); most < many || sorts*3 < len(signs[tag])*2 || rival*4 > most {
		return ""
	}
	return tag
}

func joined(titles []string) string { return " " + strings.ToLower(strings.Join(titles, " ")) + " " }

// countLetters counts the letters of a text by the likeliest language of their script, and all.
func countLetters(text string) (letters map[string]int, total int) {
	letters = make(map[string]int)
	for _, r := range text {
		if !unicode.IsLetter(r) {
			continue
		}
		total++
		for _, s := range scriptLanguages {
			if unicode.Is(s.script, r) {
				letters[s.tag]++
				break
			}
		}
	}
	return letters, total
}

// countSigns counts the signs of a language in a text, and the sorts of them that it has.
func countSigns(text, tag string) (n, sorts int) {
	for _, sign := range signs[tag] {
		if of := strings.Count(text, sign); of > 0 {
			n, sorts = n+of, sorts+1
		}
	}
	return n, sorts
}

// mostSigns returns the language whose signs a text has most often. It returns "" if there
// are fewer than leastSigns, or fewer than one and a half times those of the second language.
func mostSigns(text string, tags ...string) string {
	best, most, second := "", 0, 0
	for _, tag := range tags {
		n, _ := countSigns(text, tag)
		if n > most {
			best, most, second = tag, n, most
		} else {
			second = max(second, n)
		}
	}
	if most < leastSigns || most*2 < second*3 {
		return ""
	}
	return best
}
