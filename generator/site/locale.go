package site

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"time"

	"golang.org/x/text/language"
)

// locale is how a language writes dates and numbers, as the Unicode CLDR has it.
type locale struct {
	months, alone      [12]string // inside of a date, and by themselves
	date, month, clock pattern
	order              string // of a date, as a pattern of the CLDR
	joiner             string // between day and hour
	group              string // separates groups of digits
	grouped            int    // digits that a number has before its first separator, at least
	size               int    // digits of a group, but for the last, which has three
	digits             []string
	calendar           string // "" for the Gregorian one
	persian            [12]string
}

//go:embed locales.txt
var locales string

// localeFor returns the row of a language, or else of a more general one, or of English.
func localeFor(tag language.Tag) *locale {
	base, script, region := tag.Raw()
	tag, _ = language.Compose(base, script, region)
	for ; tag != language.Und; tag = tag.Parent() {
		if l := findLocale(tag.String()); l != nil {
			return l
		}
	}
	return findLocale("en")
}

func findLocale(name string) *locale {
	_, row, found := strings.Cut(locales, "\n"+name+"\t")
	if !found {
		return nil
	}
	row, _, _ = strings.Cut(row, "\n")
	column := strings.Split(row, "\t")
	l := &locale{
		order: column[2], date: parsePattern(column[2]), month: parsePattern(column[3]), joiner: column[4], clock: parsePattern(column[5]),
		group: column[6], digits: strings.Split(column[9], ""),
	}
	l.grouped, _ = strconv.Atoi(column[7])
	l.size, _ = strconv.Atoi(column[8])
	l.setCalendar(column[10])
	copy(l.months[:], strings.Split(column[0], "|"))
	if l.alone = l.months; column[1] != "" {
		copy(l.alone[:], strings.Split(column[1], "|"))
	}
	return l
}

// pattern is a pattern of the CLDR, such as "d. MMMM y", cut into its parts.
type pattern []part

// part is a literal text, or a field: y, M (L alone), d, H or m, with its number of letters.
type part struct {
	text  string
	field byte
	width int
}

func parsePattern(text string) (p pattern) {
	literal := func(s string) {
		if n := len(p); n > 0 && p[n-1].field == 0 {
			p[n-1].text += s
		} else {
			p = append(p, part{text: s})
		}
	}
	for text != "" {
		if quoted, ok := strings.CutPrefix(text, "'"); ok {
			before, after, _ := strings.Cut(quoted, "'")
			literal(before)
			text = after
			continue
		}
		if c := text[0]; strings.IndexByte("yMLdHm", c) >= 0 {
			rest := strings.TrimLeft(text, string(c))
			p = append(p, part{field: c, width: len(text) - len(rest)})
			text = rest
			continue
		}
		literal(text[:1])
		text = text[1:]
	}
	return p
}

// append writes a day, and the time of t, as a pattern has it.
func (l *locale) append(b []byte, p pattern, d date, t time.Time) []byte {
	for _, part := range p {
		n := 0
		switch part.field {
		case 0:
			b = append(b, part.text...)
			continue
		case 'y':
			n = d.year
		case 'd':
			n = d.day
		case 'H':
			n = t.Hour()
		case 'm':
			n = t.Minute()
		case 'M', 'L':
			if n = d.month; part.width < 3 {
				break
			}
			if part.field == 'M' {
				b = append(b, d.months[n-1]...)
			} else {
				b = append(b, d.alone[n-1]...)
			}
			continue
		}
		if part.width == 2 && n < 10 {
			b = l.appendNumber(b, 0)
		}
		b = l.appendNumber(b, n)
	}
	return b
}

// appendNumber writes a number without groups.
func (l *locale) appendNumber(b []byte, n int) []byte {
	start := len(b)
	b = strconv.AppendInt(b, int64(n), 10)
	if len(l.digits) < 10 {
		return b
	}
	var translated []byte
	for _, c := range b[start:] {
		if c == '-' {
			translated = append(translated, c)
		} else {
			translated = append(translated, l.digits[c-'0']...)
		}
	}
	return append(b[:start], translated...)
}

// Ungrouped returns a number without groups of digits, such as a year.
func (w *Words) Ungrouped(n int) string { return string(w.locale.appendNumber(nil, n)) }

// Digits returns a number with its digits in groups.
func (w *Words) Digits(n int) string {
	l, s := w.locale, strconv.Itoa(n)
	digits := len(strings.TrimPrefix(s, "-"))
	if digits < 3+l.grouped {
		return w.Ungrouped(n)
	}
	var b []byte
	for i := range len(s) {
		if left := len(s) - i; i > len(s)-digits && (left == 3 || left > 3 && (left-3)%l.size == 0) {
			b = append(b, l.group...)
		}
		if s[i] == '-' || len(l.digits) < 10 {
			b = append(b, s[i])
		} else {
			b = append(b, l.digits[s[i]-'0']...)
		}
	}
	return string(b)
}

// Size returns a number of bytes, rounded: "2.4 MB".
func (w *Words) Size(bytes int64) string {
	unit, tenths := 0, max(10, (bytes+50)/100)
	for tenths >= 9_995 && unit < len(w.FileSizes)-1 {
		unit, tenths = unit+1, (tenths+500)/1000
	}
	number := w.Digits(int((tenths + 5) / 10))
	if unit > 0 && tenths < 100 && tenths%10 > 0 {
		number = w.Ungrouped(int(tenths/10)) + w.locale.decimal() + w.Ungrouped(int(tenths%10))
	}
	return fmt.Sprintf(w.FileSizes[unit], number)
}

// decimal returns the sign before decimal places, which follows from that between groups.
func (l *locale) decimal() string {
	switch l.group {
	case ",", "’", "'":
		return "."
	case "٬":
		return "٫"
	}
	return ","
}

// Date returns the day of t in words.
func (w *Words) Date(t time.Time) string {
	return string(w.locale.append(nil, w.locale.date, w.locale.dateOf(t), t))
}

// Day returns the number of t's day in its Gregorian month: lists are divided into these.
func (w *Words) Day(t time.Time) string { return w.Ungrouped(t.Day()) }

// DateTime returns the day of t in words, and the time.
func (w *Words) DateTime(t time.Time) string {
	text, _ := w.DateAndClock(t)
	return text
}

// DateAndClock returns the day of t in words and the time, and where the time begins.
func (w *Words) DateAndClock(t time.Time) (text string, clock int) {
	d := w.locale.dateOf(t)
	b := w.locale.append(make([]byte, 0, 64), w.locale.date, d, t)
	b = append(b, w.locale.joiner...)
	clock = len(b)
	return string(w.locale.append(b, w.locale.clock, d, t)), clock
}

// monthYear returns a month and its year in words. Lists are divided into Gregorian months.
func (w *Words) monthYear(month, year int) string {
	t := time.Date(year, time.Month(month), 1, 0, 0, 0, 0, time.UTC)
	return string(w.locale.append(nil, w.locale.month, w.locale.gregorian(t), t))
}

// Year returns a Gregorian year as the language's papers count it.
func (w *Words) Year(year int) string {
	return w.Ungrouped(w.locale.gregorian(time.Date(year, time.January, 1, 0, 0, 0, 0, time.UTC)).year)
}
