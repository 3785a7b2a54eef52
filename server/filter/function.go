package filter

import (
	"strings"
	"time"
	"unicode/utf8"
)

// function is a function of terms.
type function struct {
	takes    []kind
	optional int                // arguments at the end that may be left out
	result   kind               // truthValue: it is a condition
	call     func(of []any) any // arguments are strings for texts, and float64 for numbers and dates
}

// functions are the functions of expressions by name. Characters are counted from
// 0, and dates are in UTC.
var functions = map[string]function{
	"startswith":  {takes: []kind{text, text}, result: truthValue, call: ofTexts(strings.HasPrefix)},
	"endswith":    {takes: []kind{text, text}, result: truthValue, call: ofTexts(strings.HasSuffix)},
	"contains":    {takes: []kind{text, text}, result: truthValue, call: ofTexts(strings.Contains)},
	"substringof": {takes: []kind{text, text}, result: truthValue, call: ofTexts(func(part, s string) bool { return strings.Contains(s, part) })},
	"concat":      {takes: []kind{text, text}, result: text, call: ofTexts(func(a, b string) string { return a + b })},
	"indexof":     {takes: []kind{text, text}, result: number, call: ofTexts(indexOf)},
	"tolower":     {takes: []kind{text}, result: text, call: func(of []any) any { return lower.Replace(of[0].(string)) }},
	"toupper":     {takes: []kind{text}, result: text, call: func(of []any) any { return upper.Replace(of[0].(string)) }},
	"trim":        {takes: []kind{text}, result: text, call: func(of []any) any { return strings.TrimSpace(of[0].(string)) }},
	"length":      {takes: []kind{text}, result: number, call: func(of []any) any { return float64(utf8.RuneCountInString(of[0].(string))) }},
	"substring":   {takes: []kind{text, whole, whole}, optional: 1, result: text, call: substring},
	"year":        {takes: []kind{date}, result: number, call: ofDate(time.Time.Year)},
	"month":       {takes: []kind{date}, result: number, call: ofDate(time.Time.Month)},
	"day":         {takes: []kind{date}, result: number, call: ofDate(time.Time.Day)},
	"hour":        {takes: []kind{date}, result: number, call: ofDate(time.Time.Hour)},
	"minute":      {takes: []kind{date}, result: number, call: ofDate(time.Time.Minute)},
	"second":      {takes: []kind{date}, result: number, call: ofDate(time.Time.Second)},
	"date":        {takes: []kind{date}, result: date, call: ofDate(func(t time.Time) int64 { return t.Truncate(24 * time.Hour).UnixMilli() })},
}

// ofTexts makes a function of two texts.
func ofTexts[T any](call func(first, second string) T) func([]any) any {
	return func(of []any) any { return call(of[0].(string), of[1].(string)) }
}

// ofDate makes a function of a date. It returns nil for an unknown date.
func ofDate[T ~int | ~int64](part func(time.Time) T) func([]any) any {
	return func(of []any) any {
		date, known := of[0].(float64)
		if !known {
			return nil
		}
		return float64(part(time.UnixMilli(int64(date)).UTC()))
	}
}

// indexOf returns where in a text a part begins, -1 if nowhere.
func indexOf(text, part string) float64 {
	i := strings.Index(text, part)
	if i < 0 {
		return -1
	}
	return float64(utf8.RuneCountInString(text[:i]))
}

// substring returns the part of a text from a character on, with at most a number of
// characters if there is a third argument. The numbers are of the kind whole: never negative.
func substring(of []any) any {
	letters := []rune(of[0].(string))
	letters = letters[min(int(of[1].(float64)), len(letters)):]
	if len(of) > 2 {
		letters = letters[:min(int(of[2].(float64)), len(letters))]
	}
	return string(letters)
}

// The letters that tolower and toupper change: A to Z and those of Turkish. I and İ
// become i, i and ı become I.
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
