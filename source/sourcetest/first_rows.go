package sourcetest

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"ayna/fetch"
	"ayna/source/get"
)

// firstRows are about the first run.
func firstRows(*Newsroom) []row {
	return []row{
		{name: "first mirror", fresh: true, run: func(m *mirror) {
			m.exits(0)
			m.warned(m.Warns)
			m.keeps()
			m.hasAll()
			m.wait(time.Hour)
			if m.exits(0); counted(m.report).Fetched > 0 || counted(m.report).New > 0 {
				m.Errorf("the next run has news: %+v", counted(m.report))
			}
			m.keeps()
		}},
		{name: "a run that is cut continues", items: large, fresh: true, run: func(m *mirror) {
			m.options.Budget = m.Few
			runs := 0
			for code := exitBudget; code == exitBudget; runs++ {
				code = m.run()
				if code != exitOK && code != exitBudget || runs > 20 {
					m.Fatalf("run %d: exit code %d: %v", runs, code, m.err)
				}
				m.wait(time.Minute)
			}
			if runs < 2 {
				m.Errorf("%d runs", runs)
			}
			m.hasAll()
		}},
		{name: "the hour is used up", items: large, fresh: true, slow: true, run: func(m *mirror) {
			m.options.PerHour = m.Few
			m.exits(exitBudget)
			m.exits(exitBudget)
			if n := m.layer.calls(func(Call) bool { return true }); n > 0 {
				m.Errorf("%d requests within the hour", n)
			}
			for runs := 0; m.run() != exitOK; runs++ {
				if runs > 20 {
					m.Fatalf("no end: %v", m.err)
				}
				m.wait(time.Hour)
			}
			m.hasAll()
		}},
	}
}

// hasAll wants that the archive has all items whole.
func (m *mirror) hasAll() {
	m.Helper()
	now := m.shown()
	for _, i := range m.paper.Items() {
		is := now[i.ID]
		if is["title"] == "" || is["address"] == "" || is["date of change"] == "" || len(is["text"]) < 20 {
			m.Errorf("item %s is %.300q", i.ID, is)
		}
	}
}

// counted adds up the records of all kinds.
func counted(r *fetch.Report) (sum fetch.Count) {
	for _, c := range r.Kinds {
		sum.New, sum.Fetched, sum.Gone, sum.Withheld = sum.New+c.New, sum.Fetched+c.Fetched, sum.Gone+c.Gone, sum.Withheld+c.Withheld
	}
	return sum
}

// stopRows end runs, and hide keys.
func stopRows(*Newsroom) []row {
	rows := []row{
		{name: "SIGTERM while a list is read", items: few, fresh: true, run: func(m *mirror) {
			ctx, signal := contextOf(m)
			m.layer.set(func(l *layer) {
				l.fault = fault(slow).at(m.lists(Needed)...)
				l.arrived = func(c Call) {
					if c.List == m.lists(Needed)[0] {
						time.AfterFunc(time.Second, signal)
					}
				}
			})
			m.options.Timeout = time.Hour
			began := time.Now()
			if code := m.runWith(ctx); code == exitOK {
				m.Errorf("exit code %d", code)
			}
			if took := time.Since(began); took > 8*time.Second {
				m.Errorf("it ended after %s", took)
			}
			m.layer.set(func(l *layer) { l.fault, l.arrived = nil, nil })
			m.options.Timeout = 5 * time.Second
			m.exits(0)
			m.keeps()
		}},
		{name: "the key echoed in a text", items: few, keyed: true, run: func(m *mirror) {
			// The second text has the key only once it is cleaned, so it fails alone as it is stored.
			texts := []string{"<p>" + m.Key + "</p>", "<p>" + m.Key[:9] + "<script>a()</script>" + m.Key[9:] + "</p>", "<p>Yeni metin.</p>"}
			for i, text := range texts {
				m.paper.Change(m.item(3+i).ID, time.Now(), func(i *Item) { i.Text = text })
			}
			m.exits(exitPartial)
			for i := range texts {
				id := m.item(3 + i).ID
				if is, was := m.of(id)["text"], m.was[id]["text"]; i < 2 && is != was || i == 2 && !strings.Contains(is, "Yeni metin.") {
					m.Errorf("text %d is %q", i, is)
				}
			}
			for r, err := range m.archive.Records.All(m.Context()) {
				if err != nil {
					m.T.Fatal(err)
				}
				if strings.Contains(string(r.List)+string(r.Single), m.Key) {
					m.Errorf("%s %s has the key", r.Kind, r.ID)
				}
			}
			if text := fmt.Sprintf("%+v %v", m.report, m.err); strings.Contains(text, m.Key) {
				m.Errorf("the report has the key: %s", text)
			}
		}},
	}
	rows = append(rows, row{name: "a password before the source", items: few, chain: failing, run: func(m *mirror) {
		m.under(func(a *answer) {
			a.replace(http.StatusUnauthorized, webPage)
			a.header.Set("Content-Type", "text/html")
		}, func() {
			if m.sweep(exitDown); !errors.Is(m.err, get.ErrGateway) {
				m.Errorf("%v", m.err)
			}
			m.keeps()
		})
		m.sweep(0)
		m.keeps()
	}})
	return append(rows, row{name: "the list of items does not come", items: few, chain: failing, run: func(m *mirror) {
		faults := map[string]fault{"slow": slow, "forbidden": status(403), "not found": status(404), "another shape": body(`{"unexpected":true}`)}
		if m.isSlow() {
			faults["broken"], faults["cut"] = status(500), cutOff
		}
		m.each(faults, func(f fault) {
			m.under(f.at(append(m.lists(Needed), m.Parts...)...), func() {
				m.sweep(exitPartial, exitKey, exitDown, exitShape)
				m.keeps()
			})
			m.warned(0)
			m.sweep(0)
			m.keeps()
		})
	}})
}
