package arrange_test

import (
	"bytes"
	"fmt"
	"os"
	"testing"

	"ayna/archive"
	"ayna/generator/arrange"
	"ayna/generator/site"
	"ayna/record"
	"ayna/testrun/fakepaper"
)

// allOf is all that a site shows of its items, with their digests.
func allOf(s *site.Site) string {
	var b bytes.Buffer
	fmt.Fprintln(&b, dump(s), s.SourceHost, len(s.Emptied))
	for i := range s.All.All() {
		fmt.Fprintln(&b, i.Row(), i.Shown(), i.Named(), i.Text(), i.Content())
	}
	return b.String()
}

// What a scan kept changes nothing but the time that the next one takes: if it is read, if it is
// damaged anywhere, and if it is of another archive, program or time.
func TestKept(t *testing.T) {
	t.Parallel()
	records := func() (list []*archive.Record) {
		for i := range 30 {
			id := fmt.Sprint(100 + i)
			list = append(list, article(id, []string{"/spor/", "/ekonomi/", "/gizli/"}[i%3], "Haber "+id, i, "Tags", []string{"Deniz", "deniz", "liman"}[i%3:]))
		}
		return append(list, fakepaper.Fields(record.Writer, "w1", "Fullname", "Işıl Özden"), fakepaper.Fields(record.Page, "p1", "Title", "Hakkımızda"))
	}
	a, other := fakepaper.Archive(t, records()...), fakepaper.Archive(t, records()...)
	dir, err := os.OpenRoot(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	o := options(t)
	o.Exclude = []string{"/gizli/"}
	keeping := o
	keeping.Kept = arrange.Kept{Dir: dir, Program: "1"}
	compare := func(t *testing.T, a *archive.Archive, how arrange.Options) {
		t.Helper()
		got := allOf(arranged(t, a, how))
		if want := allOf(arranged(t, a, o)); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
	content := func() []byte {
		t.Helper()
		content, err := dir.ReadFile(arrange.KeptName)
		if err != nil {
			t.Fatal(err)
		}
		return content
	}
	compare(t, a, keeping)
	compare(t, a, keeping)
	sound := content()
	// Each flipped bit, and each cut, is noticed: the scan writes a file that it had not read.
	for at := 0; at < 8*len(sound); at += 89 {
		damaged := bytes.Clone(sound)
		damaged[at/8] ^= 1 << (at % 8)
		if at%3 == 0 {
			damaged = damaged[:at/8]
		}
		if err := dir.WriteFile(arrange.KeptName, damaged, 0o644); err != nil {
			t.Fatal(err)
		}
		if arranged(t, a, keeping); bytes.Equal(content(), damaged) {
			t.Fatalf("bit %d: the file is believed", at)
		}
	}
	compare(t, a, keeping)
	for _, step := range []struct {
		name string
		do   func(t *testing.T) // before the site is arranged
		read bool               // the file is read, and so not written anew
	}{
		{"nothing", func(*testing.T) {}, true},
		{"changes", func(t *testing.T) {
			fakepaper.Put(t, a, article("101", "/spor/", "Yeni başlık", 1), article("102", "/ekonomi/", "Gizli değil", 2), article("200", "/spor/", "Son", 50, "Tags", []string{"DENİZ"}))
			fakepaper.Update(t, a, func(tx *archive.Tx) error { return tx.MarkGone(record.Article, "103", fakepaper.Noon) })
		}, false},
		{"nothing again", func(t *testing.T) { arranged(t, a, keeping) }, true}, // the addresses are known now
		{"another site of the archive", func(t *testing.T) {
			elsewhere, err := os.OpenRoot(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			defer elsewhere.Close()
			how := keeping
			how.Kept.Dir = elsewhere
			compare(t, a, how)
			compare(t, a, how)
		}, true},
		{"another program", func(t *testing.T) {
			how := keeping
			how.Kept.Program = "2"
			compare(t, a, how)
		}, false},
		{"another archive", func(t *testing.T) {
			arranged(t, a, keeping)
			compare(t, other, keeping)
		}, false},
		{"anew", func(t *testing.T) { keeping.Kept.Anew = true }, false},
	} {
		t.Run(step.name, func(t *testing.T) {
			step.do(t)
			before := content()
			compare(t, a, keeping)
			if read := bytes.Equal(content(), before); read != step.read {
				t.Errorf("the file is read: %t, want %t", read, step.read)
			}
		})
	}
	if err := dir.Remove(arrange.KeptName); err != nil {
		t.Fatal(err)
	}
	compare(t, a, keeping)
}
