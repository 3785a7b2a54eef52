package filter

import (
	"cmp"
	"strings"
	"time"
	"unicode/utf8"

	"ayna/archive"
)

// term computes a value from a record: a string, a float64, which may be a date in
// milliseconds since 1970, or nil for a date or number that is unknown.
type term func(*archive.Values) any

// constant is a term that is the same for all records.
func constant(value any) term {
	text, isText := value.(string)
	return func(v *archive.Values) any {
		if isText {
			return v.Stored(text)
		}
		return value
	}
}

// operator compares two values.
type operator struct {
	archive  archive.Operator
	mirrored string               // the operator with its sides exchanged
	holds    func(order int) bool // order is that of the values, as [cmp.Compare] returns it
}

var operators = map[string]operator{
	"eq": {archive.Equal, "eq", func(order int) bool { return order == 0 }},
	"ne": {archive.NotEqual, "ne", func(order int) bool { return order != 0 }},
	"gt": {archive.Greater, "lt", func(order int) bool { return order > 0 }},
	"ge": {archive.AtLeast, "le", func(order int) bool { return order >= 0 }},
	"lt": {archive.Less, "gt", func(order int) bool { return order < 0 }},
	"le": {archive.AtMost, "ge", func(order int) bool { return order <= 0 }},
}

// isEquality reports whether the operator is eq or ne.
func (o operator) isEquality() bool {
	return o.archive == archive.Equal || o.archive == archive.NotEqual
}

// relation compares two terms of the same kind, texts byte by byte. An empty text
// and an unknown value equal themselves, and are neither greater nor less than
// anything.
func relation(left term, o operator, right term) *archive.Condition {
	return &archive.Condition{Holds: func(v *archive.Values) bool {
		left, right := left(v), right(v)
		if o.isEquality() {
			return (left == right) == (o.archive == archive.Equal)
		}
		switch l := left.(type) {
		case string:
			r, _ := right.(string)
			return l != "" && r != "" && o.holds(strings.Compare(l, r))
		case float64:
			r, known := right.(float64)
			return known && o.holds(cmp.Compare(l, r))
		}
		return false
	}}
}

// truth is a condition that is true of all records, or of none.
func truth(yes bool) *archive.Condition {
	return &archive.Condition{Exact: yes, Holds: func(*archive.Values) bool { return yes }}
}

// and is true if all conditions are.
func and(list []*archive.Condition) *archive.Condition {
	joined := archive.Condition{Exact: true}
	for _, c := range list {
		joined.Bounds, joined.Exact = append(joined.Bounds, c.Bounds...), joined.Exact && c.Exact
	}
	joined.Holds = func(v *archive.Values) bool {
		for _, c := range list {
			if !c.Holds(v) {
				return false
			}
		}
		return true
	}
	return &joined
}

// or is true if one condition is.
func or(list []*archive.Condition) *archive.Condition {
	return &archive.Condition{Holds: func(v *archive.Values) bool {
		for _, c := range list {
			if c.Holds(v) {
				return true
			}
		}
		return false
	}}
}

// not is true if the condition is false.
func not(c *archive.Condition) *archive.Condition {
	return &archive.Condition{Holds: func(v *archive.Values) bool { return !c.Holds(v) }}
}

// numberOf returns a condition as a term: 1 for true, 0 for false.
func numberOf(c *archive.Condition) term {
	return func(v *archive.Values) any {
		if c.Holds(v) {
			return 1.
		}
		return 0.
	}
}

// function is a function of terms.
type function struct {
	takes    []kind
	optional int                // arguments at the end that may be left out
	result   kind               // truth: it is a condition
	call     func(of []any) any // of a string for each text, and a float64 for each whole number
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

// substring returns the part of a text from a character on, perhaps with a largest
// number of characters.
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
