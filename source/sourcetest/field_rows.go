package sourcetest

import (
	"maps"
	"slices"
	"strings"
	"time"
)

// fieldRows give fields of items another type, or empty them.
func fieldRows(n *Newsroom) (rows []row) {
	for name, value := range map[string]any{"null": nil, "a number": 7, "a list": []any{"x"}, "an object": map[string]any{"x": []any{"y"}}} {
		r := row{name: "another type: " + name, chain: "fields of another type", run: func(m *mirror) { m.anotherType(value) }}
		if name == "a number" || name == "a list" {
			r.needs, r.slow = []Ability{Typed}, true
		}
		rows = append(rows, r)
	}
	slices.SortFunc(rows, byName)
	return append(rows,
		row{name: "fields are missing", chain: "fields of another type", run: func(m *mirror) { m.anotherType(missing{}) }},
		row{name: "fields are missing in lists alone", items: few, chain: failing, run: func(m *mirror) {
			fields, _ := m.fieldsWith(func(f Field) bool { return f.InList })
			m.under(m.replacing(fields, func(Field) any { return missing{} }).ofLists(), func() { m.sweep(0, exitPartial) })
			for id, f := range fields { // its single record is as new as the list says
				if !m.facts.EditsShow && f.Content != "date of change" && m.stored(id).FetchDue {
					m.Errorf("%s without its %s in the list is due", id, f.Content)
				}
			}
			m.sweep(0)
			m.keeps()
		}},
		row{name: "dates of the year 0", items: few, run: func(m *mirror) { m.anotherType("0000-01-01T00:00:00Z") }},
		row{name: "emptied beside a newer date", needs: []Ability{ShowsEdits}, items: few, run: func(m *mirror) {
			fields, ids := m.fieldsWith(func(f Field) bool { return f.MayBeEmpty })
			for _, id := range ids {
				m.retitleUnless(id, fields[id].Content == "title")
			}
			m.under(m.replacing(fields, func(f Field) any { return f.Empty }), func() {
				m.exits(0)
				now := m.shown()
				for _, id := range ids {
					m.in(fields[id].Content, func() { m.wantLost(true, fields[id], now[id], id) })
				}
			})
		}},
		row{name: "emptied in single records alone", needs: []Ability{ShowsEdits, Singles}, items: few, run: func(m *mirror) {
			fields, ids := m.fieldsWith(func(f Field) bool { return f.MayBeEmpty && f.InList })
			for _, id := range ids {
				m.retitle(id)
			}
			m.under(m.replacing(fields, func(f Field) any { return f.Empty }).ofSingles(), func() { m.sweep(exitOK) })
			m.wait(time.Hour)
			m.sweep(exitOK)
			m.compareStored()
		}},
		row{name: "new items of another type", needs: []Ability{ShowsEdits}, items: few, run: func(m *mirror) {
			model, fields := m.item(3), make(map[string]Field)
			for _, f := range m.Fields {
				if m.was[model.ID][f.Content] != "" {
					fields[m.paper.Publish(Item{Title: "Yeni haber", Summary: "Yeni özet", Text: "<p>Yeni metin.</p>", Names: model.Names})] = f
				}
			}
			m.under(m.replacing(fields, func(Field) any { return map[string]any{"x": []any{"y"}} }), func() { m.run() })
			for range 2 {
				m.sweep(exitOK, exitPartial)
			}
			now := m.shown()
			for id, f := range fields {
				if f.Content != "pictures" && now[id][f.Content] == "" {
					m.Errorf("%s has not come", f.Content)
				}
			}
		}},
		row{name: "emptied beside the same date", items: few, run: func(m *mirror) {
			fields, ids := m.fieldsWith(func(f Field) bool { return f.MayBeEmpty && f.InList })
			var dates, address []string
			for _, f := range m.Fields {
				switch f.Content {
				case "address":
					address = f.Keys
				case "date of publication", "date of change":
					dates = append(dates, f.Keys...)
				}
			}
			for _, f := range []Field{{Content: "date of change", Keys: dates, Empty: []any{"??"}}, {Content: "date of change", Keys: dates, Empty: "??"}, {Content: "address", Keys: address, Empty: ""}} {
				id := m.itemWith(f.Content, 2, ids...)
				fields[id], ids = f, append(ids, id)
			}
			const last = 7
			m.under(m.replacing(fields, func(f Field) any { return f.Empty }), func() {
				for day := range last + 1 {
					m.wait(25 * time.Hour)
					m.options.Full = day == 0 // a full run believes no more than others
					code, now := m.run(), m.shown()
					// Once a list record without dates is believed, its single record is in doubt anew.
					if isNew := day == 3 && m.facts.EditsShow; day == 0 && code != exitPartial || day > 0 && code != exitOK && !isNew {
						m.in("exit code", func() { m.Errorf("day %d: %d: %+v", day, code, m.report.Failed) })
					}
					for _, id := range ids {
						m.in(fields[id].Content, func() {
							if day < 3 || day == last {
								m.wantLost(day == last, fields[id], now[id], id)
							}
						})
					}
				}
			})
		}},
		row{name: "emptied in many items beside newer dates", needs: []Ability{ShowsEdits}, run: func(m *mirror) {
			var ids []string
			for _, i := range m.paper.Items() {
				if m.was[i.ID]["description"] != "" && len(ids) < 12 {
					ids = append(ids, i.ID)
					m.paper.Change(i.ID, time.Now(), func(i *Item) { i.Summary = "" })
				}
			}
			empty := func(want bool) {
				now := m.shown()
				for _, id := range ids {
					if summary := now[id]["description"]; summary == "" != want {
						m.Errorf("summary of %s is %q; empty: want %t", id, summary, want)
					}
				}
			}
			m.exits(exitPartial)
			empty(false)
			for range 4 {
				m.wait(25 * time.Hour)
				m.exits(0)
			}
			empty(true)
		}},
	)
}

// anotherType replaces each field of an item of its own by a value of another type, beside a
// newer date.
func (m *mirror) anotherType(value any) {
	fields, ids := m.fieldsWith(func(f Field) bool {
		if _, isText := value.(string); isText {
			return strings.HasPrefix(f.Content, "date")
		}
		isFilled := value != nil && typeOf(value) != typeOf(7) // lists and objects do not hold what they should
		return typeOf(value) != typeOf(f.Empty) || isFilled
	})
	m.wait(time.Minute)
	for _, id := range ids {
		m.retitleUnless(id, fields[id].Content == "title" || fields[id].Content == "date of change")
	}
	m.under(m.replacing(fields, func(Field) any { return value }), func() {
		m.in("exit code", func() { m.sweep(exitPartial) })
		now := m.shown()
		for _, id := range ids {
			m.in(fields[id].Content, func() { m.wantLost(false, fields[id], now[id], id) })
		}
	})
	m.in("afterwards", func() {
		m.wait(75 * time.Hour)
		m.exits(0)
		now := m.shown()
		for _, id := range ids {
			m.wantLost(false, fields[id], now[id], id)
			m.wantTitle(fields[id].Content != "title" && fields[id].Content != "date of change", id)
		}
	})
}

// missing is the value of a field that replacing removes.
type missing struct{}

// retitleUnless edits an item with a newer date, and its title unless that has to stay.
func (m *mirror) retitleUnless(id string, stays bool) {
	if m.retitle(id); stays {
		m.paper.Change(id, time.Now(), func(i *Item) { i.Title = i.Title[:len(i.Title)-len(edited)] })
	}
}

// fieldsWith returns fields by items of their own, which have such content, and the ids of
// these items.
func (m *mirror) fieldsWith(keep func(Field) bool) (fields map[string]Field, ids []string) {
	fields = make(map[string]Field)
	for _, f := range m.Fields {
		if !keep(f) {
			continue
		}
		id := m.itemWith(f.Content, 2, ids...)
		fields[id], ids = f, append(ids, id)
	}
	return fields, ids
}

// itemWith returns the id of an item that has content, and is not among some others. It begins
// at a place.
func (m *mirror) itemWith(content string, place int, others ...string) string {
	for _, i := range m.paper.Items()[place:] {
		if m.was[i.ID][content] != "" && (content != "pictures" || i.Picture) && !slices.Contains(others, i.ID) {
			return i.ID
		}
	}
	if content == "pictures" { // of a source whose items have none
		return m.item(place).ID
	}
	m.Fatalf("no item has %s", content)
	return ""
}

// replacing replaces fields of items in all answers.
func (m *mirror) replacing(fields map[string]Field, value func(Field) any) fault {
	return fault(func(a *answer) {
		a.edit(func(element map[string]any) (changed bool) {
			f, isOne := fields[textOf(element[keyLike(element, "id")])]
			for _, key := range f.Keys {
				if _, has := element[key]; has && isOne {
					element[key], changed = value(f), true
				}
				if element[key] == any(missing{}) {
					delete(element, key)
				}
			}
			return changed
		})
	}).at(m.lists(Needed)...)
}

// wantLost wants that an item shows other content than it did, or the same.
func (m *mirror) wantLost(want bool, f Field, now content, id string) {
	m.Helper()
	was, is := m.was[id][f.Content], now[f.Content]
	if f.Content == "date of change" && !want && is > was {
		return // a later date that came before the fault
	}
	if is != was != want {
		m.Errorf("%s of %s is %.80q and was %.80q; lost: want %t", f.Content, id, is, was, want)
	}
}

// dateRows are about dates of change.
func dateRows(*Newsroom) []row {
	return []row{
		{name: "dates are lost", items: few, chain: failing, run: func(m *mirror) {
			m.under(fault(func(a *answer) {
				a.edit(func(element map[string]any) bool {
					for _, f := range m.Fields {
						if f.Content == "date of change" || f.Content == "date of publication" {
							for _, key := range f.Keys {
								delete(element, key)
							}
						}
					}
					return true
				})
			}).at(m.lists(Needed)...), func() {
				m.sweep(exitPartial)
				m.keeps()
				m.sweep(0)
				m.keeps()
			})
			m.sweep(0)
			m.keeps()
		}},
		{name: "an older date", items: few, run: func(m *mirror) {
			id := m.item(7).ID
			m.retitle(id)
			m.exits(0)
			m.wantTitle(true, id)
			m.options.PageSize = 4 // the item is not in the newest part
			before, hours := m.paper.Items()[7].Date, 0
			for ; m.of(id)["title"] != "Yedekten" && hours < 72; hours += 12 { // each answer is older than the one before
				m.paper.Change(id, before.Add(-time.Duration(hours)*time.Minute), func(i *Item) { i.Title, i.Text = "Yedekten", "<p>Yedekten.</p>" })
				m.wait(12 * time.Hour)
				if m.exits(0, exitPartial); hours > 0 && m.facts.EditsShow && slices.Contains(m.Can, Singles) && len(m.report.Failed) > 0 {
					m.Errorf("the doubt is reported again: %+v", m.report.Failed)
				}
			}
			if is := m.of(id); hours < 24 || is["title"] != "Yedekten" || !strings.Contains(is["text"], "Yedekten.") { // the text needs no proof of its own
				m.Errorf("after %d hours it is %.300q", hours, is)
			}
			m.keeps(id)
		}},
		{name: "an older copy after the list has lost a date", needs: []Ability{ShowsEdits}, items: few, run: func(m *mirror) {
			old, id := m.Open(m.T, m.items, ""), m.item(3).ID
			m.retitle(id)
			m.exits(0)
			dates := m.Fields[slices.IndexFunc(m.Fields, func(f Field) bool { return f.Content == "date of change" })]
			m.under(fault(func(a *answer) {
				a.edit(func(element map[string]any) bool {
					for _, key := range dates.Keys {
						delete(element, key)
					}
					return textOf(element[keyLike(element, "id")]) == id
				})
			}).ofLists().at(m.lists(Needed)...), func() { m.sweep(exitPartial) })
			m.layer.set(func(l *layer) { l.paper = old })
			m.sweep(0, exitPartial)
			m.wantTitle(true, id)
			m.layer.set(func(l *layer) { l.paper = m.paper })
			m.sweep(0)
			m.keepsEdited(id)
		}},
		{name: "an older date, and a full run", items: few, run: func(m *mirror) {
			id := m.item(3).ID
			m.retitle(id)
			m.exits(0)
			m.paper.Change(id, m.item(3).Date, func(i *Item) { i.Title = "Yedekten" })
			m.options.Full = true
			m.exits(0)
			if title := m.of(id)["title"]; title != "Yedekten" {
				m.Errorf("the title is %q", title)
			}
			m.keeps(id)
		}},
		{name: "a date far in the future", items: few, run: func(m *mirror) {
			id := m.item(3).ID
			m.paper.Change(id, time.Now().AddDate(10, 0, 0), func(i *Item) { i.Title += edited })
			m.sweep(0)
			m.wantTitle(true, id)
			m.paper.Change(id, time.Now(), func(i *Item) { i.Title = "Doğru tarih" })
			m.sweep(0)
			m.sweep(0)
			if title := m.of(id)["title"]; title != "Doğru tarih" {
				m.Errorf("the title is %q", title)
			}
			m.keeps(id)
		}},
	}
}

// keysOf returns the keys of a map in their order.
func keysOf[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
