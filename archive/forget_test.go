package archive_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ayna/archive"
	"ayna/archive/database"
	"ayna/record"
)

// opened is a redaction that makes "gizli" open, and does not take other texts for JSON.
type opened struct{}

func (opened) Mentions(text []byte) bool { return bytes.Contains(text, []byte("gizli")) }

func (opened) Apply(raw []byte) ([]byte, error) {
	if !json.Valid(raw) {
		return nil, errors.New("this is no JSON")
	}
	return bytes.ReplaceAll(raw, []byte("gizli"), []byte("açık")), nil
}

// pictured sets the pictures of a record from its JSON.
func pictured(r *record.Record) error {
	var fields struct{ Images []string }
	err := json.Unmarshal(r.List, &fields)
	r.Images = fields.Images
	return err
}

// What a forgotten record had goes, and what others have stays.
func TestForgetLeavesNothing(t *testing.T) {
	everyKind(t, func(t *testing.T, a *archive.Archive) {
		const base = "http://p.example/"
		version := func(id string, second int, pictures ...string) {
			r := article(id, "gizli"+id, second)
			for _, name := range pictures {
				r.Images = append(r.Images, base+name)
			}
			list, err := json.Marshal(map[string]any{"Id": id, "Title": "gizli" + id, "Images": r.Images, "Second": second})
			if err != nil {
				t.Fatal(err)
			}
			r.List, r.URL, r.Related = list, base+"haber/"+id, []record.Reference{{ID: "x", Title: "gizli"}}
			put(t, a, r, noon)
		}
		version("1", 0, "earlier", "both", "others")
		version("2", 0, "others")
		version("1", 1, "own", "both")
		version("2", 1, "both")
		version("3", 0)
		update(t, a, func(tx *archive.Tx) error {
			for i, name := range []string{"earlier", "own", "both", "others"} {
				if err := tx.PutMedia(archive.Media{URL: base + name, Name: mediaName(i), Fetched: noon}); err != nil {
					return err
				}
			}
			return errors.Join(tx.PutMedia(archive.Media{URL: base + "failed", Problem: "x", Fetched: noon}),
				tx.Hits.Put("91", []byte(`{"a":"gizli1"}`)), tx.Hits.Put("92", []byte("gizli2")), tx.SetAddress(1, "haber/1.html"))
		})
		for _, statement := range []string{
			`INSERT INTO revision (row, part, json, seen) VALUES (2, 'damaged', '{"a":"gizli', 1), (2, 'damaged', '{"a":"kalan', 1)`,
			`UPDATE raw SET list = '{"a":"gizli' WHERE row = 3`,
		} {
			if err := a.ExecForTest(statement, statement); err != nil {
				t.Fatal(err)
			}
		}
		files := []string{mediaName(7), ".tmp-123"}
		for i := range 4 {
			files = append(files, mediaName(i))
		}
		for _, name := range append(files, "kept.txt") {
			writeMedia(t, a.Pictures.Dir(), name)
			writeMedia(t, a.Pictures.SizesDir(), sized(name))
		}

		forget := func() {
			update(t, a, func(tx *archive.Tx) error { return tx.Forget(record.Article, "1", false) })
			if due, err := a.State.PurgeDue(ctx); err != nil || !due {
				t.Errorf("the intent is not kept: %v", err)
			}
			if err := a.Purge(ctx, opened{}, pictured); err != nil {
				t.Fatal(err)
			}
			if due, err := a.State.PurgeDue(ctx); err != nil || due {
				t.Errorf("it is not done: %v", err)
			}
		}
		for range 2 { // the second time it does nothing
			forget()
			revisions, err := revisionsOf(a, 2)
			if err != nil || len(revisions) != 2 || !strings.Contains(fmt.Sprintf("%s", revisions), "açık2") || !strings.Contains(fmt.Sprintf("%s", revisions), "kalan") {
				t.Errorf("revisions %s, %v", revisions, err)
			}
			if r, err := a.Records.Get(ctx, record.Article, "2"); err != nil || r.Damaged || !bytes.Contains(r.List, []byte("açık2")) {
				t.Errorf("the other record is %s, %v", r.List, err)
			}
			if r, err := a.Records.Get(ctx, record.Article, "3"); err != nil || r.List != nil || !r.FetchDue || len(r.Related) > 0 {
				t.Errorf("the damaged record is %+v, %v", r, err)
			}
			forgotten, err := a.State.Forgotten(ctx)
			if want := []record.Forgotten{{Kind: record.Article, ID: "1"}, {Kind: record.Article, ID: "1", URL: base + "haber/1"}}; err != nil || !slices.Equal(forgotten, want) {
				t.Errorf("forgotten %v, %v", forgotten, err)
			}
			if media, err := a.MediaForTest(ctx); err != nil || !slices.Equal(media, []string{base + "both", base + "others"}) {
				t.Errorf("rows of pictures %q, %v", media, err)
			}
			kept := "kept.txt " + mediaName(2) + " " + mediaName(3)
			for dir, want := range map[string]string{a.Pictures.Dir(): kept, a.Pictures.SizesDir(): sized(kept)} {
				if names := namesIn(t, dir); dir != "" && strings.Join(names, " ") != sorted(want) {
					t.Errorf("%s has %q, want %q", dir, names, want)
				}
			}
		}
	})
}

func sorted(words string) string {
	list := strings.Fields(words)
	slices.Sort(list)
	return strings.Join(list, " ")
}

// sized returns the names of smaller pictures for those of pictures.
func sized(names string) string { return strings.ReplaceAll(names, ".jpg", "-640.jpg") }

func mediaName(i int) string { return strings.Repeat(strconv.Itoa(i), 32) + ".jpg" }

// writeMedia writes a file, unless the archive is in memory.
func writeMedia(t *testing.T, dir, name string) {
	t.Helper()
	if dir == "" {
		return
	}
	if err := errors.Join(os.MkdirAll(dir, 0o755), os.WriteFile(filepath.Join(dir, name), []byte("x"), 0o644)); err != nil {
		t.Fatal(err)
	}
}

// A prepared text names the page of a record that it links, also where the link stays
// because another record has the same address.
func TestForgetDropsPreparedTexts(t *testing.T) {
	everyKind(t, func(t *testing.T, a *archive.Archive) {
		const shared = "http://p.example/haber"
		for i, links := range [][]string{nil, nil, {shared}, nil} {
			r := article(strconv.Itoa(i+1), "Başlık", 0)
			r.Links = links
			if i < 2 {
				r.URL = shared
			}
			put(t, a, r, noon)
			stored, err := a.Records.Get(ctx, record.Article, r.ID)
			if err != nil {
				t.Fatal(err)
			}
			update(t, a, func(tx *archive.Tx) error { return tx.PutText(stored.Row, 7, []byte("haber-1.html")) })
		}
		update(t, a, func(tx *archive.Tx) error { return tx.Forget(record.Article, "1", false) })
		if err := a.Purge(ctx, opened{}, pictured); err != nil {
			t.Fatal(err)
		}
		for i, want := range []string{"haber-1.html", "", "haber-1.html"} {
			r, err := a.Records.Get(ctx, record.Article, strconv.Itoa(i+2))
			if err != nil {
				t.Fatal(err)
			}
			if got, err := a.Texts.Get(ctx, r.Row, 7); err != nil || got != want {
				t.Errorf("the prepared text of %s is %q, %v; want %q", r.ID, got, err, want)
			}
		}
	})
}

// A record that never was there is forgotten on purpose only.
func TestForgetUnknown(t *testing.T) {
	everyKind(t, func(t *testing.T, a *archive.Archive) {
		forget := func(id string, absent bool) error {
			return a.Update(ctx, func(tx *archive.Tx) error { return tx.Forget(record.Article, id, absent) })
		}
		undo := func(id string) error {
			return a.Update(ctx, func(tx *archive.Tx) error { return tx.Unforget(record.Article, id) })
		}
		update(t, a, func(tx *archive.Tx) error { return drop(tx.Hits.Add("liman", []string{"3"})) })
		for i, step := range []struct {
			err  error
			fine bool
		}{
			{forget("1", false), false}, {undo("1"), false}, {forget("1", true), true}, {forget("1", false), true},
			{undo("1"), true}, {forget("1", false), false}, {forget("3", false), true},
		} {
			if fine := step.err == nil; fine != step.fine || !fine && !errors.Is(step.err, database.ErrNotFound) {
				t.Errorf("step %d: %v", i, step.err)
			}
		}
	})
}
