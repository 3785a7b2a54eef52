package change_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"ayna/archive"
	"ayna/generator/change"
	"ayna/generator/site"
	"ayna/generator/wire"
)

var noon = time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)

// versions stores an article's versions one after the other, an hour apart.
func versions(t testing.TB, texts ...string) (*archive.Archive, *site.Item) {
	t.Helper()
	a, err := archive.Memory(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	var row int64
	for i, fields := range texts {
		err := a.Update(t.Context(), func(tx *archive.Tx) error {
			json := []byte(`{"Id":"7","CreatedDate":"2026-03-14T09:00:00Z",` + fields + `}`)
			at := noon.Add(time.Duration(i) * time.Hour)
			r := &archive.Record{Kind: archive.Article, ID: "7", List: []byte(`{"Id":"7"}`), Single: json, Listed: at, Fetched: at}
			if err := wire.Fill(r, time.UTC); err != nil {
				return err
			}
			_, err := tx.Put(r, at)
			row = max(row, r.Row)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	r, err := a.Get(t.Context(), archive.Article, "7")
	if err != nil {
		t.Fatal(err)
	}
	return a, &site.Item{Row: r.Row, Kind: site.Article, ID: "7"}
}

// show writes runs with what went in brackets and what came in braces.
func show(c *change.Change) string {
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
	return strings.Join(fields, " | ")
}

func TestOf(t *testing.T) {
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
		"the last of two":      {[]string{title("a"), title("b"), title("c")}, "[b] {c} |  | "},
		"then another field":   {[]string{title("a"), title("b"), title("b") + `,"ViewCount":3`}, "[a] {b} |  | "},
		"back again":           {[]string{title("a"), title("b"), title("a")}, "[b] {a} |  | "},
		"far from the change":  {[]string{text(many(40) + " a " + many(40)), text(many(40) + " b " + many(40))}, " |  | … " + many(8) + " [a] {b} " + many(8) + " …"},
		"D31 too long":         {[]string{text(strings.Repeat("a b ", 3000)), text(strings.Repeat("c d ", 3000))}, " |  | [" + strings.Repeat("a b ", 150) + "…] {" + strings.Repeat("c d ", 150) + "…}"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			a, item := versions(t, test.versions...)
			c, err := change.Of(t.Context(), a, item)
			if err != nil {
				t.Fatal(err)
			}
			if got := show(c); got != test.want {
				t.Errorf("%s\nwant %s", got, test.want)
			}
			if c != nil && (!c.When.After(noon) || c.When.Location() != time.UTC) {
				t.Errorf("changed %v", c.When)
			}
		})
	}
}

func TestWhen(t *testing.T) {
	a, item := versions(t, `"Title":"a"`, `"Title":"b"`)
	item.Published, item.Modified = noon.UnixMilli(), noon.Add(time.Minute).UnixMilli()
	c, err := change.Of(t.Context(), a, item)
	if err != nil || !c.When.Equal(noon.Add(time.Minute)) {
		t.Errorf("%+v, %v: what the source says counts", c, err)
	}
	item.Row = 99
	if c, err := change.Of(t.Context(), a, item); c != nil || err != nil {
		t.Errorf("of nothing: %+v, %v", c, err)
	}
}

// TestUpdated: of a record that the source calls modified, but whose words
// stayed, the old date counts.
func TestUpdated(t *testing.T) {
	at := func(hour int, fields string) string {
		return fmt.Sprintf(`"ModifiedDate":"2026-03-14T%02d:00:00Z",%s`, hour, fields)
	}
	for name, test := range map[string]struct {
		versions []string
		want     int // the hour
	}{
		"once":                    {[]string{at(10, `"Title":"a"`)}, 10},
		"another word":            {[]string{at(10, `"Title":"a"`), at(11, `"Title":"b"`)}, 11},
		"another folder":          {[]string{at(10, `"Title":"a","Path":"/a/"`), at(11, `"Title":"a","Path":"/b/"`)}, 10},
		"a word, then a counter":  {[]string{at(10, `"Title":"a"`), at(11, `"Title":"b"`), at(12, `"Title":"b","Views":1`), at(13, `"Title":"b","Views":2`)}, 11},
		"never modified before":   {[]string{`"Title":"a"`, at(13, `"Title":"a","Views":2`)}, 13},
		"modified before it came": {[]string{at(8, `"Title":"a"`), at(13, `"Title":"a","Views":2`)}, 9},
	} {
		t.Run(name, func(t *testing.T) {
			a, item := versions(t, test.versions...)
			item.Published = time.Date(2026, 3, 14, 9, 0, 0, 0, time.UTC).UnixMilli()
			r, err := a.Get(t.Context(), archive.Article, "7")
			if err != nil {
				t.Fatal(err)
			}
			item.Modified = r.Modified.UnixMilli()
			updated, err := change.Updated(t.Context(), a, item, time.UTC)
			if err != nil || updated.Hour() != test.want {
				t.Errorf("%v, %v; want %d o'clock", updated, err, test.want)
			}
		})
	}
}

// TestVersion: a change of the same words at the same time is the same.
func TestVersion(t *testing.T) {
	version := func(texts ...string) uint64 {
		a, item := versions(t, texts...)
		c, err := change.Of(t.Context(), a, item)
		if err != nil {
			t.Fatal(err)
		}
		return c.Version()
	}
	one := version(`"Title":"a"`, `"Title":"b"`)
	if again := version(`"Title":"a"`, `"Title":"b"`); again != one {
		t.Error("it differs from itself")
	}
	if other := version(`"Title":"a"`, `"Title":"c"`); other == one {
		t.Error("another change has the same")
	}
}

// TestLongTexts: the time and memory of a comparison are bounded.
func TestLongTexts(t *testing.T) { // D31
	long := func(word string) string { return `"Text":"` + strings.Repeat(word+" x ", 100_000) + `"` }
	a, item := versions(t, long("a"), long("b"))
	c, err := change.Of(t.Context(), a, item)
	if err != nil || len(show(c)) > 5000 {
		t.Errorf("%d bytes, %v", len(show(c)), err)
	}
}
