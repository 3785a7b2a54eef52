package archive

import (
	"math"
	"strings"
	"time"
	"unicode/utf8"
)

// Term is a value that a condition computes from a record: a text or a number. A
// [Property] is one, too; a date counts as its milliseconds since 1970.
type Term interface {
	value(*properties) any // a string, a float64, or nil
	uses(func(Property))   // calls it for every property that the term reads
}

type (
	// Text is a term that is the same for all records.
	Text string
	// Number is one, too.
	Number float64
	// Null is a number or a date that is missing.
	Null struct{}
	// Call is a function of terms.
	Call struct {
		Function Function
		Of       []Term
	}
)

// Function makes a term of others.
type Function int

// Functions of texts that are texts.
const (
	Lower     Function = iota // A to Z and the letters of Turkish; I and İ become i
	Upper                     // i and ı become I
	Trim                      // without white space at both ends
	Concat                    // two texts
	Substring                 // of a text, from a character counted from 0, so many characters; -1 is all
	Suffix                    // of a text, as many last characters as another text has
)

// Functions that are numbers.
const (
	Length  Function = iota + 100 // of a text, in characters
	IndexOf                       // of the second text in the first one, in characters from 0; -1 if it is not there
	Year                          // of a date, in UTC, like those that follow
	Month
	Day
	Hour
	Minute
	Second
	Midnight // the date at which the day of a date begins
)

func (x Property) value(p *properties) any {
	if date, known := p.columns[x].(int64); known {
		return float64(date)
	}
	return p.columns[x]
}

func (t Text) value(p *properties) any { return p.stored(string(t)) }
func (n Number) value(*properties) any { return float64(n) }
func (Null) value(*properties) any     { return nil }

func (f Call) value(p *properties) any {
	of := make([]any, len(f.Of))
	for i, term := range f.Of {
		of[i] = term.value(p)
	}
	switch first := of[0].(type) {
	case string:
		return f.Function.ofText(first, of[1:])
	case float64:
		return f.Function.ofDate(first)
	}
	return nil
}

func (x Property) uses(visit func(Property)) { visit(x) }
func (Text) uses(func(Property))             {}
func (Number) uses(func(Property))           {}
func (Null) uses(func(Property))             {}

func (f Call) uses(visit func(Property)) {
	for _, term := range f.Of {
		term.uses(visit)
	}
}

// ofText is a function of a text and of other terms.
func (f Function) ofText(text string, more []any) any {
	switch f {
	case Lower:
		return lower.Replace(text)
	case Upper:
		return upper.Replace(text)
	case Trim:
		return strings.TrimSpace(text)
	case Concat:
		return text + more[0].(string)
	case Substring:
		return substring([]rune(text), more[0].(float64), more[1].(float64))
	case Suffix:
		letters := []rune(text)
		return string(letters[max(0, len(letters)-utf8.RuneCountInString(more[0].(string))):])
	case Length:
		return float64(utf8.RuneCountInString(text))
	}
	i := strings.Index(text, more[0].(string)) // IndexOf
	if i < 0 {
		return -1.
	}
	return float64(utf8.RuneCountInString(text[:i]))
}

func substring(text []rune, from, most float64) string {
	text = text[min(int(from), len(text)):]
	if most >= 0 {
		text = text[:min(int(most), len(text))]
	}
	return string(text)
}

// ofDate is a function of a date in milliseconds.
func (f Function) ofDate(date float64) any {
	t := time.UnixMilli(int64(date)).UTC()
	switch f {
	case Year:
		return float64(t.Year())
	case Month:
		return float64(t.Month())
	case Day:
		return float64(t.Day())
	case Hour:
		return float64(t.Hour())
	case Minute:
		return float64(t.Minute())
	case Second:
		return float64(t.Second())
	}
	const day = 24 * 60 * 60 * 1000
	return math.Floor(date/day) * day
}

// The letters that Lower and Upper change.
var (
	lower = replacer("ABCDEFGHIJKLMNOPQRSTUVWXYZÇĞİÖŞÜÂÎÛ", "abcdefghijklmnopqrstuvwxyzçğiöşüâîû")
	upper = replacer("abcdefghijklmnopqrstuvwxyzçğıöşüâîû", "ABCDEFGHIJKLMNOPQRSTUVWXYZÇĞIÖŞÜÂÎÛ")
)

// replacer replaces each letter of from by the one of to at the same place.
func replacer(from, to string) *strings.Replacer {
	letters := []rune(to)
	var pairs []string
	for i, letter := range []rune(from) {
		pairs = append(pairs, string(letter), string(letters[i]))
	}
	return strings.NewReplacer(pairs...)
}
