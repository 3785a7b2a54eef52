package fetch_test

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ayna/archive/database"
	"ayna/fetch"
	"ayna/record"
	"ayna/testrun"
	"ayna/testrun/fakepaper"
)

const simulatedDay = 24 * time.Hour

// simulation is a mirror of a service over months, and what is known of both.
type simulation struct {
	*mirror
	behind     *fakepaper.Service // a replica that gets changes late
	random     *rand.Rand
	truth      map[string]fakepaper.Record
	order      []string // ids, oldest first
	used       map[string]bool
	lagging    bool
	delayed    []change                   // that the replica has not got yet
	bad        map[string]string          // answers that come once, by id
	badNow     int                        // a share of the answers, one in so many; 0 is none
	served     map[string]bool            // ids that a bad answer was given for in this run
	had        map[string]bool            // ids whose text was in the archive
	emptied    map[string]bool            // ids whose text the service really emptied
	open       []pending                  // changes that are not in the archive yet
	took       map[string][]time.Duration // how long changes took, by kind
	badAnswers int
	sent       int
	clock      time.Duration // how far this machine's clock is ahead
}

type change struct {
	at time.Time
	r  fakepaper.Record
}

type pending struct {
	kind, id string
	since    time.Time
}

// A kindOfChange is what the service does to a record of an age from least to
// most. The archive has it after p50 days in half of the cases, and after max
// days at most.
type kindOfChange struct {
	name        string
	least, most time.Duration
	p50, max    float64
	edit        func(*fakepaper.Record)
	bad         func(json string) string // what becomes of the first answer
	lagging     bool                     // it happens while a replica lags behind
	empties     bool                     // the text is really gone
}

// A clock that was five days ahead may put off a single record that long: the
// bounds of what needs several answers, or meets a bad one, allow for that.
var kindsOfChange = []kindOfChange{
	{name: "edit with a new date", most: ever, p50: 1, max: 7, edit: dated},
	{name: "edit with a new date, a replica lags", most: ever, p50: 1, max: 7, edit: dated, lagging: true},
	{name: "edit with an older date", most: ever, p50: 4, max: 9, edit: func(r *fakepaper.Record) {
		reword(r)
		r.Modified = r.Modified.Add(-time.Hour)
	}},
	{name: "silent edit, first day", most: simulatedDay * 3 / 4, p50: 1, max: 7, edit: reword},
	{name: "silent edit, first week", least: 2 * simulatedDay, most: 6 * simulatedDay, p50: 2, max: 8, edit: reword},
	{name: "silent edit, first month", least: 10 * simulatedDay, most: 25 * simulatedDay, p50: 4, max: 10, edit: reword},
	{name: "silent edit, older", least: 40 * simulatedDay, most: ever, p50: 30, max: 39, edit: reword},
	{name: "text emptied, with a new date", most: ever, p50: 6, max: 11, edit: func(r *fakepaper.Record) {
		dated(r)
		r.Text = ""
	}, empties: true},
	{name: "edit, its text missing once", most: ever, p50: 1, max: 7, edit: dated, bad: func(json string) string {
		return without(json, "Text", "")
	}},
	{name: "edit, its tags malformed once", most: ever, p50: 1, max: 7, edit: dated, bad: func(json string) string {
		return without(json, "Tags", `{"a":1}`)
	}},
}

const ever = 9999 * simulatedDay

func reword(r *fakepaper.Record) { r.Text = "<p>" + time.Now().String() + "</p>" }

func dated(r *fakepaper.Record) {
	reword(r)
	r.Title, r.Modified = r.Title+" yeni", time.Now()
}

// A simulation of 90 days: every change of the service reaches the archive, and no bad
// answer removes a text.
func TestNinetyDays(t *testing.T) {
	testrun.NotShort(t)
	t.Parallel()
	records, each, every := 50, 1, 16*time.Hour
	if testrun.Long() {
		records, each, every = 5000, 30, 3*time.Hour
	}
	synctest.Test(t, func(t *testing.T) {
		s := newSimulation(t, records)
		s.fill(t)
		start := time.Now()
		var plan []pending // when what happens to which kind of record
		for _, k := range kindsOfChange {
			for i := range each {
				at := start.Add(2*simulatedDay + time.Duration(s.random.Int64N(int64(50*simulatedDay))))
				if k.lagging { // in one of the two times when a replica lags
					at = start.Add(time.Duration(20+20*(i%2))*simulatedDay + time.Duration(s.random.Int64N(int64(3*simulatedDay))))
				}
				plan = append(plan, pending{kind: k.name, since: at})
			}
		}
		slices.SortFunc(plan, func(a, b pending) int { return a.since.Compare(b.since) })
		s.badNow = 100
		for time.Since(start) < 90*simulatedDay {
			for len(plan) > 0 && !plan[0].since.After(time.Now()) {
				s.change(t, plan[0].kind)
				plan = plan[1:]
			}
			day := int(time.Since(start) / simulatedDay)
			s.lagging = (day >= 20 && day < 23) || (day >= 40 && day < 43)
			switch s.clock = 0; {
			case day >= 30 && day < 33:
				s.clock = -2 * simulatedDay
			case day >= 36 && day < 38:
				s.clock = 5 * simulatedDay
			}
			s.publish()
			s.run(t)
			time.Sleep(every)
		}
		s.badNow = 0
		s.checkLatencies(t, records)
		s.checkComplete(t)
	})
}

func newSimulation(t *testing.T, records int) *simulation {
	n := open(t, fakepaper.Options{Quota: fakepaper.Quota{PerSecond: 5, PerHour: 500, SendHeaders: true}})
	s := &simulation{
		mirror: n, behind: fakepaper.New(fakepaper.Options{Base: n.Base}), random: rand.New(rand.NewPCG(1, 2)),
		truth: make(map[string]fakepaper.Record), used: make(map[string]bool), bad: make(map[string]string), served: make(map[string]bool),
		had: make(map[string]bool), emptied: make(map[string]bool), took: make(map[string][]time.Duration),
	}
	n.options.PerSecond, n.options.PerHour, n.options.PageSize = 5, 500, 50
	n.keepOnly(record.Article, record.Gallery, record.Video)
	n.options.Concurrency = 1 // the same requests in the same order each time
	n.options.Now = func() time.Time { return time.Now().Add(s.clock) }
	n.Service.Filter = honours("Datetime'", "'")
	s.behind.Filter = n.Service.Filter
	n.Service.Faults = s.fault
	n.options.Hosts[host] = http.HandlerFunc(s.serve)
	time.Sleep(time.Until(afterAll))
	for i := range records { // over two years, most of them older than a month
		s.add(time.Now().Add(-730 * simulatedDay / time.Duration(records) * time.Duration(records-i)))
	}
	return s
}

// add publishes a record.
func (s *simulation) add(at time.Time) {
	group := []string{"articles", "articles", "articles", "newsphotogalleries", "newsvideos"}[len(s.order)%5]
	r := fakepaper.Record{
		Group: group, ID: fmt.Sprint(50_000_000 + len(s.order)), Title: "Haber", Spot: "Özet", Text: "<p>Metin</p>", Path: "/spor/",
		URL: s.Base + "/haber", Tags: []string{"liman"}, Created: at, Modified: at.Add(time.Minute),
	}
	s.truth[r.ID], s.order = r, append(s.order, r.ID)
	s.Add(r)
	s.behind.Add(r)
}

// publish adds a record or two.
func (s *simulation) publish() {
	for range 1 + s.random.IntN(2) {
		s.add(time.Now())
	}
}

// serve lets the replica answer some requests while it lags.
func (s *simulation) serve(w http.ResponseWriter, r *http.Request) {
	if s.lagging && s.random.IntN(3) == 0 {
		s.behind.ServeHTTP(w, r)
		return
	}
	s.Service.ServeHTTP(w, r)
}

// fault gives the bad answers.
func (s *simulation) fault(c fakepaper.Call) *fakepaper.Fault {
	r, known := s.truth[c.ID]
	if c.List() || !known {
		return nil
	}
	if bad := s.bad[c.ID]; bad != "" {
		delete(s.bad, c.ID)
		s.served[c.ID] = true
		return fakepaper.Body(bad)
	}
	if s.badNow == 0 || s.random.IntN(s.badNow) > 0 || !s.had[c.ID] || s.emptied[c.ID] {
		return nil
	}
	s.served[c.ID] = true
	if s.random.IntN(2) == 0 {
		return fakepaper.Body(without(s.SingleJSON(r), "Tags", "null"))
	}
	return fakepaper.Body(without(s.SingleJSON(r), "Text", "null"))
}

// fill runs until everything is there.
func (s *simulation) fill(t *testing.T) {
	for {
		report, err := s.mirror.run(t)
		if err != nil && !errors.Is(err, fetch.ErrBudget) {
			t.Fatal(err)
		}
		time.Sleep(time.Hour)
		if err == nil && report.Wanted == 0 {
			break
		}
	}
	s.checkComplete(t)
	for id := range s.truth {
		s.had[id] = true
	}
}

// change does to a record what a kind of change is.
func (s *simulation) change(t *testing.T, name string) {
	k := kindsOfChange[slices.IndexFunc(kindsOfChange, func(k kindOfChange) bool { return k.name == name })]
	var fit []string
	for _, id := range s.order {
		if age := time.Since(s.truth[id].Created); age >= k.least && age <= k.most && !s.used[id] && s.had[id] {
			fit = append(fit, id)
		}
	}
	if len(fit) == 0 {
		t.Fatalf("no record for %s", name)
	}
	id := fit[s.random.IntN(len(fit))]
	r := s.truth[id]
	k.edit(&r)
	s.truth[id], s.used[id] = r, true
	s.Amend(r.Group, id, func(old *fakepaper.Record) { *old = r })
	s.delayed = append(s.delayed, change{time.Now().Add(12 * time.Hour), r})
	if k.bad != nil {
		s.bad[id] = k.bad(s.SingleJSON(r))
	}
	s.emptied[id] = k.empties
	s.open = append(s.open, pending{name, id, time.Now()})
}

// run synchronises, looks for texts that were lost, and for changes that have
// arrived.
func (s *simulation) run(t *testing.T) {
	s.delayed = slices.DeleteFunc(s.delayed, func(c change) bool {
		if c.at.After(time.Now()) {
			return false
		}
		s.behind.Amend(c.r.Group, c.r.ID, func(old *fakepaper.Record) { *old = c.r })
		return true
	})
	report, err := s.mirror.run(t)
	if err != nil {
		t.Fatal(err)
	}
	s.sent += report.Requests.Sent
	for _, c := range report.Kinds {
		if c.Gone > 0 {
			t.Fatal("a record is taken for gone")
		}
	}
	s.badAnswers += len(s.served)
	for id := range s.served {
		s.look(t, id)
	}
	clear(s.served)
	for _, id := range s.order[len(s.order)-20:] {
		s.look(t, id)
	}
	s.open = slices.DeleteFunc(s.open, func(p pending) bool {
		if !s.look(t, p.id) {
			return false
		}
		s.took[p.kind] = append(s.took[p.kind], time.Since(p.since))
		return true
	})
}

// look reports whether the archive holds what the service has of a record. That
// it holds no text or no tags where it had some is an error.
func (s *simulation) look(t *testing.T, id string) bool {
	r := s.truth[id]
	got, err := s.archive.Records.Get(t.Context(), r.Kind(), id)
	if errors.Is(err, database.ErrNotFound) {
		return false
	}
	if err != nil {
		t.Fatal(err)
	}
	content, err := record.ContentOf(&got.Record)
	if err != nil {
		t.Fatal(err)
	}
	if s.had[id] && (content.Text == "" && !s.emptied[id] || len(got.Tags) == 0) {
		t.Errorf("%s has lost content: %s", id, got.Single)
	}
	s.had[id] = s.had[id] || content.Text != ""
	return string(got.List) == s.ListJSON(r) && string(got.Single) == s.SingleJSON(r)
}

// checkLatencies prints how long each kind of change took, and compares it with its
// bounds.
func (s *simulation) checkLatencies(t *testing.T, records int) {
	for _, p := range s.open {
		t.Errorf("%s of %s has not arrived after %s", p.kind, p.id, time.Since(p.since))
	}
	if excess := s.Excess(); excess != (fakepaper.Excess{}) {
		t.Errorf("requests above the quota: %+v", excess)
	}
	var table strings.Builder
	for _, k := range kindsOfChange {
		took := s.took[k.name]
		if len(took) == 0 {
			t.Errorf("%s: none", k.name)
			continue
		}
		slices.SortFunc(took, cmp.Compare)
		p50, most := took[len(took)/2].Hours()/24, took[len(took)-1].Hours()/24
		fmt.Fprintf(&table, "%-38s %3d  %5.1f %5.1f\n", k.name, len(took), p50, most)
		if most > k.max || len(took) >= 10 && p50 > k.p50 { // the median of few means nothing
			t.Errorf("%s: in the archive after %.1f days, %.1f at most; want %v and %v", k.name, p50, most, k.p50, k.max)
		}
	}
	t.Logf("90 days, %d records and more, 500 requests an hour: %d requests, %d bad answers\n%-38s   n   p50   max (days)\n%s",
		records, s.sent, s.badAnswers, "", &table)
}
