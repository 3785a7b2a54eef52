package filter_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"ayna/archive"
	"ayna/archive/query"
	"ayna/record"
	"ayna/server/filter"
	"ayna/testrun/postgrestest"
)

var allowed = []filter.Property{
	{Name: "Id", Archive: query.ByID}, {Name: "Path", Archive: query.ByPath},
	{Name: "WriterId", Archive: query.ByWriter}, {Name: "ModifiedDate", Archive: query.ByModified},
}

// day is a date of the tests.
func day(n int) time.Time { return time.Date(2026, 3, n, 12, 30, 0, 5e8, time.UTC) }

// records differ in all properties, and some lack them.
var records = []archive.Record{
	{Record: record.Record{ID: "1", Metadata: record.Metadata{Path: "/spor/", Writers: []record.Person{{ID: "65aa"}}, Modified: day(1)}}},
	{Record: record.Record{ID: "2", Metadata: record.Metadata{Path: "/spor/futbol/", Modified: day(2)}}},
	{Record: record.Record{ID: "10", Metadata: record.Metadata{Path: "/şehir/", Writers: []record.Person{{ID: "65ab"}}}}},
	{Record: record.Record{ID: "11", Metadata: record.Metadata{Path: "/o'brien/", Modified: day(2)}}},
	{Record: record.Record{ID: "x", Metadata: record.Metadata{Path: ""}}},
	{Record: record.Record{ID: "z", Metadata: record.Metadata{Path: " /IĞDIR/Ünlü/ı ", Modified: time.Date(2027, 2, 28, 23, 59, 59, 999e6, time.UTC)}}},
	{Record: record.Record{ID: "y", Metadata: record.Metadata{Path: "/%_\\\x00\"/", Writers: []record.Person{{ID: "1"}}, Modified: time.UnixMilli(-1).UTC()}}},
}

func open(t testing.TB) *archive.Archive {
	t.Helper()
	a, err := archive.Memory(t.Context())
	return filled(t, a, err)
}

func openPostgres(t testing.TB) *archive.Archive {
	t.Helper()
	a, err := archive.Open(t.Context(), postgrestest.Address(t))
	return filled(t, a, err)
}

// filled stores the records in an archive that was opened.
func filled(t testing.TB, a *archive.Archive, err error) *archive.Archive {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	err = a.Update(t.Context(), func(tx *archive.Tx) error {
		for _, r := range records {
			r.Kind, r.List, r.Listed = record.Column, []byte("{}"), day(9)
			if _, err := tx.Put(&r, day(9)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// answer returns the ids that the archive finds, sorted.
func answer(t testing.TB, a *archive.Archive, where *query.Condition) []string {
	t.Helper()
	var ids []string
	q := query.Query{Kind: record.Column, Where: where, Limit: len(records)}
	rows, err := a.Reader().Rows(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		stored, err := a.Records.Row(context.Background(), row)
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, stored.ID)
	}
	slices.Sort(ids)
	return ids
}

// naive returns the ids of the records for which truth holds, sorted.
func naive(truth func(*archive.Record) bool) []string {
	var ids []string
	for i := range records {
		if truth(&records[i]) {
			ids = append(ids, records[i].ID)
		}
	}
	slices.Sort(ids)
	return ids
}

func text(r *archive.Record, p query.Property) string {
	switch {
	case p == query.ByID:
		return r.ID
	case p == query.ByPath:
		return r.Path
	case len(r.Writers) > 0:
		return r.Writers[0].ID
	}
	return ""
}

// Any text is an error with a position, or finds the same records by an index as
// without one, and its negation all others.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"", "Path eq '/spor/'", "Id eq 1 or Id eq 2", "not (ModifiedDate ge 2026-03-02) and WriterId ne ''", "ModifiedDate lt Datetime'1969-12-31T23:59:59.9999Z'",
		"((Id eq 1))", "Path eq 'a'' or ''1''=''1'", "ModifiedDate eq datetimeoffset'2026-03-02T15:30:00.5+03:00'", "'1' le Id and not Id eq 'x'", "Id in ('1','2',x)",
		"1 eq 1", "startswith(Path,'/spor')", "@a eq 1", "ModifiedDate ge ModifiedDate", strings.Repeat("(", 17), "Path eq '\xff'", "ş", "'", "Id eq 0001-01-01",
	} {
		f.Add(seed)
	}
	a := open(f)
	f.Fuzz(func(t *testing.T, expression string) {
		where, err := filter.Parse(expression, allowed, time.UTC)
		if err != nil {
			var e *filter.Error
			if !errors.As(err, &e) || e.Position < 1 || e.Position > utf8.RuneCountInString(expression)+1 || e.Message == "" {
				t.Errorf("%q: %v", expression, err)
			}
			return
		}
		got := answer(t, a, where)
		uses := []query.Property{query.ByID, query.ByPath, query.ByWriter, query.ByModified}
		if want := answer(t, a, &query.Condition{Uses: uses, Holds: where.Holds}); !slices.Equal(got, want) {
			t.Errorf("%q: found %q, without an index %q", expression, got, want)
		}
		others := answer(t, a, &query.Condition{Uses: uses, Holds: func(v query.Values) bool { return !where.Holds(v) }})
		if all := naive(func(r *archive.Record) bool { return slices.Contains(got, r.ID) != slices.Contains(others, r.ID) }); len(all) != len(records) {
			t.Errorf("%q: found %q, and %q without it", expression, got, others)
		}
	})
}

// A random expression finds the records for which its own evaluation is true.
func FuzzMeaning(f *testing.F) {
	for seed := range uint64(300) {
		f.Add(seed)
	}
	a := open(f)
	f.Fuzz(func(t *testing.T, seed uint64) {
		expression, truth := newMaker(seed).condition(3)
		where, err := filter.Parse(expression, allowed, time.UTC)
		if err != nil {
			t.Fatalf("%s: %v", expression, err)
		}
		if got, want := answer(t, a, where), naive(truth); !slices.Equal(got, want) {
			t.Errorf("%s: found %q, want %q", expression, got, want)
		}
	})
}

// maker writes expressions, each with a function that evaluates it for a record. It
// shares no code with the parser.
type maker struct{ *rand.Rand }

func newMaker(seed uint64) *maker { return &maker{rand.New(rand.NewPCG(seed, 0))} }

type truth = func(*archive.Record) bool

func (m *maker) condition(depth int) (string, truth) {
	if depth == 0 {
		return m.leaf()
	}
	left, isLeft := m.condition(depth - 1)
	right, isRight := m.condition(depth - 1)
	switch m.IntN(5) {
	case 0:
		return m.word("not") + "(" + left + ")", func(r *archive.Record) bool { return !isLeft(r) }
	case 1:
		return "(" + left + ")" + m.word("and") + "(" + right + ")", func(r *archive.Record) bool { return isLeft(r) && isRight(r) }
	case 2:
		return "(" + left + ")" + m.word("or") + "(" + right + ")", func(r *archive.Record) bool { return isLeft(r) || isRight(r) }
	case 3: // and binds closer than or
		third, isThird := m.leaf()
		return third + m.word("or") + "(" + left + ")" + m.word("and") + "(" + right + ")",
			func(r *archive.Record) bool { return isThird(r) || isLeft(r) && isRight(r) }
	}
	return m.leaf()
}

// word sets a word in some case between blanks.
func (m *maker) word(w string) string {
	if m.IntN(4) == 0 {
		w = strings.ToUpper(w)
	}
	return strings.Repeat(" ", 1+m.IntN(2)) + w + " "
}

func (m *maker) leaf() (string, truth) {
	if m.IntN(4) == 0 {
		return m.date()
	}
	name, property := m.property()
	value := m.text()
	sign, compare := m.operator()
	// What is empty is neither less nor greater than anything.
	ordered := func(r *archive.Record) bool {
		return sign == "eq" || sign == "ne" || value != "" && text(r, property) != ""
	}
	if m.IntN(4) == 0 {
		return m.quote(value) + m.word(sign) + name, func(r *archive.Record) bool { return ordered(r) && compare(strings.Compare(value, text(r, property))) }
	}
	return name + m.word(sign) + m.quote(value), func(r *archive.Record) bool { return ordered(r) && compare(strings.Compare(text(r, property), value)) }
}

func (m *maker) property() (string, query.Property) {
	p := allowed[m.IntN(3)]
	return p.Name, p.Archive
}

func (m *maker) text() string {
	texts := []string{"", "1", "2", "10", "/spor/", "/spor", "por", "/", "'", "/o'brien/", "ş", "%", "_", "65aa", "65ab", "\x00", "\\", "/SPOR/", "ŞEHİR", " ıı ", "\u00A0I"}
	return texts[m.IntN(len(texts))]
}

func (m *maker) quote(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }

func (m *maker) operator() (string, func(order int) bool) {
	signs := []struct {
		sign  string
		holds func(int) bool
	}{
		{"eq", func(o int) bool { return o == 0 }}, {"ne", func(o int) bool { return o != 0 }},
		{"gt", func(o int) bool { return o > 0 }}, {"ge", func(o int) bool { return o >= 0 }},
		{"lt", func(o int) bool { return o < 0 }}, {"le", func(o int) bool { return o <= 0 }},
	}
	s := signs[m.IntN(len(signs))]
	return s.sign, s.holds
}

func (m *maker) date() (string, truth) {
	at := []time.Time{day(1), day(2), day(2).Add(time.Millisecond), time.UnixMilli(-1).UTC(), time.Date(1, 1, 2, 0, 0, 0, 0, time.UTC)}[m.IntN(5)]
	form := []string{"Datetime'2006-01-02T15:04:05.999Z'", "datetimeoffset'2006-01-02T15:04:05.999Z07:00'", "2006-01-02T15:04:05.999Z", "'2006-01-02T15:04:05.999'"}[m.IntN(4)]
	sign, compare := m.operator()
	return "ModifiedDate" + m.word(sign) + at.Format(form), func(r *archive.Record) bool {
		if r.Modified.IsZero() { // no date is another one than any, and neither before nor after it
			return sign == "ne"
		}
		return compare(r.Modified.Compare(at))
	}
}

// An expression means the same in either database.
func TestMeaningInPostgres(t *testing.T) {
	a := openPostgres(t)
	for seed := range uint64(400) {
		expression, truth := newMaker(seed).condition(2)
		if strings.Contains(expression, "\x00") {
			continue // PostgreSQL has no such texts
		}
		where, err := filter.Parse(expression, allowed, time.UTC)
		if err != nil {
			t.Fatalf("%s: %v", expression, err)
		}
		if got, want := answer(t, a, where), naive(truth); !slices.Equal(got, want) {
			t.Errorf("%d: %s: found %q, want %q", seed, expression, got, want)
		}
	}
}
