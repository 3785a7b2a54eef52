package cli

import (
	"cmp"
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
	"uk": {"і", "ї", "є", "ґ"}, "ru": {"ы", "э", "ъ", "ё"},
	"tr": {" ve ", " bir ", " için ", " ile ", "ğ", "ş", "ı"}, "de": {" und ", " der ", " die ", " das ", " nicht ", " für ", "ß"},
	"en": {" the ", " and ", " of ", " to ", " for ", " with "}, "es": {" el ", " los ", " y ", " las ", " del ", "ñ", "¿"},
	"fr": {" les ", " des ", " et ", " une ", " pour ", " est ", " du "}, "it": {" il ", " di ", " che ", " per ", " della ", " gli "},
	"nl": {" het ", " een ", " van ", " voor ", " niet ", " zijn "}, "pl": {" się ", " w ", " nie ", " na ", "ł", "ż", "ś"},
	"zh": {"这", "国", "们", "会", "来", "时", "说", "为"}, "zh-Hant": {"這", "國", "們", "會", "來", "時", "說", "為"},
	"pt": {" não ", " uma ", " do ", " dos ", " em ", "ção", "ã"},
}

// leastSigns is how many signs a language needs to be believed.
const leastSigns = 5

// guessLanguage returns the language of titles, "" if they leave a doubt. It knows the
// languages that have a file of words in generator/site/words.
func guessLanguage(titles []string) string {
	text := " " + strings.ToLower(strings.Join(titles, " ")) + " "
	letters := make(map[string]int)
	total := 0
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

// mostSigns returns the language whose signs a text has most often. It returns "" if there
// are fewer than leastSigns, or fewer than one and a half times those of the second language.
func mostSigns(text string, tags ...string) string {
	best, most, second := "", 0, 0
	for _, tag := range tags {
		n := 0
		for _, sign := range signs[tag] {
			n += strings.Count(text, sign)
		}
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
