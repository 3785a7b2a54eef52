package sourcetest

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"time"

	"ayna/record"
)

// replicaRows let lists lack items, and change their elements, without an editor.
func replicaRows(n *Newsroom) []row {
	rows := []row{
		{name: "a replica that lacks the newest two", needs: []Ability{ShowsEdits}, items: few, chain: failing, run: func(m *mirror) {
			m.under(without(m.item(0).ID, m.item(1).ID).at(m.lists(Needed)...), func() {
				m.sweep(0)
				m.keeps()
			})
			m.sweep(0)
			m.keeps()
		}},
		{name: "an older copy in every second run", needs: []Ability{Copies}, items: few, run: func(m *mirror) {
			old := m.Open(m.T, m.items, "")
			first, second := m.item(2).ID, m.item(8).ID
			m.retitle(first)
			m.retitle(second)
			added := m.paper.Publish(Item{Title: "Bugün", Text: "<p>Bugünün haberi burada.</p>", Names: m.item(2).Names})
			m.exits(0)
			for round := range 8 {
				m.layer.set(func(l *layer) {
					if l.paper = m.paper; round%2 == 0 {
						l.paper = old
					}
				})
				m.wait(6 * time.Hour)
				m.exits(0, exitPartial)
				m.wantTitle(true, first, second)
				m.wantGone(false, added)
			}
			m.sweep(0)
			m.wantTitle(true, first, second)
			m.keeps(first, second, added)
		}},
		{name: "an older copy of single records alone", needs: []Ability{ShowsEdits, Copies, Singles}, items: few, run: func(m *mirror) {
			old, id := m.Open(m.T, m.items, ""), m.item(3).ID
			m.paper.Change(id, time.Time{}, func(i *Item) { i.Title += edited })
			m.under(copied(old, id).ofSingles(), func() { m.sweep(exitOK) })
			m.wait(time.Hour)
			m.sweep(exitOK)
			m.compareStored()
		}},
		{name: "an older copy of the single record of an edit", needs: []Ability{Copies, Singles}, items: few, run: func(m *mirror) {
			old, edited, other := m.Open(m.T, m.items, ""), m.item(3).ID, m.item(4).ID
			edit := func(id string) {
				m.paper.Change(id, time.Now(), func(i *Item) { i.Title, i.Text = "Yeni", "<p>Yeni haberin metni burada.</p>" })
			}
			edit(edited)
			m.under(copied(old, edited).ofSingles(), func() { m.sweep(exitPartial) })
			m.sweep(0)
			if text := m.of(edited)["text"]; !strings.Contains(text, "Yeni haberin") {
				m.Errorf("the text is %q", text)
			}
			edit(other)
			m.options.Full = true // takes what there is
			m.under(copied(old, other).ofSingles(), func() { m.exits(0) })
			if m.stored(other).FetchDue {
				m.Errorf("a full run leaves the record due")
			}
		}},
		{name: "an older copy of lists alone, then of all", needs: []Ability{Copies, Singles}, items: few, run: func(m *mirror) {
			old, id := m.Open(m.T, m.items, ""), m.item(3).ID
			m.paper.Change(id, time.Now(), func(i *Item) { i.Text = "<p>Yeni haberin metni burada.</p>" })
			isNew := func() bool { return strings.Contains(m.of(id)["text"], "Yeni haberin") }
			m.under(copied(old, id).ofLists(), func() { m.sweep(0, exitPartial) })
			before := isNew() // of a source whose single records are read again by age
			m.under(copied(old, id), func() { m.sweep(0, exitPartial) })
			if before && !isNew() {
				m.Errorf("the text is the old one again")
			}
			m.sweep(0, exitPartial)
			m.sweep(0)
			if !isNew() {
				m.Errorf("the text is the old one")
			}
		}},
		{name: "the list lacks an item whose single record is older", needs: []Ability{Copies, Singles}, items: few, run: func(m *mirror) {
			old, id := m.Open(m.T, m.items, ""), m.item(3).ID
			m.retitle(id)
			m.exits(0)
			m.under(func(a *answer) {
				copied(old, id).ofSingles()(a)
				without(id).ofLists().at(m.lists(Needed)...)(a)
			}, func() {
				for range 2 {
					m.sweep(0)
					m.keepsEdited(id)
				}
			})
		}},
		{name: "answers for ids are cut short", needs: []Ability{ShowsEdits, Singles}, items: few, fresh: true, run: func(m *mirror) {
			m.under(func(a *answer) {
				if len(a.IDs) > 1 {
					a.elements(func(all []json.RawMessage) []json.RawMessage { return all[:(len(all)+1)/2] })
				}
			}, func() { m.exits(0) })
			m.hasAll()
			m.keeps()
		}},
		{name: "a standing page is lacking, and counted", needs: []Ability{Converts}, items: few, run: func(m *mirror) {
			id := m.item(3).ID
			m.paper.Convert(id, true)
			m.sweep(0)
			m.under(lacking(id).at(m.lists(Optional)[0]), func() {
				m.sweep(exitPartial)
				m.wantGone(false, id)
			})
			m.sweep(0)
			m.wantGone(false, id)
		}},
		{name: "ten of forty are lacking in the list", items: large, run: func(m *mirror) {
			m.under(lacking(idsOf(m.paper.Items()[20:30])...).ofLists().at(m.lists(Needed)...), func() {
				m.sweep(0, exitPartial)
				m.keeps()
			})
			m.sweep(0)
			m.keeps()
		}},
		{name: "ten of forty are lacking, and counted", needs: []Ability{TellsTotals}, items: large, slow: true, run: func(m *mirror) {
			m.under(lacking(idsOf(m.paper.Items()[20:30])...).at(m.lists(Needed)...), func() {
				m.sweep(exitPartial)
				m.keeps()
				m.sweep(0)
				m.keeps()
			})
		}},
		{name: "three are lacking, and counted", needs: []Ability{TellsTotals}, items: few, chain: failing, run: func(m *mirror) {
			m.under(lacking(idsOf(m.paper.Items()[5:8])...).at(m.lists(Needed)...), func() {
				m.sweep(exitPartial)
				m.keeps()
				m.sweep(0)
				m.keeps()
			})
			m.sweep(0)
			m.keeps()
		}},
		{name: "twins", items: few, chain: failing, run: func(m *mirror) {
			m.under(fault(twins).ofLists().at(m.lists(Needed)...), func() {
				m.sweep(0)
				m.keeps()
			})
		}},
		{name: "odd ids", run: func(m *mirror) {
			items := m.paper.Items()
			odd := map[string]any{
				items[2].ID: nil, items[3].ID: "", items[4].ID: -5, items[5].ID: 1.5, items[6].ID: map[string]any{"a": 1},
				items[7].ID: []any{}, items[8].ID: strings.Repeat("x", 300), items[9].ID: "../../etc", items[10].ID: true,
			}
			m.under(fault(func(a *answer) {
				a.edit(func(element map[string]any) bool {
					key := keyLike(element, "id")
					value, isOdd := odd[textOf(element[key])]
					if isOdd {
						element[key] = value
					}
					return isOdd
				})
			}).ofLists().at(m.lists(Needed)...), func() {
				m.sweep(0, exitPartial)
				m.keeps("-5", "1.5", strings.Repeat("x", 300), "../../etc")
			})
			m.sweep(0)
		}},
		{name: "an item that is no record", needs: []Ability{SaysNone}, items: few, run: func(m *mirror) {
			id := m.paper.Publish(Item{Title: "Yeni", Text: "<p>Yeni haberin metni burada.</p>", Names: m.item(3).Names})
			asked := func(c Call) bool { return c.Own && c.IDs[0] == id }
			m.under(func(a *answer) {
				if asked(a.Call) {
					a.replace(http.StatusOK, "null")
				}
			}, func() {
				m.exits(exitPartial)
				for hours := 9; hours <= 45; hours += 9 {
					m.wait(9 * time.Hour)
					m.exits(0)
					if r := m.stored(id); r.NoRecord != (hours > 24) || hours > 36 && m.layer.calls(asked) > 0 {
						m.Errorf("after %d hours: no record: %t, %d requests", hours, r.NoRecord, m.layer.calls(asked))
					}
				}
				m.retitle(id)
				if m.exits(0); m.layer.calls(asked) == 0 || !m.stored(id).NoRecord {
					m.Errorf("after an edit: %d requests, no record: %t", m.layer.calls(asked), m.stored(id).NoRecord)
				}
			})
			m.retitle(id)
			m.sweep(0)
			m.hasAll()
		}},
		{name: "originals", needs: []Ability{Originals}, items: few, run: func(m *mirror) {
			items, first, last := m.paper.Items(), m.item(3).ID, m.item(4).ID
			m.retitle(first)
			for _, text := range []string{"<p>Silinecek.</p>", "<hr>"} {
				m.paper.Change(last, time.Now(), func(i *Item) { i.Text = text })
				m.exits(0)
				m.wait(time.Hour)
			}
			all, err := m.archive.Originals.Get(m.Context(), m.lists(Needed)[0], record.SinglePart, idsOf(items))
			if err != nil || len(all) != len(items) {
				m.Fatalf("%d originals of %d items, %v", len(all), len(items), err)
			}
			if text := string(all[first].Data); !strings.Contains(text, edited) {
				m.Errorf("the original of an edit is %s", text)
			}
			if text := string(all[last].Data); strings.Contains(text, "Silinecek") {
				m.Errorf("the original of an emptied text is %s", text)
			}
		}},
	}
	for _, l := range n.Lists {
		rows = append(rows, row{name: "[] once: " + l.Name, items: few, chain: failing, run: func(m *mirror) {
			edited := m.itemWith("pictures", 4)
			m.retitle(edited)
			m.under(fault(empty).at(l.Name), func() {
				if l.Needs == Needed {
					m.layer.set(func(layer *layer) { layer.fault = fault(empty).ofLists().at(l.Name) })
				}
				if m.sweep(0, exitPartial); l.Kind != "" && exitCode(m.report, m.err) == exitOK {
					m.Errorf("exit code 0 with %d known records of the list", len(m.was))
				}
				switch {
				case l.Needs == Needed, l.Kind == "" && l.Needs == Optional: // the edit may lack its picture
					m.keeps(edited)
				default:
					m.keepsEdited(edited)
				}
			})
			m.sweep(0)
			m.keepsEdited(edited)
		}})
	}
	return rows
}

// twins repeats an element.
func twins(a *answer) {
	a.elements(func(all []json.RawMessage) []json.RawMessage {
		if len(all) < 4 {
			return all
		}
		return slices.Insert(all, 3, all[2])
	})
}

func idsOf(items []Item) (ids []string) {
	for _, i := range items {
		ids = append(ids, i.ID)
	}
	return ids
}
