package sourcetest

import (
	"net/http"
	"time"

	"ayna/testrun/fakepaper"
)

// An outage is a fault that stays for a day, a week or for ever.
type outage struct {
	name  string
	fault func(*mirror) fault
	first []int // exit codes of the first run
	later []int // of those after it
	edits bool  // an edit shows meanwhile
	// believed is set if the mirror takes after some days what the source says.
	believed bool
}

// An age is how long an outage stays.
type age struct {
	name string
	runs int
	gap  time.Duration
}

var ages = []age{{"a day", 4, 6 * time.Hour}, {"a week", 7, 25 * time.Hour}, {"for ever", 12, 25 * time.Hour}}

func outages(n *Newsroom) []outage {
	ok, partial, down := []int{exitOK}, []int{exitPartial}, []int{exitPartial, exitKey, exitDown, exitShape}
	emptied := partial
	if !n.can([]Ability{Singles}) { // the whole list is read once a day
		emptied = []int{exitOK, exitPartial}
	}
	all := []outage{
		{name: "items broken", fault: func(m *mirror) fault { return status(500).at(m.lists(Needed)...) }, first: down, later: down},
		{name: "items a web page", fault: func(m *mirror) fault { return body(webPage).at(m.lists(Needed)...) }, first: down, later: down},
		{name: "no items listed", fault: func(m *mirror) fault { return fault(empty).ofLists().at(m.lists(Needed)...) }, first: emptied, later: []int{exitOK, exitPartial}},
		{name: "some items not listed", fault: func(m *mirror) fault {
			return without(idsOf(m.paper.Items()[14:20])...).ofLists().at(m.lists(Needed)...)
		}, first: ok, later: ok, edits: true},
		{name: "an older copy", fault: func(m *mirror) fault {
			copier, can := m.paper.(interface{ Copy() http.Handler })
			if !can {
				m.Fatalf("the paper cannot be copied")
			}
			return copied(copier.Copy())
		}, first: []int{exitOK, exitPartial}, later: []int{exitOK, exitPartial}, believed: true},
	}
	if n.can([]Ability{Typed}) {
		all = append(all, outage{name: "a title of another type", fault: func(m *mirror) fault {
			f := m.Fields[0]
			return m.replacing(map[string]Field{m.item(9).ID: f}, func(Field) any { return map[string]any{"x": 1} })
		}, first: partial, later: []int{exitOK, exitPartial}, edits: true, believed: true})
	}
	for _, l := range n.Lists {
		if l.Needs != Names && l.Needs != Optional {
			continue
		}
		broken := partial
		if l.Kind == "" && l.Needs == Optional { // it is not asked for in each run
			broken = []int{exitOK, exitPartial}
		}
		all = append(all,
			outage{name: l.Name + " closed", fault: func(*mirror) fault { return status(403).at(l.Name) }, first: ok, later: ok, edits: true},
			outage{name: l.Name + " broken", fault: func(*mirror) fault { return status(500).at(l.Name) }, first: broken, later: broken, edits: true})
	}
	return all
}

// outageRows are faults that stay longer than until the next run, of sources whose lists show
// each edit: package fetch has them for the others.
func outageRows(n *Newsroom) (rows []row) {
	if !n.can([]Ability{ShowsEdits}) {
		return nil
	}
	for _, o := range outages(n) {
		rows = append(rows, row{name: "for days: " + o.name, slow: true, run: func(m *mirror) {
			var edited []string
			for _, a := range ages {
				edited = append(edited, m.itemWith("pictures", 3, edited...))
				m.in(a.name, func() { m.outlast(o, a, edited[len(edited)-1]) })
			}
		}})
	}
	return rows
}

// outlast runs the mirror while an outage lasts, with an edit in the second run, and wants that it
// is one made from nothing four days after its end.
func (m *mirror) outlast(o outage, a age, edited string) {
	m.was = m.shown()
	m.under(o.fault(m), func() {
		for run := range a.runs {
			m.wait(a.gap + time.Minute)
			if run == 1 {
				m.retitle(edited)
			}
			if run == 0 {
				m.exits(o.first...)
			} else {
				m.exits(o.later...)
			}
			m.wantGone(false, keysOf(m.was)...)
			switch {
			case o.believed && a.gap > 6*time.Hour:
			case o.edits && run > 0:
				m.keepsEdited(edited)
			default:
				m.keeps()
			}
			if len(m.failures[m.part]) > 0 {
				m.Fatalf("run %d", run+1)
			}
		}
	})
	for range 6 {
		m.wait(25 * time.Hour)
		m.run()
	}
	m.exits(exitOK)
	m.compare(m.pages(), m.fresh(fakepaper.Archive(m.T)))
}
