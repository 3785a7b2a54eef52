package generator_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"ayna/archive"
	"ayna/record"
	"ayna/testrun/fakepaper"
)

func (l *siteLife) folder(n int) string {
	return []string{"/spor/", "/spor/futbol/", "/ekonomi/", "/kent/"}[n%4]
}

func (l *siteLife) words() string {
	l.made++
	return fmt.Sprintf("%s %d", fakepaper.Item(record.Article, fmt.Sprint(l.IntN(50))).ID, l.made) + " haber"
}

func (l *siteLife) pictures() (files []map[string]any) {
	for range l.IntN(3) {
		files = append(files, map[string]any{"FileUrl": fmt.Sprintf("http://img.haber.example/%d.png", l.IntN(40)), "Metadata": map[string]any{"Title": "Resim"}})
	}
	return files
}

// reference is one to an item that may not exist, or not yet.
func (l *siteLife) reference() map[string]any {
	id := fmt.Sprint(1000 + l.IntN(90))
	return map[string]any{"Id": id, "Title": "Haber " + id, "Url": "http://www.haber.example/haber-" + id}
}

func (l *siteLife) item() *archive.Record {
	kind := []record.Kind{record.Article, record.Article, record.Article, record.Column, record.Gallery, record.Video}[l.IntN(6)]
	r := fakepaper.Item(kind, fmt.Sprint(1000+len(l.records)))
	for _, field := range fieldsOfLife {
		r = fakepaper.With(r, field, l.value(field))
	}
	if kind == record.Column {
		r = fakepaper.With(r, "WriterId", fmt.Sprint(800+l.IntN(4)), "Fullname", "Yazar")
	}
	return r
}

var fieldsOfLife = []string{"Title", "Description", "Text", "Path", "Tags", "RelatedNews", "Files", "Writers", "CreatedDate", "Editor"}

func (l *siteLife) value(field string) any {
	switch field {
	case "Text":
		return fmt.Sprintf(`<p>%s <a href="%s">bağlantı</a>, <a href="http://img.haber.example/%d.pdf">belge</a></p>`, l.words(), l.reference()["Url"], l.IntN(9))
	case "Path":
		return l.folder(l.IntN(4))
	case "Tags":
		return []string{"liman", "köprü", "deniz", "vapur"}[l.IntN(3):]
	case "RelatedNews":
		return []any{l.reference(), l.reference()}[l.IntN(3):]
	case "Files":
		return l.pictures()
	case "Writers":
		return []any{map[string]any{"Id": fmt.Sprint(800 + l.IntN(4)), "Fullname": "Yazar"}}[l.IntN(2):]
	case "CreatedDate":
		return fakepaper.Noon.Add(-time.Duration(l.IntN(90*24*60)) * time.Minute).Format(time.RFC3339)
	}
	return l.words()
}

// put stores a record an hour after the one before.
func (l *siteLife) put(r *archive.Record) {
	l.t.Helper()
	l.made++
	r.Listed = fakepaper.Noon.Add(time.Duration(l.made) * time.Hour)
	r.Fetched = r.Listed
	update(l.t, l.config.Archive, func(tx *archive.Tx) error { return fakepaper.Store(tx, r) })
	if i := slices.IndexFunc(l.records, func(known *archive.Record) bool { return known.Kind == r.Kind && known.ID == r.ID }); i >= 0 {
		l.records[i] = r
		return
	}
	l.records = append(l.records, r)
}

// replaceArchive copies the archive, or puts an earlier copy in its place.
func (l *siteLife) replaceArchive() string {
	l.t.Helper()
	from, to, isBack := l.config.Archive, filepath.Join(l.dir, "copy.db"), false
	if _, err := os.Stat(to); err == nil && l.IntN(3) > 0 {
		from, to, isBack = to, from, true
	}
	content, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, content, 0o644)
	}
	if err != nil {
		l.t.Fatal(err)
	}
	if isBack {
		a := fakepaper.Open(l.t, l.config.Archive)
		defer a.Close()
		l.list(a)
	}
	return fmt.Sprint("copied the archive, back: ", isBack)
}

// list lists the records that an archive has.
func (l *siteLife) list(a *archive.Archive) {
	l.t.Helper()
	l.records = nil
	for r, err := range a.Records.All(l.t.Context()) {
		if err != nil {
			l.t.Fatal(err)
		}
		l.records = append(l.records, r)
	}
}

// comment adds, changes or deletes a comment below a record.
func (l *siteLife) comment(of string) string {
	c := archive.Comment{ID: fmt.Sprint(1 + l.IntN(9)), Record: of, Parent: fmt.Sprint(l.IntN(9)), Written: fakepaper.Noon, HTML: "<p>" + l.words() + "</p>"}
	isDeleted := l.IntN(4) == 0
	update(l.t, l.config.Archive, func(tx *archive.Tx) error {
		if isDeleted {
			return tx.Comments.Delete(c.ID)
		}
		_, err := tx.Comments.Put(c)
		return err
	})
	return fmt.Sprintf("comment %s below %s, deleted: %t", c.ID, of, isDeleted)
}
