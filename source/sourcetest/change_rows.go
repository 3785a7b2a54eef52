package sourcetest

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ayna/assets"
	"ayna/generator"
	"ayna/generator/config"
	"ayna/record"
	"ayna/templates"
	"ayna/testrun/fakepaper"
)

// A change is what an editor does to one item, and what the mirror shows afterwards.
type change struct {
	name  string
	needs []Ability
	make  func(m *mirror, i Item)
	then  func(m *mirror, i Item) // after the second run; may be nil
	by    int                     // the run that has to show it: the next one, the one of the next sweep, or two days later
	shows func(m *mirror, i Item, was, is content) bool
	page  func(m *mirror, i Item) string // what its page has, "" if it has no page; nil if nobody looks
}

// changeRows are changes of an editor, all of them made in one mirror, since each has an item
// of its own. Their pages are looked at as well.
func changeRows(n *Newsroom) []row {
	return []row{{name: "changes", run: func(m *mirror) {
		changes := slices.DeleteFunc(changesOf(n), func(c change) bool { return !n.can(c.needs) })
		items := m.paper.Items()[2:]
		before := m.build()
		for i, c := range changes {
			c.make(m, items[i])
		}
		for run := 1; run <= 3; run++ {
			if m.in("exit code", func() { m.exits(0) }); run == 1 {
				m.wait(time.Hour)
			}
			now := m.shown()
			for i, c := range changes {
				if id := items[i].ID; c.by <= run {
					m.in(c.name, func() {
						if !c.shows(m, items[i], m.was[id], now[id]) {
							m.Errorf("run %d: it was %.300q and is %.300q", run, m.was[id], now[id])
						}
					})
				}
				if run == 2 && c.then != nil {
					c.then(m, items[i])
				}
			}
			m.wait(max(m.facts.Sweep, time.Hour) + time.Minute)
		}
		m.wait(25 * time.Hour)
		m.in("exit code", func() { m.exits(0) })
		after, now := m.build(), m.shown()
		for i, c := range changes {
			m.in(c.name, func() { m.checkPage(c, items[i], now[items[i].ID], before, after) })
		}
	}}}
}

// changesOf are the changes.
func changesOf(n *Newsroom) []change {
	title := func(want string) func(*mirror, Item, content, content) bool {
		return func(_ *mirror, _ Item, _, is content) bool { return is["title"] == want }
	}
	all := []change{
		{name: "an edit", by: 1, make: func(m *mirror, i Item) {
			m.paper.Change(i.ID, time.Now(), func(i *Item) { i.Title, i.Summary, i.Text = "Başka başlık", "Başka özet", "<p>Başka metin.</p>" })
		}, shows: func(_ *mirror, _ Item, _, is content) bool {
			return is["title"] == "Başka başlık" && is["description"] == "Başka özet" && strings.Contains(is["text"], "Başka metin.")
		}, page: func(*mirror, Item) string { return "Başka metin." }},
		{name: "a title without a date", by: 3, make: func(m *mirror, i Item) {
			m.paper.Change(i.ID, time.Time{}, func(i *Item) { i.Title = "Sessiz başlık" })
		}, shows: title("Sessiz başlık"), page: func(*mirror, Item) string { return "Sessiz başlık" }},
		{name: "a text without a date", by: 3, make: func(m *mirror, i Item) {
			m.paper.Change(i.ID, time.Time{}, func(i *Item) { i.Text = "<p>Sessiz metin.</p>" })
		}, shows: func(m *mirror, _ Item, _, is content) bool {
			return strings.Contains(is["text"], "Sessiz metin.") != m.facts.EditsShow // which reads no text again
		}},
		{name: "a moved item", by: 1, make: func(m *mirror, i Item) {
			folder := m.otherFolder(i)
			m.paper.Change(i.ID, time.Now(), func(i *Item) { i.Names[m.folders()] = folder })
		}, shows: func(m *mirror, i Item, was, is content) bool {
			return is["folder"] != was["folder"] && is["folder"] != ""
		}},
		{name: "a new item", by: 1, make: func(m *mirror, i Item) {
			m.paper.Publish(Item{Title: "Yeni haber", Text: "<p>Yeni metin.</p>", Names: i.Names})
		}, shows: func(m *mirror, _ Item, _, _ content) bool { return m.titled("Yeni haber") != "" }},
		{name: "a scheduled item", needs: []Ability{Schedules}, by: 1, make: func(m *mirror, i Item) {
			m.paper.Publish(Item{Title: "Yarının haberi", Text: "<p>Yarın.</p>", Names: i.Names, Date: time.Now().Add(30 * time.Minute)})
		}, shows: func(m *mirror, i Item, _, _ content) bool {
			isPublic := slices.ContainsFunc(m.paper.Items(), func(i Item) bool { return i.Title == "Yarının haberi" })
			return m.titled("Yarının haberi") == "" || isPublic
		}, then: func(m *mirror, _ Item) {
			if m.titled("Yarının haberi") == "" {
				m.in("a scheduled item", func() { m.Errorf("it has not come by the second run") })
			}
		}},
		{name: "a post is a page for a while", needs: []Ability{Converts}, by: 2, make: func(m *mirror, i Item) {
			m.paper.Convert(i.ID, true)
		}, then: func(m *mirror, i Item) { m.paper.Convert(i.ID, false) }, shows: func(_ *mirror, _ Item, was, is content) bool {
			return is["text"] == was["text"]
		}, page: func(*mirror, Item) string { return "<article" }},
		{name: "an item is restored", needs: []Ability{Restores}, make: func(m *mirror, i Item) {
			m.paper.Withdraw(i.ID, m.Ways[0])
		}, then: func(m *mirror, i Item) {
			m.in("an item is restored", func() { m.wantGone(!m.ProvesAlone, i.ID) })
			m.paper.Restore(i.ID, m.Ways[0])
		}, by: 3, shows: func(_ *mirror, _ Item, was, is content) bool { return is["text"] == was["text"] && is != nil },
			page: func(*mirror, Item) string { return "<article" }},
	}
	proved := 2
	if n.ProvesAlone {
		proved = 3
	}
	for _, way := range n.Ways {
		all = append(all, change{name: "withdrawn: " + way, by: proved, make: func(m *mirror, i Item) { m.paper.Withdraw(i.ID, way) },
			shows: func(_ *mirror, _ Item, _, is content) bool { return is == nil }, page: func(*mirror, Item) string { return "" }})
	}
	for _, l := range n.Lists {
		if l.Needs == Names {
			all = append(all, rename(l))
		}
	}
	return all
}

// rename gives a name of an item another text, in the list of names alone.
func rename(l List) change {
	name := "Yeni ad " + l.Name
	c := change{name: "renamed: " + l.Name, by: 2, make: func(m *mirror, i Item) {
		m.paper.Rename(l.Name, m.nameOf(l, i), name)
	}, shows: func(m *mirror, _ Item, _, is content) bool {
		return l.Kind == "" && strings.Contains(is["tags"], name) || l.Kind != "" && m.titled(name) != ""
	}}
	if l.Kind != record.Writer || l.Name != "writers" { // which the Read API's articles do not name
		c.page = func(*mirror, Item) string { return name }
	}
	return c
}

// folders is the name of the list of folders, also of a source that has none.
func (m *mirror) folders() string {
	if !slices.ContainsFunc(m.Lists, func(l List) bool { return l.Kind == record.Folder }) {
		return "categories"
	}
	return m.Lists[slices.IndexFunc(m.Lists, func(l List) bool { return l.Kind == record.Folder })].Name
}

// emptyFolders returns the folders of a source without a list of them in which only these items
// are: they go with them.
func (m *mirror) emptyFolders(items []string) (ids []string) {
	if m.folders() == "categories" && len(m.Lists) > 1 {
		return nil
	}
	for id, c := range m.was {
		isFull := slices.ContainsFunc(keysOf(m.was), func(i string) bool {
			return m.was[i]["folder"] == c["folder"] && i != id && !slices.Contains(items, i)
		})
		if c["kind"] == string(record.Folder) && !isFull {
			ids = append(ids, id)
		}
	}
	return ids
}

// otherFolder returns a folder in which an item is not.
func (m *mirror) otherFolder(i Item) string {
	for _, other := range m.paper.Items() {
		if id := other.Names[m.folders()]; id != "" && id != i.Names[m.folders()] && m.was[other.ID]["folder"] != m.was[i.ID]["folder"] {
			return id
		}
	}
	m.Fatalf("there is one folder only")
	return ""
}

// titled returns the id of a record with a title, "" if no record has it.
func (m *mirror) titled(title string) string {
	for id, c := range m.shown() {
		if c["title"] == title {
			return id
		}
	}
	return ""
}

// A built site has the addresses of records by their ids, and what is at them.
type built struct{ address, page map[string]string }

// build builds the site of the archive. It closes the archive meanwhile.
func (m *mirror) build() built {
	if err := m.archive.Close(); err != nil {
		m.T.Fatal(err)
	}
	dir := m.publish(m.path)
	m.archive = fakepaper.Open(m.T, m.path)
	b := built{make(map[string]string), make(map[string]string)}
	for r, err := range m.archive.Records.All(m.Context()) {
		if err != nil {
			m.T.Fatal(err)
		}
		if isItem(r.Kind) && r.Address != "" {
			page, _ := os.ReadFile(filepath.Join(dir, filepath.FromSlash(r.Address))) // there may be none
			b.address[r.ID], b.page[r.ID] = r.Address, string(page)
		}
	}
	return b
}

// checkPage compares the page of an item with the one before the change.
func (m *mirror) checkPage(c change, i Item, now content, before, after built) {
	if c.page == nil {
		return
	}
	page, want := after.page[i.ID], c.page(m, i)
	switch {
	case want == "" && page != "" && strings.Contains(page, "<article"):
		m.Errorf("the site still has %s", after.address[i.ID])
	case want != "" && !strings.Contains(page, want):
		m.Errorf("the page %s lacks %q:\n%.300s", after.address[i.ID], want, page)
	case want != "" && after.address[i.ID] != before.address[i.ID]:
		m.Errorf("its address was %s and is %s", before.address[i.ID], after.address[i.ID])
	}
}

// publish builds the site of an archive that is closed, and returns its folder.
func (m *mirror) publish(archive string) string {
	name, public := archive+".yaml", archive+".public"
	settings := "base_url: https://ayna.example/\nsource: {url: " + m.paper.Address() + "}\ncontent: {removed: drop}\nwidths: []\nmarkdown: false\nmedia: link\ncompress: []\nfeeds: {formats: []}\n" +
		"archive: " + archive + "\noutput: " + public + "\n"
	if err := os.WriteFile(name, []byte(settings), 0o600); err != nil {
		m.T.Fatal(err)
	}
	c, err := config.Load(name, func(string) (string, bool) { return "", false })
	if err != nil {
		m.T.Fatal(err)
	}
	o := generator.Options{Config: c, Offline: true, Jobs: 2, Version: "1", Templates: templates.FS, Assets: assets.FS}
	if _, err := generator.Build(m.Context(), o); err != nil {
		m.T.Fatal(err)
	}
	return public
}
