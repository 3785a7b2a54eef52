package sourcetest

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"ayna/archive"
	"ayna/fetch"
	"ayna/generator"
	"ayna/record"
	"ayna/source"
)

// A mirror is an archive of a paper.
type mirror struct {
	*check
	*Newsroom
	paper   Paper
	layer   *layer
	archive *archive.Archive
	path    string // of the archive's file, "" in memory
	items   int    // that the paper opened with
	options fetch.Options
	source  source.Source // of the latest run
	facts   source.Facts
	was     map[string]content // what it shows of the paper as it is opened

	report   *fetch.Report // of the latest run
	err      error
	warnings []string // of all runs
}

// Exit codes of a command, as docs have them.
const (
	exitOK       = 0
	exitFailure  = 1
	exitPartial  = 3
	exitKey      = 4
	exitDown     = 5
	exitBudget   = 6
	exitWithheld = 7
	exitShape    = 12
)

// open opens a paper and its mirror, whose archive is set later.
func (n *Newsroom) open(c *check, items int, keyed bool) *mirror {
	if now := time.Until(began); now > 0 {
		time.Sleep(now)
	}
	key := ""
	if keyed {
		key = n.Key
	}
	paper := n.Open(c, items, key)
	at, err := url.Parse(paper.Address())
	if err != nil {
		c.T.Fatal(err)
	}
	m := &mirror{check: c, Newsroom: n, paper: paper, items: items, layer: &layer{newsroom: n, paper: paper}}
	// A second worker would wait for a lock of the source, which stops the clock of synctest.
	m.options = fetch.Options{
		URL: paper.Address(), Concurrency: 1, PageSize: n.PageSize, Timeout: 5 * time.Second, MaxRecords: 5 * items,
		Hosts: map[string]http.Handler{at.Host: m.layer},
		Open: func(connection source.Connection) (source.Source, error) {
			s, err := paper.Source(key, connection)
			m.source = s
			return s, err
		},
	}
	return m
}

// run brings the archive up to date, and returns the exit code of a build.
func (m *mirror) run() int { return m.runWith(m.Context()) }

func (m *mirror) runWith(ctx context.Context) int {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	m.layer.set(func(l *layer) { l.log, l.endless = nil, stop })
	m.report, m.err = fetch.Run(ctx, m.archive, m.options)
	m.facts = m.source.Facts()
	if n := m.layer.calls(func(Call) bool { return true }); n > mostRequests {
		m.Fatalf("the run sent %d requests and more", mostRequests)
	}
	m.warnings = append(m.warnings, m.report.Warnings...)
	return exitCode(m.report, m.err)
}

// exitCode returns the exit code of a build with this report.
func exitCode(report *fetch.Report, err error) int {
	for _, known := range []struct {
		err  error
		code int
	}{{fetch.ErrShape, exitShape}, {fetch.ErrKey, exitKey}, {fetch.ErrDown, exitDown}} {
		if errors.Is(err, known.err) {
			return known.code
		}
	}
	whole := generator.Report{Sync: report}
	budgetUsed := errors.Is(err, fetch.ErrBudget)
	switch {
	case whole.Withheld() > 0 && (err == nil || budgetUsed):
		return exitWithheld
	case budgetUsed:
		return exitBudget
	case err != nil:
		return exitFailure
	case whole.Incomplete():
		return exitPartial
	}
	return exitOK
}

// exits runs, and wants one of some exit codes.
func (m *mirror) exits(want ...int) {
	m.Helper()
	if code := m.run(); !slices.Contains(want, code) {
		m.Errorf("exit code %d, want %d: %v; failed: %+v", code, want, m.err, m.report.Failed)
	}
}

// wait passes time on.
func (m *mirror) wait(d time.Duration) { time.Sleep(d) }

// sweep waits until lists are read whole again, runs, and wants one of some exit codes.
func (m *mirror) sweep(want ...int) {
	m.Helper()
	m.wait(max(m.facts.Sweep, time.Hour) + time.Minute)
	m.exits(want...)
}

// under makes a fault until the function returns. It has to meet an answer.
func (m *mirror) under(f fault, run func()) {
	m.layer.set(func(l *layer) { l.fault, l.met = f, 0 })
	defer m.layer.set(func(l *layer) { l.fault = nil })
	if run(); m.layer.met == 0 {
		m.T.Errorf("%s: the fault has met no answer", m.row)
	}
}

// content is what the page of a record shows, by the names of [record.Lost].
type content map[string]string

// notCome stands for the text of an item whose single record has not come.
const notCome = "has not come"

// shown returns what the archive has of each record that is not gone, by its id.
func (m *mirror) shown() map[string]content {
	all := make(map[string]content)
	for r, err := range m.archive.Records.All(m.Context()) {
		if err != nil {
			m.T.Fatal(err)
		}
		if !r.GoneAt.IsZero() || r.Provisional {
			continue
		}
		of, err := record.ContentOf(&r.Record)
		if err != nil {
			m.Errorf("%s %s: %v", r.Kind, r.ID, err)
		}
		var writers, pictures []string
		for _, w := range r.Writers {
			writers = append(writers, w.ID+" "+w.Name)
		}
		for _, f := range of.Files {
			pictures = append(pictures, f.URL)
		}
		c := content{
			"kind": string(r.Kind), "title": r.Title, "description": r.Spot, "folder": strings.Join(r.Folders(), " "), "address": r.URL,
			"writer": strings.Join(writers, ", "), "text": of.Text, "pictures": strings.Join(pictures, " "), "tags": strings.Join(r.Tags, ", "),
			"date of publication": dateText(r.Published), "date of change": dateText(r.Modified),
		}
		if isItem(r.Kind) && r.Single == nil {
			c["text"] = notCome
		}
		all[r.ID] = c
	}
	return all
}

func isItem(k record.Kind) bool { return k != record.Writer && k != record.Folder && k != record.Page }

func dateText(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return at.UTC().Format(time.DateTime)
}

// keeps wants that the archive shows what it showed when the row began, but for some ids.
func (m *mirror) keeps(except ...string) {
	m.Helper()
	m.compare(m.shown(), m.was, except...)
}

// keepsEdited is keeps, with the new titles and dates of items that retitle has edited.
func (m *mirror) keepsEdited(ids ...string) {
	m.Helper()
	want, now := maps.Clone(m.was), m.shown()
	for _, id := range ids {
		want[id] = maps.Clone(want[id])
		if want[id]["title"] += edited; now[id] != nil {
			want[id]["date of change"] = now[id]["date of change"]
		}
	}
	m.compare(now, want)
}

// compare wants that records show this, but for some ids.
func (m *mirror) compare(got, want map[string]content, except ...string) {
	m.Helper()
	defer func(before int) { m.shorten(before) }(len(m.failures[m.part]))
	for _, id := range slices.Sorted(maps.Keys(want)) {
		switch {
		case slices.Contains(except, id):
		case got[id] == nil:
			m.Errorf("%s %s is gone", want[id]["kind"], id)
		default:
			for _, name := range slices.Sorted(maps.Keys(want[id])) {
				if got[id][name] != want[id][name] {
					m.Errorf("%s of %s %s is %.80q, want %.80q", name, want[id]["kind"], id, got[id][name], want[id][name])
				}
			}
		}
	}
	for id := range got {
		if want[id] == nil && !slices.Contains(except, id) {
			m.Errorf("%s %s is there, and should not be: %.200q", got[id]["kind"], id, got[id])
		}
	}
}

// item returns the item at a place of the paper, the newest first, beyond the newest ones.
func (m *mirror) item(place int) Item { return m.paper.Items()[place] }

// of returns what the archive shows of a record, nil if it is gone or unknown.
func (m *mirror) of(id string) content { return m.shown()[id] }

// stored returns an item of the archive.
func (m *mirror) stored(id string) *archive.Record {
	r, err := m.archive.Records.Get(m.Context(), record.Article, id)
	if err != nil {
		m.Fatalf("%s: %v", id, err)
	}
	return r
}

// wantGone wants that records are gone, or are not.
func (m *mirror) wantGone(want bool, ids ...string) {
	m.Helper()
	now := m.shown()
	for _, id := range ids {
		if got := now[id] == nil; got != want {
			m.Errorf("%s is gone: %t, want %t", id, got, want)
		}
	}
}

const edited = " (yeni)"

// retitle edits an item with a newer date.
func (m *mirror) retitle(id string) {
	m.paper.Change(id, time.Now(), func(i *Item) { i.Title += edited })
}

// wantTitle wants the title of retitle, or the one before.
func (m *mirror) wantTitle(isNew bool, ids ...string) {
	m.Helper()
	now := m.shown()
	for _, id := range ids {
		if title := now[id]["title"]; (title == m.was[id]["title"]+edited) != isNew {
			m.Errorf("title of %s: %q; the new one: want %t", id, title, isNew)
		}
	}
}

// warned wants a number of warnings over all runs.
func (m *mirror) warned(want int) {
	m.Helper()
	if len(m.warnings) != want {
		m.Errorf("%d warnings, want %d: %q", len(m.warnings), want, m.warnings)
	}
}

// lists returns the names of lists with one of some needs.
func (n *Newsroom) lists(needs ...Need) (names []string) {
	for _, l := range n.Lists {
		if slices.Contains(needs, l.Needs) {
			names = append(names, l.Name)
		}
	}
	return names
}
