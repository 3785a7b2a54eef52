package site

import (
	"fmt"
	"strings"

	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"
)

// Words holds the texts of the interface in one language, and the fixed parts of
// addresses. What is embedded is in the language's file in words/; the other fields come
// with the language.
type Words struct {
	addressWords
	kindWords
	layoutWords
	itemWords
	galleryWords
	listWords
	indexWords
	archiveWords
	correctionWords
	feedWords
	searchWords
	fixedPageWords
	bookWords

	Months     [12]string      // by themselves
	DateMonths [12]string      // inside of a date
	DateOrder  string          // a date as the CLDR writes its pattern, for the search page
	Calendar   string          // of dates, as Unicode names it, "" for the Gregorian one
	Onward     string          // an arrow in the direction of reading
	Back       string          // and one against it
	Locale     string          // as Open Graph names it
	KindDirs   map[Kind]string // Kinds as addresses have them
	Mark       string          // the language of the words where it is not the site's, else ""

	tag    language.Tag
	locale *locale
}

// Plural is how a number of things is written, by the CLDR's category of the number. "%s"
// stands for the number.
type Plural [plural.Many + 1]string

// Number returns the text for n things.
func (w *Words) Number(p Plural, n int) string {
	form := plural.Cardinal.MatchPlural(w.ofWords(), n%pluralPeriod, 0, 0, 0, 0)
	text := p[form]
	if text == "" { // the file of the words has fewer forms
		text = p[plural.Other]
	}
	return strings.Replace(text, "%s", w.Digits(n), 1)
}

// ofWords returns the language that the words are in.
func (w *Words) ofWords() language.Tag {
	if w.Mark != "" {
		return language.English
	}
	return w.tag
}

// pluralPeriod keeps numbers small without changing their category.
const pluralPeriod = 10_000_000

// Count returns the numbers of items of each kind: "27 articles, 1 gallery". It reads
// every item.
func (w *Words) Count(items Items) string {
	numbers := make([]int, len(Kinds))
	for item := range items.All() {
		numbers[item.record().kind]++
	}
	var parts []string
	for i, n := range numbers {
		if n > 0 {
			parts = append(parts, w.Number(w.Counts[Kinds[i]], n))
		}
	}
	return w.Join(parts)
}

// Join writes texts as a list in one line.
func (w *Words) Join(parts []string) string { return strings.Join(parts, w.Comma()) }

// Comma returns the comma of the script, with the space after it.
func (w *Words) Comma() string {
	switch script, _ := w.ofWords().Script(); script.String() {
	case "Arab":
		return "، "
	case "Jpan", "Hans", "Hant":
		return "、"
	}
	return ", "
}

// Period returns the title of a month or year of a list.
func (w *Words) Period(list string, v Period) string {
	span := w.Year(v.Year)
	if v.Month > 0 {
		span = w.monthYear(int(v.Month), v.Year)
	}
	title := fmt.Sprintf(w.MonthTitle, list, span)
	if v.Part > 0 {
		title = fmt.Sprintf(w.PartTitle, title, w.Ungrouped(v.Part))
	}
	return title
}
