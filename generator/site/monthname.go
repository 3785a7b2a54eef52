package site

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// MonthNamed returns the Gregorian month of a name in one of the languages that have a file of
// words, in any case and with or without marks, else 0. Of a name its beginning suffices, three
// letters at least, or its consonants, as in mrt for maart, if no other month has them.
func MonthNamed(name string) time.Month { return monthNames()[foldName(name)] }

// monthNames has the months by their folded names. An ambiguous abbreviation has 0.
var monthNames = sync.OnceValue(func() map[string]time.Month {
	names := make(map[string]time.Month)
	short := make(map[string]time.Month)
	abbreviate := func(text string, month time.Month) {
		if known, ok := short[text]; ok && known != month {
			month = 0
		}
		short[text] = month
	}
	builtIn := slices.Collect(maps.Values(englishNames))
	for row := range strings.Lines(locales) {
		tag, _, _ := strings.Cut(row, "\t")
		base, _, _ := strings.Cut(tag, "-")
		if !slices.Contains(builtIn, base) {
			continue
		}
		l := findLocale(tag)
		prefix := l.beforeMonth()
		for i := range l.months {
			month := time.Month(i + 1)
			for _, name := range []string{l.months[i], l.alone[i], prefix + l.months[i]} {
				name = foldName(name)
				names[name] = month
				letters := []rune(name)
				for n := 3; n < len(letters); n++ {
					abbreviate(string(letters[:n]), month)
				}
				if consonants := withoutVowels(name); len(consonants) >= 3 {
					abbreviate(consonants, month)
				}
			}
		}
	}
	for text, month := range short {
		if _, whole := names[text]; !whole {
			names[text] = month
		}
	}
	return names
})

// beforeMonth returns the letters that dates set directly before the name of a month, as Hebrew
// does.
func (l *locale) beforeMonth() string {
	i := slices.IndexFunc(l.date, func(p part) bool { return p.field == 'M' })
	if i < 1 || l.date[i-1].field != 0 {
		return ""
	}
	text := l.date[i-1].text
	return text[strings.LastIndexFunc(text, func(r rune) bool { return !unicode.IsLetter(r) })+1:]
}

func withoutVowels(name string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("aeiou", r) {
			return -1
		}
		return r
	}, name)
}

// foldName returns a name in lower case, without marks and points.
func foldName(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Mn, r) || strings.ContainsRune(".'’׳ʼ", r):
			return -1
		case r == 'ı':
			return 'i'
		case r == 'ς':
			return 'σ'
		}
		return r
	}, norm.NFD.String(strings.ToLower(name)))
}
