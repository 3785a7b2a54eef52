package sourcetest

import (
	"slices"
	"time"

	"ayna/fetch"
)

// goneRows withdraw items, and claim that items are gone.
func goneRows(n *Newsroom) []row {
	rows := []row{
		{name: "many are withdrawn", run: func(m *mirror) {
			way := m.Ways[len(m.Ways)-1]
			var ids []string
			for _, i := range m.paper.Items()[2:14] {
				ids = append(ids, i.ID)
				m.paper.Withdraw(i.ID, way)
			}
			m.sweep(exitWithheld)
			if n := m.report.Withheld(); n != len(ids) {
				m.Errorf("%d withheld, want %d", n, len(ids))
			}
			m.keeps()
			m.options.AllowDelete = len(ids)
			if m.sweep(0); m.ProvesAlone {
				m.wantGone(false, ids...)
				m.sweep(0)
			}
			m.wantGone(true, ids...)
			m.keeps(append(ids, m.emptyFolders(ids)...)...)
		}},
		{name: "all are withdrawn", items: few, run: func(m *mirror) {
			way := m.Ways[len(m.Ways)-1]
			var ids []string
			for _, i := range m.paper.Items() {
				ids = append(ids, i.ID)
				m.paper.Withdraw(i.ID, way)
			}
			m.sweep(exitPartial)
			m.wantGone(false, ids...)
			m.sweep(exitPartial, exitWithheld)
			m.wantGone(false, ids...)
			m.options.AllowDelete = 2 * len(ids)
			for range 3 { // without a witness each of them may wait
				m.sweep(0, exitPartial, exitFailure) // a list of the names that posts have is empty then, or nothing is left to publish
			}
			m.wantGone(true, ids...)
		}},
		{name: "a withdrawn item is restored", needs: []Ability{Restores}, items: few, run: func(m *mirror) {
			withdrawn := []string{m.item(0).ID, m.item(5).ID}
			for _, id := range withdrawn {
				m.paper.Withdraw(id, m.Ways[0])
			}
			m.sweep(0)
			m.sweep(0)
			for _, id := range withdrawn {
				m.paper.Restore(id, m.Ways[0])
			}
			m.sweep(0)
			m.keeps()
		}},
		{name: "an item becomes a page while pages cannot be read", needs: []Ability{Converts}, items: few, run: func(m *mirror) {
			id := m.item(3).ID
			m.retitle(m.item(5).ID) // a witness
			m.paper.Convert(id, true)
			m.under(status(500).at(m.lists(Optional)[0]), func() {
				m.sweep(exitPartial)
				m.wantGone(false, id)
			})
			m.sweep(0)
			m.wantGone(false, id)
			m.under(status(403).at(m.lists(Optional)[0]), func() {
				withdrawn := m.item(7).ID
				m.paper.Withdraw(withdrawn, m.Ways[0])
				m.sweep(0)
				m.sweep(0)
				m.wantGone(true, withdrawn)
			})
		}},
		{name: "the list lacks items, and answers for ids are empty", items: few, chain: failing, run: func(m *mirror) {
			lacking := without(m.item(3).ID, m.item(5).ID)
			m.under(fault(func(a *answer) {
				switch {
				case a.Own:
				case len(a.IDs) > 0:
					empty(a)
				default:
					lacking(a)
				}
			}).at(m.lists(Needed)...), func() {
				for range 3 {
					m.sweep(0, exitPartial)
					m.keeps()
				}
			})
			m.sweep(0)
			m.keeps()
		}},
		{name: "the list alone lacks an item", items: few, chain: failing, run: func(m *mirror) {
			m.under(without(m.item(0).ID, m.item(3).ID).ofLists().at(m.lists(Needed)...), func() {
				for range 3 {
					m.sweep(0)
					m.keeps()
				}
			})
			m.sweep(0)
			m.keeps()
		}},
	}
	for _, way := range n.Ways {
		rows = append(rows, row{name: "the newest item is withdrawn: " + way, items: few, chain: "the newest items are withdrawn", run: func(m *mirror) {
			id := m.item(0).ID
			kept := m.stored(id).Single
			m.paper.Withdraw(id, way)
			m.sweep(0)
			m.wantGone(!slices.Contains(m.Waits, way), id)
			m.wait(time.Hour + time.Minute)
			m.exits(0)
			m.sweep(0)
			m.wantGone(true, id)
			m.keeps(id)
			asked := m.layer.calls(func(c Call) bool { return slices.Contains(c.IDs, id) })
			if is := m.stored(id).Single; asked > 0 || string(is) != string(kept) {
				m.Errorf("%d requests for what is gone; it was %s and is %s", asked, kept, is)
			}
		}})
	}
	slices.SortFunc(rows, byName)
	return append(rows, row{name: "the newest items are lacking, and their own addresses do not answer", run: func(m *mirror) {
		faults := map[string]fault{
			"forbidden": status(403), "too many requests": status(429), "broken": status(500), "null": body("null"), "blank": body(" "), "a web page": body(webPage),
			"another record": body(`{"id":77,"posts":[{"id":"6b0400000000000000009999"}]}`),
		}
		if m.can([]Ability{ShowsEdits}) { // else it refuses the key, or proves that the item is gone
			faults["closed"], faults["not found"], faults["gone"] = status(401), status(404), status(410)
		}
		m.lackNewest(faults)
	}})
}

// lackNewest leaves out the newest items, whose own addresses have faults: they stay.
func (m *mirror) lackNewest(faults map[string]fault) {
	place := 0
	if m.ProvesAlone { // so any item will do, and the first page of a feed must not be empty
		place = 5
	}
	names, ids := keysOf(faults), idsOf(m.paper.Items()[place:place+len(faults)])
	m.under(func(a *answer) {
		if a.Own && slices.Contains(ids, a.IDs[0]) {
			faults[names[slices.Index(ids, a.IDs[0])]](a)
		} else if a.List == m.lists(Needed)[0] {
			without(ids...)(a)
		}
	}, func() {
		for range 3 {
			m.sweep(exitPartial)
			m.keeps()
			for i, id := range ids {
				if !slices.ContainsFunc(m.report.Failed, func(f fetch.Failure) bool { return f.ID == id }) {
					m.Errorf("%s: it does not fail: %+v", names[i], m.report.Failed)
				}
			}
		}
	})
	m.sweep(0)
	m.keeps()
}
