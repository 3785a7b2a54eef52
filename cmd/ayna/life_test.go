package main

import (
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"ayna/archive"
	"ayna/record"
	"ayna/testrun"
	"ayna/testrun/fakepaper"
)

const (
	hour = time.Hour
	day  = 24 * hour
)

// TestLife plays a mirror's life: rounds in which records are edited, moved, renumbered,
// deleted and brought back at a source with faults, and mirrored by runs that are killed,
// budgeted or rolled back, hours to weeks later, while records are forgotten.
// After each round the site equals one built from nothing out of the same archive, nothing
// is left of what is forgotten, and no item has a new address. In the end the archive has
// what the source has.
func TestLife(t *testing.T) {
	testrun.NeedsSlow(t, "plays a mirror's life")
	t.Parallel()
	lives, rounds := testrun.Counts{Slow: 1, Long: 12}.Now(), testrun.Counts{Slow: 4, Long: 240}.Now()
	for seed := range lives {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			l := newLife(t, uint64(seed))
			for round := range rounds {
				changes := l.change()
				run := l.run()
				l.setFaults(0, 0)
				t.Logf("round %d: %s; %s", round, strings.Join(changes, ", "), run)
				l.plain()
				l.compare()
				if round == rounds-1 || round%20 == 19 {
					l.converge()
				}
				if t.Failed() {
					return
				}
			}
			l.checkSecret(t)
		})
	}
}

type life struct {
	*fakepaper.Service
	*workdir
	whole     time.Duration // of a build
	t         *testing.T
	random    *rand.Rand
	ahead     atomic.Int64       // of the machine's clock: the source's, and the program's
	addresses map[string]string  // of the items that were published, by record
	gone      []fakepaper.Record // at the source
	hidden    map[string]bool    // ids whose single records cannot be had
	made      int                // words and ids
	traces    map[string]*trace  // by text
	seen      map[string]bool    // addresses that the archive had: the record's key, blank, address
	forgotten map[string]bool    // keys
}

func newLife(t *testing.T, seed uint64) *life {
	l := &life{
		t: t, random: rand.New(rand.NewPCG(seed, 4)), addresses: make(map[string]string), hidden: make(map[string]bool),
		traces: make(map[string]*trace), seen: make(map[string]bool), forgotten: make(map[string]bool),
	}
	l.Service = startUpstream(t, fakepaper.Options{
		Items: 60, Seed: seed, UndatedSingles: seed%2 == 1, ShortPages: seed%4 == 2, Now: l.now,
	})
	l.Handle("GET /bild/{id}", l.Operation("picture", func(_ *http.Request, c fakepaper.Call) (int, []byte) {
		return http.StatusOK, picture(c.ID)
	}))
	l.Server.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Date", l.now().UTC().Format(http.TimeFormat))
		l.ServeHTTP(w, r)
	})
	for _, r := range l.Records() {
		l.Amend(r.Group, r.ID, func(r *fakepaper.Record) {
			if isItem(*r) { // without the id, so that it can have another one
				r.URL, r.Pictures = l.Base+l.path(), []string{l.picture()}
			}
			l.leave(*r)
		})
	}
	removed := []string{"keep", "drop"}[seed%2]
	l.workdir = newWorkdir(t, l.Service, concurrency, "widths: [16]\nsearches: [kıyı, söz]\ncontent: {removed: "+removed+"}\n")
	start := time.Now()
	l.mustBuild(t)
	l.whole = time.Since(start)
	return l
}

// now is the time at the source.
func (l *life) now() time.Time { return time.Now().Add(time.Duration(l.ahead.Load())) }

// start starts the program with a clock that differs from that of the source.
func (l *life) start(p *workdir, differs time.Duration, args ...string) *process {
	p.env = []string{"AHEAD=" + (time.Duration(l.ahead.Load()) + differs).String()}
	if args[0] == "rollback" {
		return p.startCommand(l.t, "ayna", "rollback")
	}
	return p.startAyna(l.t, args[0], args[1:]...)
}

// run mirrors the source in one of the ways a mirror is run, or forgets a record, perhaps
// with a wrong clock and while the source has faults. It returns what it did.
func (l *life) run() string {
	l.ahead.Add(int64([]time.Duration{0, hour, 7 * hour, day, 3 * day, 9 * day, 30 * day}[l.random.IntN(7)]))
	differs := time.Duration(0)
	if l.random.IntN(6) == 0 {
		differs = []time.Duration{-2 * day, -3 * hour, hour, 5 * day}[l.random.IntN(4)]
	}
	share := l.random.Float64() * 0.4
	if l.random.IntN(2) == 0 {
		share = 0
	}
	l.setFaults(share, l.random.Uint64())
	how, name := l.random.IntN(10), ""
	args := [][]string{
		{"build"}, {"build", "--full"}, {"build", "--budget", fmt.Sprint(1 + l.random.IntN(40))}, {"build"}, {"sync"}, {"rollback"},
		{"forget"}, {"forget"}, {"forget"}, {"forget", "--undo"},
	}[how]
	if args[0] == "forget" {
		if name = l.anyRecord(how == 9); name == "" {
			return "nothing to forget"
		}
		args = append(args, name)
	}
	c := l.start(l.workdir, differs, args...)
	if killed := how == 3 || how == 8; killed {
		time.Sleep(time.Duration(l.random.Int64N(int64(l.whole))))
		c.Process.Kill()
		args = append(args, "(killed)")
	}
	code := c.wait(l.t, 2*time.Minute)
	noEarlier := args[0] == "rollback" && code == 1 // there is no site to roll back to
	if !noEarlier && !slices.Contains([]int{-1, 0, 3, 5, 6, 7, 12}, code) {
		l.t.Fatalf("%s ended with %d\n%s%s", args, code, c.out, c.err)
	}
	switch {
	case args[0] == "forget" && code == exitOK && how == 9:
		delete(l.forgotten, name)
	case args[0] == "forget" && code == exitOK:
		l.forgotten[name] = true
	case args[0] == "sync":
		l.offline(l.workdir, differs, "build", "--offline", "--allow-delete", "1000")
	}
	return fmt.Sprintf("%s with its clock %s ahead, %.0f %% faults, ended with %d", args, differs, 100*share, code)
}

// setFaults gives the source faults in a share of its answers, beside those of hidden records.
func (l *life) setFaults(share float64, seed uint64) {
	faults, hidden := []*fakepaper.Fault{fakepaper.Status(500), fakepaper.Status(503), fakepaper.HTML(), {Half: true}, {Cut: true}}, maps.Clone(l.hidden)
	l.SetFaults(func(c fakepaper.Call) *fakepaper.Fault { // side by side, so without a shared random source
		if hidden[c.ID] {
			return fakepaper.Status(501)
		}
		h := fnv.New64a()
		fmt.Fprint(h, seed, c)
		random := rand.New(rand.NewPCG(h.Sum64(), 1))
		if random.Float64() >= share {
			return nil
		}
		return faults[random.IntN(len(faults))]
	})
}

// anyRecord returns a record of the archive as commands name it, or a forgotten one; "" if
// the archive has no such record.
func (l *life) anyRecord(forgotten bool) string {
	var records []string
	l.archive(l.archivePath(), func(a *archive.Archive) error {
		if forgotten {
			list, err := a.State.Forgotten(l.t.Context())
			for _, f := range list {
				records = append(records, string(f.Kind)+"/"+f.ID)
			}
			return err
		}
		kinds := record.Kinds
		if l.random.IntN(5) > 0 {
			kinds = record.Kinds[:4]
		}
		for r, err := range a.Catalog.Scan(l.t.Context(), kinds...) {
			if err != nil {
				return err
			}
			records = append(records, string(r.Kind)+"/"+r.ID)
		}
		return nil
	})
	if len(records) == 0 {
		return ""
	}
	return records[l.random.IntN(len(records))]
}

// archive reads an archive. It closes it at once: when this process closes the file later,
// it drops its locks.
func (l *life) archive(name string, read func(*archive.Archive) error) {
	l.t.Helper()
	a, err := archive.OpenReadOnly(l.t.Context(), name)
	if err != nil {
		l.t.Fatal(err)
	}
	defer a.Close()
	if err := read(a); err != nil {
		l.t.Fatal(err)
	}
}

// plain mirrors the source while nothing but hidden records is in the way.
func (l *life) plain(args ...string) {
	l.t.Helper()
	c := l.start(l.workdir, 0, append([]string{"build"}, args...)...)
	if code := c.wait(l.t, 2*time.Minute); code != exitOK && code != exitPartial && code != exitWithheld {
		l.t.Fatalf("a plain build ended with %d\n%s%s", code, c.out, c.err)
	}
}

// offline runs a command that makes no request.
func (l *life) offline(p *workdir, differs time.Duration, args ...string) {
	l.t.Helper()
	c := l.start(p, differs, args...)
	if code := c.wait(l.t, 2*time.Minute); code != exitOK && code != exitPartial {
		l.t.Fatalf("%s ended with %d\n%s%s", args, code, c.out, c.err)
	}
}

// compare brings the site up to date with the archive and compares it with one
// built from nothing, years later.
func (l *life) compare() {
	l.t.Helper()
	l.offline(l.workdir, 0, "build", "--offline", "--check", "--allow-delete", "1000")
	fresh := &workdir{dir: l.t.TempDir(), key: l.key}
	defer os.RemoveAll(fresh.dir)
	if err := os.CopyFS(filepath.Join(fresh.dir, ".ayna"), os.DirFS(filepath.Join(l.dir, ".ayna"))); err != nil {
		l.t.Fatal(err)
	}
	configuration, err := os.ReadFile(filepath.Join(l.dir, "site.yaml"))
	if err == nil {
		err = os.WriteFile(filepath.Join(fresh.dir, "site.yaml"), configuration, 0o644)
	}
	if err != nil {
		l.t.Fatal(err)
	}
	l.offline(fresh, 1000*day, "build", "--offline", "--allow-delete", "1000")
	site := l.tree(l.t, "public")
	compareTrees(l.t, site, fresh.tree(l.t, "public"))
	l.archive(l.archivePath(), func(a *archive.Archive) error {
		for r, err := range a.Catalog.Scan(l.t.Context()) {
			if err != nil {
				return err
			}
			key := string(r.Kind) + "/" + r.ID
			l.seen[key+" "+r.URL] = true
			if old := l.addresses[key]; old != "" && old != r.Address {
				l.t.Errorf("%s moved from %s to %s", key, old, r.Address)
			}
			if _, published := site[r.Address]; published && r.Kind != record.Writer && r.Kind != record.Folder {
				l.addresses[key] = r.Address
			}
		}
		return nil
	})
	l.checkForgotten()
}
