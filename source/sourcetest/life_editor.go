package sourcetest

import (
	"fmt"
	"maps"
	"slices"
	"time"
)

// change has the editor change something, and returns what.
func (l *life) change() string {
	items := l.paper.Items()
	i := items[l.random.IntN(len(items))]
	l.words, l.changed = l.words+1, true
	word := fmt.Sprintf("sözcük%05d", l.words)
	edit := func(what string, change func(*Item)) string {
		l.paper.Change(i.ID, time.Now(), change)
		l.edited = append(l.edited, i.ID)
		return what + " of " + i.ID
	}
	switch n := l.random.IntN(16); {
	case n < 3 || len(items) < 25:
		i = Item{Title: "Yeni " + word, Summary: "Özet " + word, Text: "<p>Metin " + word + " burada uzundur.</p>", Names: maps.Clone(i.Names)}
		if slices.Contains(l.Can, Schedules) && l.random.IntN(3) == 0 {
			i.Date = time.Now().Add(time.Duration(1+l.random.IntN(70)) * time.Hour)
			if i.Date.After(l.scheduled) {
				l.scheduled = i.Date
			}
		}
		i.ID = l.paper.Publish(i)
		l.edited = append(l.edited, i.ID)
		return "new " + i.ID
	case n < 4:
		return edit("title", func(i *Item) { i.Title = "Başlık " + word })
	case n < 6:
		return edit("text", func(i *Item) { i.Text = "<p>Metin " + word + "</p>" })
	case n < 7:
		return edit("summary", func(i *Item) { i.Summary = []string{"", "Özet " + word}[l.random.IntN(2)] })
	case n < 8:
		l.paper.Change(i.ID, time.Time{}, func(i *Item) { i.Title = "Sessiz " + word })
		return "silent title of " + i.ID
	case n < 9:
		return l.stick(i)
	case n < 10:
		other := items[l.random.IntN(len(items))]
		return edit("names", func(i *Item) { maps.Copy(i.Names, other.Names) })
	case n < 11:
		return l.rename(i, word)
	case n < 12:
		return l.convert(i)
	case n < 13 && len(l.withdrawn) > 0:
		return l.restore()
	default:
		way := l.Ways[l.random.IntN(len(l.Ways))]
		l.paper.Withdraw(i.ID, way)
		if l.withdrawn[i.ID] = way; way == "delete" {
			delete(l.withdrawn, i.ID)
		}
		return way + " " + i.ID
	}
}

// stick makes an item sticky where the paper has such items, or one that is not.
func (l *life) stick(i Item) string {
	if p, can := l.paper.(interface{ Stick(id string, sticky bool) }); can {
		sticky := l.random.IntN(2) == 0
		p.Stick(i.ID, sticky)
		return fmt.Sprintf("%s is sticky: %t", i.ID, sticky)
	}
	return "nothing"
}

// restore brings back an item that was withdrawn.
func (l *life) restore() string {
	ids := keysOf(l.withdrawn)
	id := ids[l.random.IntN(len(ids))]
	l.paper.Restore(id, l.withdrawn[id])
	delete(l.withdrawn, id)
	return "restored " + id
}

// rename renames a name of an item, in the list of names alone.
func (l *life) rename(i Item, word string) string {
	names := l.lists(Names)
	list := names[l.random.IntN(len(names))]
	if i.Names[list] == "" {
		return "nothing"
	}
	l.paper.Rename(list, i.Names[list], "Ad "+word)
	return "renamed " + i.Names[list] + " of " + list
}

// convertBack makes all pages posts again, which have other addresses in a new mirror.
func (l *life) convertBack() {
	for _, id := range l.standing {
		l.paper.Convert(id, false)
	}
	l.standing, l.changed = nil, true
}

// convert makes an item a standing page, or brings one back.
func (l *life) convert(i Item) string {
	if len(l.standing) > 0 && l.random.IntN(3) > 0 {
		id := l.standing[0]
		l.standing = l.standing[1:]
		l.paper.Convert(id, false)
		return id + " is a post again"
	}
	if !slices.Contains(l.Can, Converts) {
		return "nothing"
	}
	l.standing = append(l.standing, i.ID)
	l.paper.Convert(i.ID, true)
	return i.ID + " is a page"
}
