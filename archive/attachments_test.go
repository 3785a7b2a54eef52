package archive_test

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"ayna/archive"
	"ayna/attachment"
	"ayna/record"
)

// filed sets the attachments of a record from its JSON.
func filed(r *record.Record) error {
	var fields struct{ Files []record.Attachment }
	err := json.Unmarshal(r.List, &fields)
	r.Attachments = fields.Files
	return err
}

// filing is an article with attachments, of which those whose names begin with "s" are sounds.
func filing(t *testing.T, id string, second int, names ...string) archive.Record {
	t.Helper()
	r := article(id, "Ek", second)
	for _, name := range names {
		kind := attachment.Document
		if strings.HasPrefix(name, "s") {
			kind = attachment.Audio
		}
		r.Attachments = append(r.Attachments, record.Attachment{URL: "http://p.example/" + name, Kind: kind})
	}
	var err error
	if r.List, err = json.Marshal(map[string]any{"Id": id, "Title": "Ek", "Files": r.Attachments, "Second": second}); err != nil {
		t.Fatal(err)
	}
	return r
}

// Files are due by their records' age and by what earlier runs heard of them; what no record has
// any more is forgotten.
func TestAttachments(t *testing.T) {
	everyKind(t, func(t *testing.T, a *archive.Archive) {
		put(t, a, filing(t, "1", 0, "a.pdf", "s.mp3", "both.pdf"), noon)
		put(t, a, filing(t, "2", 60, "b.pdf", "both.pdf"), noon)
		missing := func(kinds ...attachment.Kind) string {
			list, more, err := a.Attachments.Missing(ctx, noon, 7, 3, func(_ record.Kind, _ []string, f record.Attachment) bool { return slices.Contains(kinds, f.Kind) })
			if err != nil {
				t.Fatal(err)
			}
			names := ""
			for _, d := range list {
				names += fmt.Sprintf("%s(%d) ", strings.TrimPrefix(d.URL, "http://p.example/"), d.Length)
			}
			return names + fmt.Sprint(more)
		}
		check := func(what, got, want string) {
			t.Helper()
			if got != want {
				t.Errorf("%s: %q, want %q", what, got, want)
			}
		}
		check("all", missing(attachment.Kinds...), "b.pdf(-1) both.pdf(-1) a.pdf(-1) 1")
		check("sounds", missing(attachment.Audio), "s.mp3(-1) 0")
		put1 := func(name, file string, due time.Time) {
			t.Helper()
			m := archive.Media{URL: "http://p.example/" + name, Name: file, Type: "application/pdf", Bytes: 1, Fetched: noon}
			if file != "" {
				writeMedia(t, a.Pictures.Dir(), file)
			}
			if err := a.Attachments.Put(ctx, m, archive.Download{URL: m.URL, ETag: `"1"`, Length: 7, Received: 3, Due: due}); err != nil {
				t.Fatal(err)
			}
		}
		name := func(i int) string { return strings.Replace(mediaName(i), "jpg", "pdf", 1) }
		put1("a.pdf", "", noon.Add(time.Hour))
		put1("s.mp3", "", noon)
		put1("b.pdf", name(1), noon.Add(-time.Hour))
		put1("both.pdf", name(2), noon.Add(200*24*time.Hour)) // by a clock that was ahead
		check("after a run", missing(attachment.Kinds...), "s.mp3(7) 0")
		again, err := a.Attachments.Again(ctx, noon, 5, []attachment.Kind{attachment.Document})
		if err != nil || len(again) != 2 || again[0].URL != "http://p.example/b.pdf" || !again[0].Mirrored || again[0].ETag != `"1"` {
			t.Errorf("again: %+v, %v", again, err)
		}
		put1("both.pdf", name(3), noon)
		if dir := a.Pictures.Dir(); dir != "" {
			check("after a change", fmt.Sprint(namesIn(t, dir)), fmt.Sprint([]string{name(1), name(3)}))
			if err := os.WriteFile(dir+"/"+name(1), []byte("başka"), 0o644); err != nil {
				t.Fatal(err)
			}
			var flaws []archive.Flaw
			for f, err := range a.Check(ctx, filed, 1, nil) {
				if err != nil {
					t.Fatal(err)
				}
				if strings.Contains(f.What, name(1)) {
					check("damage", f.What, "attachment "+name(1)+": its bytes do not have the digest in its name; it is fetched again by the next run")
					flaws = append(flaws, f)
				}
			}
			if err := a.Mend(ctx, flaws); err != nil {
				t.Fatal(err)
			}
			check("after damage", missing(attachment.Document), "b.pdf(7) 0")
		}
		put(t, a, filing(t, "2", 61, "b.pdf"), noon.Add(time.Hour))
		update(t, a, func(tx *archive.Tx) error { return tx.Forget(record.Article, "1", false) })
		if a.Pictures.Dir() != "" {
			if err := os.MkdirAll(a.Pictures.Dir()+"/.partial", 0o755); err != nil {
				t.Fatal(err)
			}
			writeMedia(t, a.Pictures.Dir(), strings.TrimPrefix(a.Attachments.Partial("http://p.example/s.mp3"), a.Pictures.Dir()))
		}
		if err := a.Purge(ctx, opened{}, filed); err != nil {
			t.Fatal(err)
		}
		rows, err := a.MediaForTest(ctx)
		if err != nil || a.CountForTest(t, "download") != 2 || len(rows) != 2 { // b.pdf, and both.pdf of an earlier version
			t.Errorf("after forget: %q, %d downloads, %v", rows, a.CountForTest(t, "download"), err)
		}
		if dir := a.Pictures.Dir(); dir != "" && len(namesIn(t, dir+"/.partial")) > 0 {
			t.Errorf("the part stays: %q", namesIn(t, dir))
		}
	})
}
