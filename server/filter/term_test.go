package filter_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"ayna/archive"
	"ayna/server/filter"
)

// textOf writes an expression of a text, and the text that it is of a record.
func (m *maker) textTerm(depth int) (string, func(*archive.Record) string) {
	if depth == 0 || m.IntN(3) == 0 {
		if m.IntN(3) == 0 {
			value := m.text()
			return m.literal(value), func(*archive.Record) string { return value }
		}
		name, property := m.property()
		return name, func(r *archive.Record) string { return text(r, property) }
	}
	inner, of := m.textTerm(depth - 1)
	switch m.IntN(5) {
	case 0:
		return m.name("tolower") + "(" + inner + ")", func(r *archive.Record) string { return lower(of(r)) }
	case 1:
		return m.name("toupper") + "( " + inner + " )", func(r *archive.Record) string { return upper(of(r)) }
	case 2:
		return m.name("trim") + "(" + inner + ")", func(r *archive.Record) string { return strings.Trim(of(r), " \t\u00A0\u3000") }
	case 3:
		other, ofOther := m.textTerm(0)
		return "concat(" + inner + "," + other + ")", func(r *archive.Record) string { return of(r) + ofOther(r) }
	}
	from, most := m.IntN(6), m.IntN(6)
	if m.IntN(2) == 0 {
		return fmt.Sprintf("substring(%s, %d)", inner, from), func(r *archive.Record) string { return cut(of(r), from, 1<<30) }
	}
	return fmt.Sprintf("substring(%s,%d,%d)", inner, from, most), func(r *archive.Record) string { return cut(of(r), from, most) }
}

func lower(s string) string {
	return strings.ToLower(strings.NewReplacer("İ", "i", "I", "i").Replace(s))
}

func upper(s string) string {
	return strings.ToUpper(strings.NewReplacer("ı", "I").Replace(s))
}

func cut(s string, from, most int) string {
	var b strings.Builder
	n := 0
	for _, c := range s {
		if n >= from && n-from < most {
			b.WriteRune(c)
		}
		n++
	}
	return b.String()
}

// name sets the name of a function in some case.
func (m *maker) name(name string) string {
	if m.IntN(4) == 0 {
		return strings.ToUpper(name)
	}
	return name
}

// literal quotes a text, or names a parameter that does.
func (m *maker) literal(value string) string {
	if m.IntN(4) > 0 {
		return m.quote(value)
	}
	name := fmt.Sprintf("@P%d", len(m.aliases))
	m.aliases[strings.ToLower(name)] = m.quote(value)
	return name
}

// computed writes a condition with functions in it.
func (m *maker) computed() (string, truth) {
	left, ofLeft := m.textTerm(2)
	switch m.IntN(7) {
	case 0, 1:
		right, ofRight := m.textTerm(1)
		sign, compare := m.operator()
		return left + m.word(sign) + right, func(r *archive.Record) bool {
			a, b := ofLeft(r), ofRight(r)
			return (sign == "eq" || sign == "ne" || a != "" && b != "") && compare(strings.Compare(a, b))
		}
	case 2:
		right, ofRight := m.textTerm(1)
		f, holds := "contains", strings.Contains
		switch m.IntN(3) {
		case 0:
			f, holds = "startswith", strings.HasPrefix
		case 1:
			f, holds = "endswith", strings.HasSuffix
		}
		return m.name(f) + "(" + left + "," + right + ")", func(r *archive.Record) bool { return holds(ofLeft(r), ofRight(r)) }
	case 3:
		sign, compare := m.operator()
		n := m.IntN(8)
		return fmt.Sprintf("length(%s) %s %d", left, sign, n), func(r *archive.Record) bool { return compare(len([]rune(ofLeft(r))) - n) }
	case 4:
		right, ofRight := m.textTerm(0)
		sign, compare := m.operator()
		return fmt.Sprintf("0 %s indexof(%s,%s)", sign, left, right), func(r *archive.Record) bool { return compare(-strings.Index(ofLeft(r), ofRight(r))) }
	case 5:
		return m.datePart()
	}
	var list []string
	var values []string
	for range m.IntN(4) {
		values = append(values, m.text())
		list = append(list, m.literal(values[len(values)-1]))
	}
	return left + m.word("in") + "(" + strings.Join(list, ", ") + ")", func(r *archive.Record) bool { return slices.Contains(values, ofLeft(r)) }
}

func (m *maker) datePart() (string, truth) {
	sign, compare := m.operator()
	parts := []struct {
		name string
		of   func(time.Time) int
		n    int
	}{
		{"year", time.Time.Year, 2025 + m.IntN(3)}, {"month", func(t time.Time) int { return int(t.Month()) }, 3}, {"day", time.Time.Day, m.IntN(4)},
		{"hour", time.Time.Hour, 12}, {"minute", time.Time.Minute, 30 + m.IntN(2)}, {"second", time.Time.Second, 59 * m.IntN(2)},
		{"date", func(t time.Time) int {
			return int(t.Truncate(24 * time.Hour).Sub(day(2).Truncate(24 * time.Hour)).Hours())
		}, 0},
	}
	part := parts[m.IntN(len(parts))]
	value := fmt.Sprint(part.n)
	if part.name == "date" {
		value = day(2).Format(time.DateOnly)
	}
	return m.name(part.name) + "(ModifiedDate)" + m.word(sign) + value, func(r *archive.Record) bool {
		if r.Modified.IsZero() {
			return sign == "ne"
		}
		return compare(part.of(r.Modified) - part.n)
	}
}

// An expression means the same in either database.
func TestMeaningInPostgres(t *testing.T) {
	a := openPostgres(t)
	for seed := range uint64(400) {
		m := newMaker(seed)
		expression, truth := m.condition(2)
		if strings.Contains(expression+fmt.Sprint(m.aliases), "\x00") {
			continue // PostgreSQL has no such texts
		}
		where, err := filter.Parse(expression, allowed, time.UTC, m.aliases)
		if err != nil {
			t.Fatalf("%s: %v", expression, err)
		}
		if got, want := answer(t, a, where), naive(truth); !slices.Equal(got, want) {
			t.Errorf("%d: %s %q: found %q, want %q", seed, expression, m.aliases, got, want)
		}
	}
}

func newMaker(seed uint64) *maker {
	return &maker{rand.New(rand.NewPCG(seed, 0)), make(map[string]string)}
}
