package sourcetest

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"ayna/testrun"
)

// nameRows close and break the lists that items can do without.
func nameRows(n *Newsroom) (rows []row) {
	for i, l := range n.Lists {
		if l.Needs == Names || l.Needs == Optional {
			for k, code := range n.Closed {
				rows = append(rows, row{name: fmt.Sprintf("closed: %s (%d)", l.Name, code), items: few, chain: failing, slow: i%len(n.Closed) != k, run: func(m *mirror) { m.closed(l, code) }})
			}
		}
		if l.Needs != Needed {
			rows = append(rows, row{name: "broken: " + l.Name, items: few, chain: failing, slow: l.Needs == Further && i > 1, run: func(m *mirror) { m.broken(l, i) }})
		}
		if l.Needs == Names {
			rows = append(rows, row{name: "500 once: " + l.Name, items: few, chain: failing, run: func(m *mirror) { m.brokenOnce(l) }})
			rows = append(rows, row{name: "a name is lacking: " + l.Name, chain: "names are lacking", run: func(m *mirror) { m.lackingName(l) }})
		}
		if l.Needs == Names && l.Kind != "" {
			rows = append(rows, row{name: "a name that nobody uses is lacking: " + l.Name, needs: []Ability{ShowsEdits}, run: func(m *mirror) { m.unusedName(l) }})
		}
	}
	return rows
}

// closed closes a list for three runs: names stay, and the first run alone warns the owner.
func (m *mirror) closed(l List, code int) {
	var edited []string
	m.options.PageSize = 5
	m.under(status(code).at(l.Name), func() {
		for _, run := range []func(...int){m.sweep, m.exits, m.sweep} {
			edited = append(edited, m.itemWith("pictures", 3, edited...))
			m.wait(time.Minute)
			m.retitle(edited[len(edited)-1])
			run(exitOK)
			m.keepsEdited(edited...)
			m.warned(1)
		}
	})
	if !strings.Contains(strings.Join(m.warnings, ""), "the mirror ha") && m.can([]Ability{ShowsEdits}) {
		m.Errorf("the warning %q does not say that names stay", m.warnings)
	}
	m.sweep(0)
	m.keepsEdited(edited...)
}

// broken breaks a list in several ways, in plain runs in one of them: names stay, and the run is
// not complete.
func (m *mirror) broken(l List, place int) {
	var edited []string
	for i, how := range []struct {
		name  string
		fault fault
	}{{"500", status(500)}, {"time-out", slow}, {"another shape", body(`{"unexpected":true}`)}} {
		if i != place%3 && !testrun.Slow() {
			continue
		}
		edited = append(edited, m.itemWith("pictures", 4, edited...))
		m.retitle(edited[len(edited)-1])
		m.under(how.fault.at(l.Name), func() {
			m.in(how.name, func() {
				m.sweep(exitPartial)
				if l.Kind != "" {
					m.exits(exitPartial)
				}
				m.keepsEdited(edited...)
			})
		})
	}
	m.in("afterwards", func() {
		m.sweep(0)
		m.keepsEdited(edited...)
	})
}

// brokenOnce breaks one answer: a list of names is asked again at once.
func (m *mirror) brokenOnce(l List) {
	edited := m.itemWith("pictures", 4)
	m.retitle(edited)
	var failed atomic.Bool
	m.under(func(a *answer) {
		if a.List == l.Name && !failed.Swap(true) {
			status(500)(a)
		}
	}, func() { m.sweep(0) })
	if !failed.Load() {
		m.Errorf("the list was not asked for")
	}
	m.keepsEdited(edited)
}

// lackingName leaves out an element that an item names: it stays.
func (m *mirror) lackingName(l List) {
	items := m.paper.Items()
	i := items[max(0, slices.IndexFunc(items, func(i Item) bool { return i.Names[l.Name] != "" }))]
	m.under(without(m.nameOf(l, i)).ofLists().at(l.Name), func() {
		m.retitle(i.ID)
		for range 3 {
			m.sweep(0)
			m.keepsEdited(i.ID)
		}
	})
}

// nameOf returns the id of an element of a list of names that an item names, or else of any.
func (m *mirror) nameOf(l List, i Item) string {
	if id := i.Names[l.Name]; id != "" {
		return id
	}
	for _, id := range keysOf(m.was) {
		if m.was[id]["kind"] == string(l.Kind) {
			return id
		}
	}
	m.Fatalf("%s has no names", l.Name)
	return ""
}

// unusedName leaves out an element that no item names any more: it goes at the second sweep.
func (m *mirror) unusedName(l List) {
	items := m.paper.Items()
	one := m.nameOf(l, items[0])
	other := items[slices.IndexFunc(items, func(i Item) bool { return i.Names[l.Name] != one && i.Names[l.Name] != "" })].Names[l.Name]
	third := items[slices.IndexFunc(items, func(i Item) bool { return i.Names[l.Name] != other && i.Names[l.Name] != "" })].Names[l.Name]
	m.paper.Rename(l.Name, one, "Kimsenin")
	m.sweep(0)
	for _, name := range []string{third, other} { // all of them have one name afterwards
		for _, i := range items {
			m.paper.Change(i.ID, time.Now(), func(i *Item) { i.Names[l.Name] = name })
		}
	}
	m.layer.set(func(layer *layer) { layer.fault = without(one).ofLists().at(l.Name) }) // a paper may leave it out by itself
	m.sweep(0)
	if m.titled("Kimsenin") == "" {
		m.Errorf("it is gone after the first sweep")
	}
	m.sweep(0)
	m.sweep(0)
	if m.titled("Kimsenin") != "" {
		m.Errorf("it is there after three sweeps")
	}
}
