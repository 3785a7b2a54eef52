package archive_test

import (
	"fmt"
	"testing"
	"time"

	"ayna/archive"
	"ayna/record"
)

// summaries reads what arranging sees, as text.
func summaries(t *testing.T, a *archive.Archive) string {
	t.Helper()
	var all string
	for l, err := range a.Catalog.Summaries(ctx, nil) {
		if err != nil {
			t.Fatal(err)
		}
		all += fmt.Sprintf("%d %s %s %s %s %d %d gone:%t %s %s\n",
			l.Row, l.Kind, l.ID, l.Path, l.URL, l.Published, l.Modified, l.Gone, l.Address, l.Tags)
	}
	return all
}

// What arranging reads follows every change of a record.
func TestSummaryFollowsTheRecord(t *testing.T) {
	everyKind(t, func(t *testing.T, a *archive.Archive) {
		r := article("1", "Liman", 0)
		r.URL, r.Tags = "http://haber.example/1\x1f", []string{"de\x1fniz", "ada"}
		put(t, a, r, noon)
		const url = "http://haber.example/1\x1f"
		const rest = `["de\u001fniz","ada"]` + "\n"
		ms := fmt.Sprint(noon.UnixMilli())
		check := func(want string) {
			t.Helper()
			if got := summaries(t, a); got != want {
				t.Errorf("got  %swant %s", got, want)
			}
		}
		check("1 article 1 /spor/ " + url + " " + ms + " 0 gone:false  " + rest)
		update(t, a, func(tx *archive.Tx) error { return tx.SetAddress(1, "spor/liman-1.html") })
		check("1 article 1 /spor/ " + url + " " + ms + " 0 gone:false spor/liman-1.html " + rest)
		update(t, a, func(tx *archive.Tx) error { return tx.MarkGone(record.Article, "1", noon) })
		check("1 article 1 /spor/ " + url + " " + ms + " 0 gone:true spor/liman-1.html " + rest)
		r.Path, r.List = "/ada/", []byte(`{"Id":"1","x":2}`)
		put(t, a, r, noon.Add(time.Hour))
		check("1 article 1 /ada/ " + url + " " + ms + " 0 gone:false spor/liman-1.html " + rest)
		update(t, a, func(tx *archive.Tx) error { return tx.ForgetForTest(record.Article, "1") })
		check("")
	})
}

func update(t *testing.T, a *archive.Archive, fn func(*archive.Tx) error) {
	t.Helper()
	if err := a.Update(ctx, fn); err != nil {
		t.Fatal(err)
	}
}

// The generation changes when a site would, and only then.
func TestGeneration(t *testing.T) {
	everyKind(t, func(t *testing.T, a *archive.Archive) {
		r := article("1", "Liman", 0)
		changed := article("1", "Liman ve ada", 0)
		picture := archive.Media{URL: "http://img.example/1.jpg", Name: "aa.jpg", Fetched: noon}
		for _, step := range []struct {
			name string
			want bool
			do   func(*archive.Tx) error
		}{
			{"a new record", true, func(tx *archive.Tx) error { return drop(tx.Put(&r, noon)) }},
			{"the same again", false, func(tx *archive.Tx) error { return drop(tx.Put(&r, noon.Add(time.Hour))) }},
			{"another text", true, func(tx *archive.Tx) error { return drop(tx.Put(&changed, noon)) }},
			{"an address", false, func(tx *archive.Tx) error { return tx.SetAddress(1, "a.html") }},
			{"a picture", true, func(tx *archive.Tx) error { return tx.PutMedia(picture) }},
			{"the same picture", false, func(tx *archive.Tx) error { return tx.PutMedia(picture) }},
			{"a hit", true, func(tx *archive.Tx) error { return drop(tx.Hits.Add("liman", []string{"1"})) }},
			{"the same hit", false, func(tx *archive.Tx) error { return drop(tx.Hits.Add("liman", []string{"1"})) }},
			{"where the synchronisation stands", false, func(tx *archive.Tx) error { return tx.State.Set("cursor", "1") }},
			{"a failure", false, func(tx *archive.Tx) error { return tx.Schedule.Postpone(record.Article, "1", noon) }},
			{"a text that was made ready", false, func(tx *archive.Tx) error { return tx.PutText(1, 1, []byte("a")) }},
			{"gone", true, func(tx *archive.Tx) error { return tx.MarkGone(record.Article, "1", noon) }},
			{"gone again", false, func(tx *archive.Tx) error { return tx.MarkGone(record.Article, "1", noon) }},
			{"back", true, func(tx *archive.Tx) error { return drop(tx.Put(&changed, noon)) }},
			{"forgotten", true, func(tx *archive.Tx) error { return tx.ForgetForTest(record.Article, "1") }},
		} {
			before := generation(t, a)
			update(t, a, step.do)
			if got := generation(t, a) != before; got != step.want {
				t.Errorf("%s: changes the generation: %t, want %t", step.name, got, step.want)
			}
		}
	})
}

func drop[T any](_ T, err error) error { return err }

func generation(t *testing.T, a *archive.Archive) string {
	t.Helper()
	e, err := a.State.Generation(ctx)
	if err != nil || e == "" {
		t.Fatalf("generation %q: %v", e, err)
	}
	return e
}

// What is kept of a text goes with the version of the record that it was made
// from, and to one version of the program.
func TestBodies(t *testing.T) {
	everyKind(t, func(t *testing.T, a *archive.Archive) {
		put(t, a, article("1", "Liman", 0), noon)
		put(t, a, article("2", "Ada", 1), noon)
		text := []byte("Deniz, deniz, deniz, deniz, deniz.")
		update(t, a, func(tx *archive.Tx) error { return tx.PutText(1, 7, text) })
		kept := func(version int64) string {
			t.Helper()
			body, err := a.Texts.Get(ctx, 1, version)
			if err != nil {
				t.Fatal(err)
			}
			together, err := a.Texts.GetMany(ctx, []int64{2, 1}, version)
			if err != nil || together[0] != "" || together[1] != body {
				t.Errorf("read together: %q, %v", together, err)
			}
			return body
		}
		missing := func(version int64, want int) {
			t.Helper()
			var got []int64
			for row, err := range a.Texts.Missing(ctx, version, nil) {
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, row)
			}
			if len(got) != want {
				t.Errorf("version %d: missing %v, want %d", version, got, want)
			}
		}
		if got := kept(7); got != string(text) {
			t.Errorf("kept %q", got)
		}
		if got := kept(8); got != "" {
			t.Errorf("of another version: %q", got)
		}
		missing(7, 1)
		missing(8, 2)
		put(t, a, article("1", "Liman 2", 0), noon)
		if got := kept(7); got != "" {
			t.Errorf("after a change of the record: %q", got)
		}
		missing(7, 2)
	})
}
