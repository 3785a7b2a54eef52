package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"ayna/testrun/fakepaper"
)

// change makes changes at the source and returns what they are: one to six, and some of
// records whose texts could not be had.
func (l *life) change() (changes []string) {
	for _, id := range slices.Sorted(maps.Keys(l.hidden)) {
		switch l.random.IntN(3) {
		case 0:
			delete(l.hidden, id)
			changes = append(changes, "text of "+id+" there")
		case 1:
			delete(l.hidden, id)
			if i := slices.IndexFunc(l.Records(), func(r fakepaper.Record) bool { return r.ID == id }); i >= 0 {
				changes = append(changes, l.remove(l.Records()[i]))
			}
		}
	}
	for range 1 + l.random.IntN(6) {
		changes = append(changes, l.changeOne())
	}
	return changes
}

func (l *life) changeOne() string {
	items := slices.DeleteFunc(l.Records(), func(r fakepaper.Record) bool { return !isItem(r) })
	if len(items) < 10 {
		return l.add(items[0], "Dolgu")
	}
	r, other := items[l.random.IntN(len(items))], items[l.random.IntN(len(items))]
	word := l.word()
	edit := func(what string, change func(*fakepaper.Record)) string {
		dated := l.random.IntN(2) == 0
		l.Edit(r.Group, r.ID, func(r *fakepaper.Record) {
			change(r)
			if dated {
				r.Modified = l.now()
			}
			l.leave(*r)
		})
		return what + " of " + r.ID
	}
	switch l.random.IntN(14) {
	case 0:
		return edit("title", func(r *fakepaper.Record) { r.Title = "Başlık " + word })
	case 1:
		return edit("text", func(r *fakepaper.Record) { r.Text = "<p>Metin " + word + "</p>" })
	case 2:
		return edit("folder", func(r *fakepaper.Record) { r.Path = other.Path })
	case 3:
		return edit("tags", func(r *fakepaper.Record) { r.Tags = []string{word, "kıyı"} })
	case 4:
		return edit("pictures", func(r *fakepaper.Record) {
			r.Pictures = []string{l.picture()}
			if len(other.Pictures) > 0 {
				r.Pictures = append(r.Pictures, other.Pictures[0])
			}
		})
	case 5:
		return edit("address", func(r *fakepaper.Record) { r.URL = l.Base + "/kıyı" + l.path() + "-ağaç" })
	case 6:
		return edit("link to "+other.ID, func(r *fakepaper.Record) {
			link := l.link(other)
			r.Text = fmt.Sprintf(`<p>Bakınız: <a href="%s">%s</a></p>`, link, word)
		})
	case 7:
		l.Amend(r.Group, r.ID, func(r *fakepaper.Record) {
			r.Text = "<p>Sessiz " + word + "</p>"
			l.leave(*r)
		})
		return "silent edit of " + r.ID
	case 8:
		return l.remove(r)
	case 9:
		if len(l.gone) == 0 {
			return l.remove(r)
		}
		i := len(l.gone) - 1 - l.random.IntN(min(5, len(l.gone)))
		r := l.gone[i]
		l.gone = slices.Delete(l.gone, i, i+1)
		l.Add(r)
		return "back " + r.ID
	case 10:
		l.remove(r)
		old := r.ID
		r.ID = l.unused("50%06d")
		l.Add(r)
		l.leave(r)
		return old + " is now " + r.ID
	case 11:
		for _, other := range items {
			if other.Path == r.Path {
				l.Edit(other.Group, other.ID, func(o *fakepaper.Record) { o.Path = "/" + word + "/" })
			}
		}
		return "renamed " + r.Path
	default:
		return l.add(r, word)
	}
}

// word returns a word that no text had.
func (l *life) word() string { return l.unused("sözcük%06dx") }

// path returns the path of an address that no record had.
func (l *life) path() string { return l.unused("/haber-%06dx") }

// picture returns the address of a picture that no record had.
func (l *life) picture() string { return l.Base + l.unused("/bild/%06d.png") }

func (l *life) unused(form string) string {
	l.made++
	return fmt.Sprintf(form, l.made)
}

func isItem(r fakepaper.Record) bool {
	return slices.Contains([]string{"articles", "columns", "newsphotogalleries", "newsvideos"}, r.Group)
}

// add publishes a record like another one. The text of some cannot be had for a time.
func (l *life) add(r fakepaper.Record, word string) string {
	r.ID = l.unused("50%06d")
	r.Title, r.Text, r.URL = "Yeni "+word, "<p>İlk "+word+"</p>", l.Base+l.path()
	r.Created = l.now().Add(-time.Minute)
	r.Modified, r.Pictures = r.Created, []string{l.picture()}
	l.Add(r)
	l.leave(r)
	if l.random.IntN(3) == 0 {
		l.hidden[r.ID] = true
		return "new " + r.ID + " without its text"
	}
	return "new " + r.ID
}

func (l *life) remove(r fakepaper.Record) string {
	l.Remove(r.Group, r.ID)
	l.gone = append(l.gone, r)
	return "gone " + r.ID
}

// link returns an address that a record has or had, in some spelling.
func (l *life) link(to fakepaper.Record) string {
	var urls []string
	for text, trace := range l.traces {
		if text == trace.url && trace.of[recordKey(to)] {
			urls = append(urls, text)
		}
	}
	slices.Sort(urls)
	url := urls[l.random.IntN(len(urls))]
	var link string
	if err := json.Unmarshal([]byte(`"`+spelled(l.random, strings.TrimPrefix(url, []string{"", "http:", l.Base}[l.random.IntN(3)]))+`"`), &link); err != nil {
		l.t.Fatal(err)
	}
	l.own(link, url, recordKey(to))
	return link
}
