package fetch_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ayna/archive"
	"ayna/fetch"
	"ayna/record"
	"ayna/source"
	"ayna/source/readapi"
	"ayna/testrun"
	"ayna/testrun/fakepaper"
)

const (
	host = "haber.example"
	key  = "kanarya-anahtar-1234567890" // long enough for a record that repeats it to be refused
)

// inVirtualTime runs a parallel subtest by a clock of its own (see package synctest).
func inVirtualTime(t *testing.T, name string, run func(*testing.T)) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, run)
	})
}

// withClock runs a parallel test by a clock of its own.
func withClock(t *testing.T, run func(*testing.T)) {
	t.Helper()
	t.Parallel()
	synctest.Test(t, run)
}

// copied is an archive in memory, and how it is synchronised.
type copied struct {
	archive  *archive.Archive
	options  fetch.Options
	clearLog func() // of the source
	strict   bool   // mustRun accepts no failure
}

// run synchronises. The list of requests is that of this run afterwards.
func (c *copied) run(t *testing.T) (*fetch.Report, error) {
	t.Helper()
	c.clearLog()
	return fetch.Run(t.Context(), c.archive, c.options)
}

func (c *copied) mustRun(t *testing.T) *fetch.Report {
	t.Helper()
	report, err := c.run(t)
	if err != nil {
		t.Fatal(err)
	}
	if c.strict && len(report.Failed) > 0 {
		t.Fatalf("failed: %+v", report.Failed)
	}
	return report
}

// held is what the archive holds, a line for each record, in an order that does not depend
// on which of two requests was answered first.
func (c *copied) held(t *testing.T) []string {
	t.Helper()
	var lines []string
	for r, err := range c.archive.Catalog.Scan(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		full, err := c.archive.Records.Get(t.Context(), r.Kind, r.ID)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, fmt.Sprintf("%s %s wanted %v gone %v\n%s\n%s", r.Kind, r.ID, r.FetchDue, !r.GoneAt.IsZero(), full.List, full.Single))
	}
	slices.Sort(lines)
	return lines
}

// mirror is a service that answers in this process, and an archive of it.
type mirror struct {
	*fakepaper.Service
	copied
}

func open(t *testing.T, o fakepaper.Options) *mirror {
	t.Helper()
	if o.Base == "" {
		o.Base = "https://" + host
	}
	return openOver(t, fakepaper.New(o))
}

func openOver(t *testing.T, s *fakepaper.Service) *mirror {
	t.Helper()
	return &mirror{s, copied{archive: fakepaper.Archive(t), clearLog: s.ClearLog, options: fetch.Options{
		URL: s.Base, Open: readAPI(s.Base, key), Concurrency: 4, PageSize: 10, Timeout: 5 * time.Second,
		Hosts: map[string]http.Handler{host: s},
	}}}
}

// readAPI opens the Read API at an address.
func readAPI(base, key string) func(source.Connection) (source.Source, error) {
	return func(c source.Connection) (source.Source, error) {
		return readapi.New(base, key, c)
	}
}

// onDisk replaces the archive by an empty one in a file, and returns its path.
func (n *mirror) onDisk(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "archive.db")
	n.archive = fakepaper.Open(t, path)
	return path
}

// withPictures mirrors pictures, too, for which an archive needs a folder.
func (n *mirror) withPictures(t *testing.T) {
	t.Helper()
	n.onDisk(t)
	n.options.Pictures = true
}

// checkComplete compares the archive with the service, byte for byte.
func (n *mirror) checkComplete(t *testing.T) {
	t.Helper()
	records := n.Records()
	for _, want := range records {
		got, err := n.archive.Records.Get(t.Context(), want.Kind(), want.ID)
		if err != nil {
			t.Error(err)
			continue
		}
		if string(got.List) != n.ListJSON(want) {
			t.Errorf("%s %s: list record\n got %s\nwant %s", want.Group, want.ID, got.List, n.ListJSON(want))
		}
		if string(got.Single) != n.SingleJSON(want) {
			t.Errorf("%s %s: single record\n got %s\nwant %s", want.Group, want.ID, got.Single, n.SingleJSON(want))
		}
		if got.FetchDue {
			t.Errorf("%s %s is still wanted", want.Group, want.ID)
		}
	}
	if held := n.held(t); len(held) != len(records) {
		t.Errorf("the archive holds %d records, the service %d", len(held), len(records))
	}
}

func isList(r fakepaper.Request) bool { return r.List() }

func isSingle(r fakepaper.Request) bool { return !r.List() }

// seeds is how many cases a seeded suite tries: few, or all of them in a long run.
func seeds(few, many int) int { return testrun.Counts{Plain: few, Long: many}.Now() }

// afterAll is a time after the dates of all records that a service is made with.
var afterAll = time.Date(2026, 11, 3, 0, 0, 0, 0, time.UTC)

func isArticles(r fakepaper.Request) bool { return r.Operation == "articles" && r.List() }

// onlyLists keeps to what a test of lists looks at: articles, without their
// bodies.
func (n *mirror) onlyLists(t *testing.T) {
	t.Helper()
	n.options.Kinds, n.options.Wants = []record.Kind{record.Article}, func([]string) bool { return false }
	n.options.Concurrency = 1
}

// keepOnly removes records of other kinds from the service, and the mirror does not read
// their lists: what a test repeats for weeks is fast then.
func (n *mirror) keepOnly(kinds ...record.Kind) {
	n.options.Kinds = kinds
	for _, r := range n.Records() {
		if kind := r.Kind(); kind != record.Writer && kind != record.Folder && !slices.Contains(kinds, kind) {
			n.Remove(r.Group, r.ID)
		}
	}
}

func (n *mirror) articles() []fakepaper.Record {
	return slices.DeleteFunc(n.Records(), func(r fakepaper.Record) bool { return r.Group != "articles" })
}

// lost counts the articles of the service that the archive lacks, or holds in
// an earlier version.
func (n *mirror) lost(t *testing.T) (lost int) {
	t.Helper()
	for _, want := range n.articles() {
		got, err := n.archive.Records.Get(t.Context(), record.Article, want.ID)
		if err != nil || string(got.List) != n.ListJSON(want) || !got.GoneAt.IsZero() {
			lost++
		}
	}
	return lost
}

// countCurrent counts the articles of the archive that are not gone.
func (n *mirror) countCurrent(t *testing.T) (current int) {
	t.Helper()
	ids := make(map[string]bool)
	for r, err := range n.archive.Catalog.Scan(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if r.Kind != record.Article {
			continue
		}
		if ids[r.ID] {
			t.Errorf("%s is held twice", r.ID)
		}
		ids[r.ID] = true
		if r.GoneAt.IsZero() {
			current++
		}
	}
	return current
}

// span is the places of a list of n from one to before another.
func span(from, to, n int) (places []int) {
	for i := max(0, from); i < min(to, n); i++ {
		places = append(places, i)
	}
	return places
}

// honours is a service that understands date filters written in one way.
func honours(before, after string) func(string) (func(fakepaper.Record) bool, int) {
	return func(expression string) (func(fakepaper.Record) bool, int) {
		text, ok := strings.CutPrefix(expression, "ModifiedDate ge "+before)
		text, closed := strings.CutSuffix(text, after)
		since, err := time.Parse(time.RFC3339, text)
		if !ok || !closed || err != nil {
			return nil, http.StatusInternalServerError
		}
		return func(r fakepaper.Record) bool { return !r.Modified.Before(since) }, http.StatusOK
	}
}

func isFiltered(r fakepaper.Request) bool { return strings.Contains(r.URI, "%24filter") }

// atTheirTime brings the clock to when the newest records have just appeared.
func atTheirTime() { time.Sleep(time.Until(time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC))) }

func isUnfilteredArticles(r fakepaper.Request) bool { return isArticles(r) && !isFiltered(r) }

// vanish takes the last articles of the list out, and returns them.
func vanish(n *mirror, count int) []fakepaper.Record {
	all := n.articles()
	taken := all[len(all)-count:]
	for _, r := range taken {
		n.Remove(r.Group, r.ID)
	}
	return taken
}

// relisted runs when a pass over all lists is due.
func (n *mirror) relisted(t *testing.T) *fetch.Report {
	t.Helper()
	time.Sleep(25 * time.Hour)
	return n.mustRun(t)
}

func all(fakepaper.Request) bool { return true }

// checkSecret looks for the key in the report and the error of a run.
func checkSecret(t *testing.T, report *fetch.Report, err error) {
	t.Helper()
	if text := fmt.Sprintf("%+v %v", report, err); strings.Contains(text, key) {
		t.Error("the report or the error holds the key")
	}
}

// checkSecretFiles looks for it in every file below dir.
func checkSecretFiles(t *testing.T, dir string) {
	t.Helper()
	looked := 0
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		if strings.Contains(string(content), key) {
			t.Errorf("%s holds the key", path)
		}
		looked++
		return err
	})
	if err != nil || looked == 0 {
		t.Errorf("%d files looked into, %v", looked, err)
	}
}

func isUnstable(report *fetch.Report) bool {
	list := report.Lists["articles"]
	return list != nil && list.Unstable
}

// tooMany is an answer 429, which may say when to come again.
func tooMany(after ...string) *fakepaper.Fault {
	return &fakepaper.Fault{Status: http.StatusTooManyRequests, Body: "Rate Limit Exceeded", Header: http.Header{"Retry-After": after}}
}

// without takes a field out of JSON, or writes it otherwise.
func without(json, field, value string) string {
	_, rest, found := strings.Cut(json, fmt.Sprintf(",%q:", field))
	if !found {
		panic("no " + field + " in " + json)
	}
	end := strings.Index(rest, `,"`)
	if rest[0] == '"' {
		end = strings.Index(rest, `","`) + 1
	}
	if rest[0] == '[' {
		end = strings.Index(rest, `],"`) + 1
	}
	if end <= 0 { // it is the last field
		end = len(rest) - 1
	}
	instead := ""
	if value != "" {
		instead = fmt.Sprintf(",%q:%s", field, value)
	}
	return strings.Replace(json, fmt.Sprintf(",%q:%s", field, rest[:end]), instead, 1)
}
