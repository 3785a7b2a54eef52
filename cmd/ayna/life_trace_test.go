package main

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"hash/fnv"
	"image"
	"image/png"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"ayna/archive"
	"ayna/archive/database"
	"ayna/record"
	"ayna/testrun/fakepaper"
)

// trace is a text, a picture or an address that is of some records alone. When all of them
// are forgotten it must be nowhere.
type trace struct {
	of  map[string]bool // keys of records
	url string          // of a link and an address: the address, which the mirror may never have seen
}

func recordKey(r fakepaper.Record) string { return string(r.Kind()) + "/" + r.ID }

var ownWord = regexp.MustCompile(`sözcük\d{6}x`)

// leave notes what is of a record.
func (l *life) leave(r fakepaper.Record) {
	key := recordKey(r)
	l.own(r.ID, "", key)
	if !isItem(r) {
		return
	}
	l.own(r.URL, r.URL, key)
	for _, word := range ownWord.FindAllString(fmt.Sprint(r.Title, r.Text, r.Tags), -1) {
		l.own(word, "", key)
	}
	for _, address := range r.Pictures {
		l.own(address, "", key)
		l.own(string(picture(filepath.Base(address))), "", key)
	}
}

func (l *life) own(text, url, key string) {
	if l.traces[text] == nil {
		l.traces[text] = &trace{make(map[string]bool), url}
		if address := l.traces[url]; address != nil { // a link is of all that had the address
			l.traces[text].of = address.of
		}
	}
	l.traces[text].of[key] = true
}

// picture draws noise that depends on the name.
func picture(name string) []byte {
	h := fnv.New64a()
	fmt.Fprint(h, name)
	random := rand.New(rand.NewPCG(h.Sum64(), 1))
	m := image.NewGray(image.Rect(0, 0, 40, 30))
	for i := range m.Pix {
		m.Pix[i] = byte(random.Uint32())
	}
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		panic(err) // a buffer takes everything
	}
	return b.Bytes()
}

// checkForgotten looks for what is of forgotten records.
func (l *life) checkForgotten() {
	l.t.Helper()
	forgotten := make(map[string]bool)
	l.archive(l.archivePath(), func(a *archive.Archive) error {
		list, err := a.State.Forgotten(l.t.Context())
		for _, f := range list {
			forgotten[string(f.Kind)+"/"+f.ID] = true
		}
		return err
	})
	maps.DeleteFunc(l.addresses, func(key, _ string) bool { return forgotten[key] })
	for key := range l.forgotten {
		if !forgotten[key] {
			l.t.Errorf("%s is not in the list of forgotten records", key)
		}
	}
	var texts []string
	for text, trace := range l.traces {
		seen, all := trace.url == "", true
		for key := range trace.of {
			seen = seen || l.seen[key+" "+trace.url]
			all = all && forgotten[key]
		}
		if seen && all {
			texts = append(texts, text)
		}
	}
	look := func(name string, content []byte, texts []string) {
		for _, text := range texts {
			if at := bytes.Index(content, []byte(text)); at >= 0 {
				around := content[max(0, at-100):min(len(content), at+100)]
				l.t.Errorf("%s holds %.40q, of %v: %q", name, text, slices.Collect(maps.Keys(l.traces[text].of)), around)
			}
		}
	}
	live, free := l.withoutList()
	look("archive.db", live, texts)
	// Where a free part of a page begins with another id, a byte may make it look like this one.
	noID := slices.DeleteFunc(slices.Clone(texts), func(text string) bool { return strings.Trim(text, "0123456789") == "" })
	look("archive.db with free pages", free, noID)
	err := filepath.WalkDir(l.dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || strings.HasPrefix(e.Name(), "report-") || name == l.archivePath() {
			return err
		}
		content, err := os.ReadFile(name)
		look(strings.TrimPrefix(name, l.dir), content, texts)
		return err
	})
	if err != nil {
		l.t.Fatal(err)
	}
}

// withoutList returns the bytes of the archive's database but for the list of forgotten
// records: without what is deleted and not overwritten, and with it.
func (l *life) withoutList() (live, free []byte) {
	l.t.Helper()
	dir := l.t.TempDir()
	defer os.RemoveAll(dir)
	copied, vacuumed := filepath.Join(dir, "copy.db"), filepath.Join(dir, "vacuumed.db")
	content, err := os.ReadFile(l.archivePath())
	if err == nil {
		err = os.WriteFile(copied, content, 0o644)
	}
	if err != nil {
		l.t.Fatal(err)
	}
	db, err := sql.Open("sqlite", copied)
	if err != nil {
		l.t.Fatal(err)
	}
	_, err = db.Exec(`PRAGMA secure_delete = ON; DELETE FROM forgotten; PRAGMA wal_checkpoint(TRUNCATE); VACUUM INTO '` + vacuumed + `'`)
	if err := errors.Join(err, db.Close()); err != nil {
		l.t.Fatal(err)
	}
	free, err1 := os.ReadFile(copied)
	live, err2 := os.ReadFile(vacuumed)
	if err := errors.Join(err1, err2); err != nil {
		l.t.Fatal(err)
	}
	return live, free
}

// converge mirrors the source once a week, without further changes, until the archive has
// what the source has. Silent edits of old records take a month.
func (l *life) converge() {
	l.t.Helper()
	clear(l.hidden)
	l.SetFaults(nil)
	var missing []string
	for range 14 {
		l.ahead.Add(int64(7 * day))
		l.plain("--allow-delete", "1000")
		if missing = l.missing(); len(missing) == 0 {
			l.compare()
			return
		}
	}
	l.t.Errorf("the archive is not what the source has:\n%s", strings.Join(missing, "\n"))
}

// missing compares the archive with the source, and returns the differences.
func (l *life) missing() (missing []string) {
	l.t.Helper()
	differs := func(key, how string) { missing = append(missing, key+" "+how) }
	l.archive(l.archivePath(), func(a *archive.Archive) error {
		forgotten, err := a.State.Forgotten(l.t.Context())
		if err != nil {
			return err
		}
		redaction, there := record.NewRedaction(forgotten...), make(map[string]bool)
		for _, r := range l.Records() {
			key := recordKey(r)
			there[key] = true
			if slices.ContainsFunc(forgotten, func(f record.Forgotten) bool { return string(f.Kind)+"/"+f.ID == key }) {
				continue
			}
			got, err := a.Records.Get(l.t.Context(), r.Kind(), r.ID)
			if errors.Is(err, database.ErrNotFound) {
				differs(key, "is missing")
				continue
			}
			if err != nil {
				return err
			}
			for i, json := range []string{l.ListJSON(r), l.SingleJSON(r)} {
				want, err := redaction.Apply([]byte(json))
				if err != nil {
					return err
				}
				if have := [][]byte{got.List, got.Single}[i]; !bytes.Equal(have, want) {
					differs(key, fmt.Sprintf("is\n%s\nwant\n%s", have, want))
				}
			}
			if !got.GoneAt.IsZero() {
				differs(key, "is gone")
			}
			if got.FetchDue {
				differs(key, "waits")
			}
		}
		for r, err := range a.Catalog.Scan(l.t.Context()) {
			if err != nil {
				return err
			}
			if key := string(r.Kind) + "/" + r.ID; !there[key] && r.GoneAt.IsZero() {
				differs(key, "is not gone")
			}
		}
		return nil
	})
	return missing
}
