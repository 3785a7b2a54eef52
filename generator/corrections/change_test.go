package corrections_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"ayna/archive"
	"ayna/generator/corrections"
	"ayna/generator/site"
	"ayna/record"
	"ayna/testrun/fakepaper"
)

// answer has the fields of the list record and of the single record of the article, as the
// service answers them at one time.
type answer struct{ list, single string }

// versions stores single records of an article, an hour apart. Its list record has only the id.
func versions(t testing.TB, texts ...string) (*archive.Archive, site.Item) {
	t.Helper()
	var answers []answer
	for _, fields := range texts {
		answers = append(answers, answer{"", fields})
	}
	return answered(t, answers...)
}

// added returns the item of a draft.
func added(d *site.Draft) site.Item { return new(site.Collection).Add(d) }

// answered stores answers for an article, an hour apart, and returns its item.
func answered(t testing.TB, answers ...answer) (*archive.Archive, site.Item) {
	t.Helper()
	a, d := drafted(t, answers...)
	return a, added(d)
}

// drafted is answered for tests that change the draft before they add it.
func drafted(t testing.TB, answers ...answer) (*archive.Archive, *site.Draft) {
	t.Helper()
	a := fakepaper.Archive(t)
	for i, fields := range answers {
		at := fakepaper.Noon.Add(time.Duration(i) * time.Hour)
		fakepaper.Put(t, a, &archive.Record{Record: record.Record{Kind: record.Article, ID: "7", Answers: record.Answers{List: document(fields.list), Single: document(fields.single)}}, Progress: archive.Progress{Listed: at, Fetched: at}})
	}
	r, err := a.Records.Get(t.Context(), record.Article, "7")
	if err != nil {
		t.Fatal(err)
	}
	revised := 0
	for _, err := range a.Catalog.RevisedRows(t.Context(), nil) {
		if revised++; err != nil {
			t.Fatal(err)
		}
	}
	return a, &site.Draft{Row: r.Row, Kind: site.Article, ID: "7", Revised: revised > 0}
}

// waiting stands for a single record that has not arrived.
const waiting = "waiting"

// document returns a record with the fields, or with its id only if there are none.
func document(fields string) []byte {
	switch fields {
	case waiting:
		return nil
	case "":
		return []byte(`{"Id":"7"}`)
	}
	return []byte(`{"Id":"7","CreatedDate":"2026-03-14T09:00:00Z",` + fields + `}`)
}

// show writes the changes of title, spot and text: removed words in brackets, added words in
// braces.
func show(c *site.Change) string {
	if c == nil {
		return "none"
	}
	var fields []string
	for _, runs := range c.Fields {
		var words []string
		for _, r := range runs {
			words = append(words, fmt.Sprintf([]string{"%s", "[%s]", "{%s}"}[r.Op], r.Text))
		}
		fields = append(fields, strings.Join(words, " "))
	}
	if c.Truncated {
		return strings.Join(fields, " | ") + ", cut"
	}
	return strings.Join(fields, " | ")
}

func TestLast(t *testing.T) {
	title := func(s string) string { return fmt.Sprintf(`"Title":%q`, s) }
	text := func(s string) string { return fmt.Sprintf(`"Text":"<p>%s</p>"`, s) }
	many := func(n int) string { return strings.TrimSpace(strings.Repeat("söz ", n)) }
	tests := map[string]struct {
		versions []string
		want     string
	}{
		"one version":          {[]string{title("a")}, "none"},
		"a word":               {[]string{title("Üç kişi öldü"), title("İki kişi öldü")}, "[Üç] {İki} kişi öldü |  | "},
		"a word more":          {[]string{title("bir üç"), title("bir iki üç")}, "bir {iki} üç |  | "},
		"a word less":          {[]string{title("bir iki üç"), title("bir üç")}, "bir [iki] üç |  | "},
		"two places":           {[]string{title("a b c d e"), title("x b c y e")}, "[a] {x} b c [d] {y} e |  | "},
		"all":                  {[]string{title("a b"), title("c d")}, "[a b] {c d} |  | "},
		"title, spot and text": {[]string{`"Title":"a","Description":"b","Text":"c"`, `"Title":"d","Description":"e","Text":"f"`}, "[a] {d} | [b] {e} | [c] {f}"},
		"markup alone":         {[]string{text("bir iki"), text("bir  <b>iki</b>")}, "none"},
		"another field":        {[]string{title("a"), title("a") + `,"ViewCount":3`}, "none"},
		"a text arrives":       {[]string{title("a"), title("a") + `,"Text":"b"`}, "none"},
		"members alone":        {[]string{title("a") + "," + text("bir iki üç"), title("a") + `,"Access":"members",` + text("bir")}, "none"},
		"members, and a title": {[]string{title("a") + "," + text("bir iki üç"), title("b") + `,"Access":"members",` + text("bir")}, "[a] {b} |  | "},
		"the last of two":      {[]string{title("a"), title("b"), title("c")}, "[b] {c} |  | "},
		"then another field":   {[]string{title("a"), title("b"), title("b") + `,"ViewCount":3`}, "[a] {b} |  | "},
		"back again":           {[]string{title("a"), title("b"), title("a")}, "[b] {a} |  | "},
		"far from the change":  {[]string{text(many(40) + " a " + many(40)), text(many(40) + " b " + many(40))}, " |  | … " + many(8) + " [a] {b} " + many(8) + " …"},
		"too long":             {[]string{text(strings.Repeat("a b ", 3000)), text(strings.Repeat("c d ", 3000))}, " |  | [" + strings.Repeat("a b ", 50) + "…] {" + strings.Repeat("c d ", 50) + "…}, cut"},
		"no words":             {[]string{title("a"), title(strings.Repeat("b", 500))}, "[a] {" + strings.Repeat("b", 199) + "…} |  | "},
		"in many places": {[]string{text(strings.Repeat("a x ", 400)), text(strings.Repeat("b x ", 400))},
			" |  | " + strings.Repeat("[a] {b} x ", 100) + "…, cut"},
		"no words left": {[]string{`"Title":"` + strings.Repeat("a x ", 400) + `","Description":"a"`, `"Title":"` + strings.Repeat("b x ", 400) + `","Description":"b"`},
			strings.Repeat("[a] {b} x ", 100) + "… | … | , cut"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			a, item := versions(t, test.versions...)
			c, err := corrections.Last(t.Context(), a.Records, item, new(site.Settings))
			if err != nil {
				t.Fatal(err)
			}
			if got := show(c); got != test.want {
				t.Errorf("%s\nwant %s", got, test.want)
			}
			if c != nil && (!c.When.After(fakepaper.Noon) || c.When.Location() != time.UTC) {
				t.Errorf("changed %v", c.When)
			}
		})
	}
}

// TestHistory: each change is listed once, although both the list record and the single record
// have it, and at different times.
func TestHistory(t *testing.T) {
	both := func(fields string) answer { return answer{fields, fields} }
	tests := map[string]struct {
		answers []answer
		want    []string // the hours and the changes, the last first
	}{
		"one version": {[]answer{both(`"Title":"a"`)}, nil},
		"both at once, without a date": {[]answer{both(`"Title":"a"`), both(`"Title":"b"`), both(`"Title":"c"`)},
			[]string{"14 [b] {c} |  | ", "13 [a] {b} |  | "}},
		"the list first": {[]answer{{`"Title":"a"`, `"Title":"a","Text":"x"`}, {`"Title":"b"`, `"Title":"a","Text":"x"`}, {`"Title":"b"`, `"Title":"b","Text":"y"`}},
			[]string{"13 [a] {b} |  | [x] {y}"}},
		"the single record first": {[]answer{both(`"Title":"a"`), {`"Title":"a"`, `"Title":"b"`}, both(`"Title":"b"`)},
			[]string{"13 [a] {b} |  | "}},
		"the list twice, then the single record": {[]answer{both(`"Title":"a"`), {`"Title":"b"`, `"Title":"a"`}, {`"Title":"c"`, `"Title":"a"`}, both(`"Title":"c"`)},
			[]string{"14 [b] {c} |  | ", "13 [a] {b} |  | "}},
		"then the text alone": {[]answer{both(`"Title":"a","Text":"x"`), both(`"Title":"b","Text":"x"`), {`"Title":"b","Text":"x"`, `"Title":"b","Text":"y"`}},
			[]string{"14  |  | [x] {y}", "13 [a] {b} |  | "}},
		"while it waits for its text": {[]answer{{`"Title":"a"`, waiting}, {`"Title":"b"`, waiting}, {`"Title":"b"`, `"Title":"b","Text":"x"`}},
			[]string{"13 [a] {b} |  | "}},
		"back again": {[]answer{both(`"Title":"a"`), both(`"Title":"b"`), both(`"Title":"a"`)},
			[]string{"14 [b] {a} |  | ", "13 [a] {b} |  | "}},
		"what no page shows": {[]answer{both(`"Title":"a","Tags":["x"]`), both(`"Title":"a","Tags":["y"]`), both(`"Title":"b","Tags":["y"]`), both(`"Title":"b","Views":3`)},
			[]string{"14 [a] {b} |  | "}},
		"cut in lists": {[]answer{{`"Title":"a","Description":"b …"`, `"Title":"a","Description":"b c"`}, {`"Title":"d","Description":"b …"`, `"Title":"d","Description":"b c"`}},
			[]string{"13 [a] {d} |  | "}},
		"the source says when": {[]answer{both(`"Title":"a"`), both(`"Title":"b","ModifiedDate":"2026-03-14T11:10:00Z"`), both(`"Title":"c","ModifiedDate":"2026-03-14T13:20:00"`)},
			[]string{"13.20 [b] {c} |  | ", "11.10 [a] {b} |  | "}},
		"the source says what cannot be": {[]answer{
			both(`"Title":"a"`), both(`"Title":"b","ModifiedDate":"2026-03-15T11:10:00Z"`), both(`"Title":"c","ModifiedDate":"2026-03-14T08:00:00Z"`), both(`"Title":"d","ModifiedDate":"2026-03-14T08:00:00Z"`)},
			[]string{"15 [c] {d} |  | ", "14 [b] {c} |  | ", "13 [a] {b} |  | "}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			a, d := drafted(t, test.answers...)
			d.Published = fakepaper.Noon.Add(-3 * time.Hour).UnixMilli()
			item := added(d)
			changes, more, err := corrections.History(t.Context(), a.Records, item, new(site.Settings), 10)
			if err != nil || more {
				t.Fatalf("%v, more: %t", err, more)
			}
			var got []string
			for _, c := range changes {
				got = append(got, strings.TrimSuffix(c.When.Format("15.04"), ".00")+" "+show(&c))
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("got  %q\nwant %q", got, test.want)
			}
			last, err := corrections.Last(t.Context(), a.Records, item, new(site.Settings))
			if (last == nil) != (changes == nil) || last != nil && !reflect.DeepEqual(*last, changes[0]) || err != nil {
				t.Errorf("the last change is %s, %v", show(last), err)
			}
		})
	}
}

// TestLongHistory: of a record with many versions only a bounded number is read and listed.
func TestLongHistory(t *testing.T) {
	titles := func(n int, format string) (answers []answer) {
		for i := range n {
			fields := fmt.Sprintf(format, i)
			answers = append(answers, answer{fields, fields})
		}
		return answers
	}
	for name, test := range map[string]struct {
		answers []answer
		changes int
		more    bool
	}{
		"ten changes":        {titles(11, `"Title":"a %d"`), 10, false},
		"eleven changes":     {titles(12, `"Title":"a %d"`), 10, true},
		"many changes":       {titles(80, `"Title":"a %d"`), 10, true},
		"a counter":          {titles(90, `"Title":"a","Views":%d`), 0, false},
		"a counter of years": {append(titles(2, `"Title":"a %d"`), titles(300, `"Title":"a","Views":%d`)...), 0, true},
	} {
		t.Run(name, func(t *testing.T) {
			a, item := answered(t, test.answers...)
			changes, more, err := corrections.History(t.Context(), a.Records, item, new(site.Settings), 10)
			if len(changes) != test.changes || more != test.more || err != nil {
				t.Fatalf("%d changes, more: %t, %v; want %d, %t", len(changes), more, err, test.changes, test.more)
			}
			for i, c := range changes {
				n := len(test.answers) - 1 - i
				if got, want := show(&c), fmt.Sprintf("a [%d] {%d} |  | ", n-1, n); got != want {
					t.Errorf("change %d: %s, want %s", i, got, want)
				}
			}
		})
	}
}

// TestNeverChanged: nothing is read for a record without earlier versions, so the closed
// archive does not matter.
func TestNeverChanged(t *testing.T) {
	a, err := archive.Memory(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	a.Close()
	d := &site.Draft{Row: 1, Kind: site.Article, ID: "7", Modified: fakepaper.Noon.UnixMilli()}
	item := added(d)
	if c, more, err := corrections.History(t.Context(), a.Records, item, new(site.Settings), 10); c != nil || more || err != nil {
		t.Errorf("%+v, %t, %v", c, more, err)
	}
	if when, err := corrections.Updated(t.Context(), a.Records, item, new(site.Settings)); !when.Equal(fakepaper.Noon) || err != nil {
		t.Errorf("%v, %v", when, err)
	}
	d.Revised = true
	item = added(d)
	if _, _, err := corrections.History(t.Context(), a.Records, item, new(site.Settings), 10); err == nil || !strings.Contains(err.Error(), "article 7") {
		t.Errorf("the archive is closed, and the error is %v", err)
	}
}

// TestUpdated: if the source has a new date of change but the words are the same, the old date
// counts. If the words changed without a new date, the time when that was seen counts.
func TestUpdated(t *testing.T) {
	at := func(hour int, fields string) string {
		return fmt.Sprintf(`"ModifiedDate":"2026-03-14T%02d:00:00Z",%s`, hour, fields)
	}
	for name, test := range map[string]struct {
		versions []string
		want     int // the hour
	}{
		"once":                       {[]string{at(10, `"Title":"a"`)}, 10},
		"another word":               {[]string{at(10, `"Title":"a"`), at(11, `"Title":"b"`)}, 11},
		"another folder":             {[]string{at(10, `"Title":"a","Path":"/a/"`), at(11, `"Title":"a","Path":"/b/"`)}, 10},
		"a word, then a counter":     {[]string{at(10, `"Title":"a"`), at(11, `"Title":"b"`), at(12, `"Title":"b","Views":1`), at(13, `"Title":"b","Views":2`)}, 11},
		"never modified before":      {[]string{`"Title":"a"`, at(13, `"Title":"a","Views":2`)}, 13},
		"without a new date":         {[]string{at(10, `"Title":"a"`), at(10, `"Title":"b"`)}, 13},
		"then another with a date":   {[]string{at(10, `"Title":"a"`), at(10, `"Title":"b"`), at(15, `"Title":"c"`), at(15, `"Title":"c","Views":1`)}, 15},
		"after one with a date":      {[]string{at(10, `"Title":"a"`), at(11, `"Title":"b"`), at(11, `"Title":"c"`)}, 14},
		"never a date":               {[]string{`"Title":"a"`, `"Title":"b"`, `"Title":"b","Views":1`}, 13},
		"and back again":             {[]string{`"Title":"a"`, `"Title":"b"`, `"Title":"a"`}, 14},
		"a counter without a date":   {[]string{`"Title":"a"`, `"Title":"a","Views":1`}, 9},
		"modified when it cannot be": {[]string{at(10, `"Title":"a"`), at(23, `"Title":"b"`)}, 13},
		"modified before it came":    {[]string{at(8, `"Title":"a"`), at(13, `"Title":"a","Views":2`)}, 9},
	} {
		t.Run(name, func(t *testing.T) {
			var answers []answer
			for _, fields := range test.versions {
				answers = append(answers, answer{"", fields})
			}
			a, d := drafted(t, answers...)
			d.Published = time.Date(2026, 3, 14, 9, 0, 0, 0, time.UTC).UnixMilli()
			d.Order = d.Published
			r, err := a.Records.Get(t.Context(), record.Article, "7")
			if err != nil {
				t.Fatal(err)
			}
			if r.Modified.Before(r.Listed.Add(time.Hour)) { // the rule of package arrange
				d.Modified = r.Modified.UnixMilli()
			}
			updated, err := corrections.Updated(t.Context(), a.Records, added(d), new(site.Settings))
			if err != nil || updated.Hour() != test.want {
				t.Errorf("%v, %v; want %d o'clock", updated, err, test.want)
			}
		})
	}
}

// TestLongTexts: the time and memory of a comparison are bounded.
func TestLongTexts(t *testing.T) {
	long := func(word string) string { return `"Text":"` + strings.Repeat(word+" x ", 100_000) + `"` }
	a, item := versions(t, long("a"), long("b"))
	c, err := corrections.Last(t.Context(), a.Records, item, new(site.Settings))
	if err != nil || len(show(c)) > 5000 {
		t.Errorf("%d bytes, %v", len(show(c)), err)
	}
}
