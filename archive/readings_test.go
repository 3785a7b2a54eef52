package archive_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"ayna/archive"
	"ayna/record"
)

// single is the original of an article as a reader has read it.
func single(typ, id, data, reader string, hours int) archive.Original {
	return archive.Original{
		Type: typ, ID: id, Kind: record.Article, Record: id, Operation: "/" + typ, Reader: reader, Fetched: noon.Add(time.Duration(hours) * time.Hour), Data: []byte(data),
	}
}

// versions returns the original of an article with its earlier versions, the latest first.
func versions(t *testing.T, a *archive.Archive, types []string, id string) (list []string) {
	t.Helper()
	for _, typ := range types {
		holding, err := a.Originals.Get(ctx, typ, record.SinglePart, []string{id})
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range holding {
			list = append(list, fmt.Sprintf("%s %s by %s", o.Type, o.Data, o.Reader))
		}
	}
	for o, err := range a.Originals.Earlier(ctx, record.Article, id) {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, fmt.Sprintf("%s %s until %d", o.Type, o.Data, o.Replaced.Sub(noon)/time.Hour))
	}
	return list
}

// An original of another record makes the one before it an earlier version. One of the same
// record takes its place only if another reader has read it.
func TestKeptOriginals(t *testing.T) {
	everyKind(t, func(t *testing.T, a *archive.Archive) {
		const id = "7\x00\xff"
		for i, step := range []struct {
			o      archive.Original
			isSame bool
			want   string
		}{
			{single("posts", id, `{"n":1}`, "a", 1), false, `posts {"n":1} by a`},
			{single("posts", id, `{"n":2}`, "a", 2), true, `posts {"n":1} by a`},
			{single("posts", id, `{"n":3}`, "b", 3), true, `posts {"n":3} by b`},
			{single("posts", id, `{"n":4}`, "b", 4), false, `posts {"n":4} by b; posts {"n":3} until 4`},
			{single("posts", id, `{"n":5}`, "b", 4), false, `posts {"n":5} by b; posts {"n":4} until 4`},
			{single("pages", id, `{"n":6}`, "b", 6), true, `pages {"n":6} by b; posts {"n":5} until 6; posts {"n":4} until 4`},
			{single("posts", id, `{"n":7}`, "c", 7), false, `posts {"n":7} by c; pages {"n":6} until 7; posts {"n":5} until 6; posts {"n":4} until 4`},
		} {
			update(t, a, func(tx *archive.Tx) error { return tx.Originals.Keep(step.o, step.isSame) })
			if got := strings.Join(versions(t, a, []string{"posts", "pages"}, id), "; "); got != step.want {
				t.Errorf("step %d: %s, want %s", i, got, step.want)
			}
		}
		if got := allOriginals(t, a, "posts", record.SinglePart); len(got) != 1 {
			t.Errorf("all are %q", got)
		}
		if lines, _ := flawsOf(t, a); len(lines) > 0 {
			t.Errorf("flaws %q", lines)
		}
	})
}

// Originals that another reader has read come, at most as many as asked for, until they are marked.
// What their readers have not understood is counted by kind.
func TestOutdatedOriginals(t *testing.T) {
	everyKind(t, func(t *testing.T, a *archive.Archive) {
		for i, id := range []string{"1", "2", "3", "4", "5"} {
			put(t, a, article(id, "başlık", i), noon)
		}
		outdated := func() ([]archive.Original, string) {
			list, err := a.Originals.Outdated(ctx, "b", 9)
			n, err2 := a.Originals.CountOutdated(ctx, "b")
			some, err3 := a.Originals.Outdated(ctx, "b", 2)
			if err := errors.Join(err, err2, err3); err != nil || n != len(list)+1 || len(some) != min(len(list), 2) {
				t.Fatalf("%d, %d of %d, %v", n, len(some), len(list), err)
			}
			slices.SortFunc(list, func(x, y archive.Original) int { return strings.Compare(x.Record, y.Record) })
			ids := ""
			for _, o := range list {
				ids += o.Record
			}
			return list, ids
		}
		update(t, a, func(tx *archive.Tx) error {
			for _, o := range []archive.Original{
				single("posts", "1", `1`, "a", 1), single("posts", "2", `2`, "b", 1), single("posts", "3", `3`, "c", 1), single("posts", "4", `4`, "b!", 1),
				single("posts", "5", `5`, "", 1), single("posts", "5", `6`, "b1", 2), single("posts", "absent", `7`, "a", 1),
			} {
				if err := tx.Originals.Keep(o, false); err != nil {
					return err
				}
			}
			_, err := tx.Originals.Put(original("tags", "1", `8`))
			return err
		})
		list, ids := outdated()
		if ids != "135" {
			t.Errorf("outdated %q", ids)
		}
		update(t, a, func(tx *archive.Tx) error {
			for i, o := range list {
				o.Notes = []string{"shortcodes players", "shortcodes later", ""}[i]
				if err := tx.Originals.MarkRead(o, []string{"b", archive.Unreadable("b")}[i%2]); err != nil {
					return err
				}
			}
			return nil
		})
		if _, ids := outdated(); ids != "" {
			t.Errorf("still outdated %q", ids)
		}
		notes, err := a.Originals.Notes(ctx)
		if got := fmt.Sprint(notes); err != nil || got != "[{shortcodes 2 {article 3  3}} {players 1 {article 1  1}}]" {
			t.Errorf("notes %s, %v", got, err)
		}
		update(t, a, func(tx *archive.Tx) error { return tx.MarkGone(record.Article, "1", noon) })
		if notes, err := a.Originals.Notes(ctx); err != nil || len(notes) != 1 || notes[0].Records != 1 {
			t.Errorf("notes of those that are not gone: %v, %v", notes, err)
		}
	})
}

// Items that have a text, and no original of it, are found, the newest first.
func TestWithoutOriginal(t *testing.T) {
	everyKind(t, func(t *testing.T, a *archive.Archive) {
		store := func(kind record.Kind, id string, minutes int, change func(*archive.Record)) {
			r := article(id, "başlık", minutes)
			r.Kind, r.Fetched, r.FetchDue = kind, noon, false
			change(&r)
			put(t, a, r, noon)
		}
		nothing := func(*archive.Record) {}
		store(record.Article, "1", 1, nothing)
		store(record.Gallery, "2", 2, nothing)
		store(record.Article, "3", 3, func(r *archive.Record) { r.Standing = true })
		store(record.Page, "editorial", 4, nothing)
		store(record.Article, "waiting", 5, func(r *archive.Record) { r.Fetched = time.Time{} })
		store(record.Article, "due", 6, func(r *archive.Record) { r.FetchDue = true })
		store(record.Article, "gone", 7, nothing)
		store(record.Writer, "writer", 8, nothing)
		store(record.Article, "kept", 9, nothing)
		store(record.Column, "kept", 10, nothing)
		update(t, a, func(tx *archive.Tx) error {
			if err := tx.MarkGone(record.Article, "gone", noon); err != nil {
				return err
			}
			return tx.Originals.Keep(single("posts", "kept", `{}`, "a", 1), false)
		})
		var ids []string
		for row, err := range a.Originals.WithoutOriginal(ctx) {
			if err != nil {
				t.Fatal(err)
			}
			r, err := a.Records.Row(ctx, row)
			if err != nil {
				t.Fatal(err)
			}
			ids = append(ids, string(r.Kind)+" "+r.ID)
		}
		if got := strings.Join(ids, ", "); got != "column kept, article 3, gallery 2, article 1" {
			t.Errorf("found %s", got)
		}
	})
}

// Originals go into another archive beside the records that were made of them, once.
func TestMovedOriginals(t *testing.T) {
	everyKind(t, func(t *testing.T, a *archive.Archive) {
		put(t, a, article("1", "başlık", 1), noon)
		update(t, a, func(tx *archive.Tx) error {
			for i, o := range []archive.Original{single("posts", "1", `{"n":1}`, "a", 1), single("posts", "1", `{"n":2}`, "a", 2), single("posts", "absent", `{}`, "a", 1)} {
				if err := tx.Originals.Keep(o, false); err != nil {
					return fmt.Errorf("%d: %w", i, err)
				}
			}
			_, err := tx.Originals.Put(original("tags", "7", `{"t":7}`))
			return err
		})
		other := open(t)
		put(t, other, article("1", "başlık", 1), noon)
		for _, want := range []string{"true posts 1, true posts 1, false posts absent, true tags 7, ", "false posts 1, false posts 1, false posts absent, false tags 7, "} {
			got := ""
			for o, err := range a.Originals.Each(ctx) {
				if err != nil {
					t.Fatal(err)
				}
				var stored bool
				update(t, other, func(tx *archive.Tx) (err error) { stored, err = tx.Originals.Import(o); return err })
				got += fmt.Sprintf("%t %s %s, ", stored, o.Type, o.ID)
			}
			if got != want {
				t.Errorf("stored %s, want %s", got, want)
			}
		}
		if got := strings.Join(versions(t, other, []string{"posts"}, "1"), "; "); got != `posts {"n":2} by a; posts {"n":1} until 2` {
			t.Errorf("moved %s", got)
		}
	})
}
