package sourcetest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"ayna/archive"
	"ayna/testrun"
	"ayna/testrun/fakepaper"
)

// Live plays random lives of mirrors: months in which an editor works, the source has faults
// that end before the next run, and runs are cut. No run may delete or change what the source
// still has, and four days after the last fault the mirror is one made from nothing. A life
// follows from its seed, which is its name: with AYNA_LONG=1, -run 'TestLives/seed/^7$' plays one again.
func Live(t *testing.T, n Newsroom) {
	testrun.InMemory()
	testrun.SpendMemory()
	lives := testrun.Counts{Plain: 1, Slow: 5, Long: 200}.Now()
	var mu sync.Mutex
	runs, met := 0, make(map[string]int)
	t.Run("seed", func(t *testing.T) {
		for seed := range lives {
			t.Run(fmt.Sprint(seed), func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					l := n.live(t, uint64(seed))
					mu.Lock()
					defer mu.Unlock()
					runs += l.runs
					for name, n := range l.met {
						met[name] += n
					}
				})
			})
		}
	})
	t.Logf("%d lives, %d runs, answers with faults: %v", lives, runs, met)
}

// life is a mirror whose source changes and has faults.
type life struct {
	*mirror
	random    *rand.Rand
	runs      int
	withdrawn map[string]string // the ways, by id
	standing  []string          // items that are pages for a while
	words     int
	scheduled time.Time          // the latest date of an item that is to come
	changed   bool               // the paper has changed since look
	edited    []string           // ids of items that have changed before this run
	before    map[string]content // what the mirror showed before this run
	due       []string           // ids of items whose edit it knew by then, and had not fetched
	truth     map[string]content // what a mirror made from nothing shows
	past      history
	copies    []replica
	replica   *replica       // that answers in this run, or nil
	met       map[string]int // answers that each kind of fault has changed
	lacked    bool           // in this run something has seemed to be gone
	calm      bool           // a whole run since then has seen that it is not
	trace     []string
}

// A replica is a copy of the paper that gets no changes.
type replica struct {
	paper http.Handler
	truth map[string]content
}

func (n *Newsroom) live(t *testing.T, seed uint64) *life {
	c := &check{T: t, row: fmt.Sprint("seed ", seed), failures: make(map[string][]string)}
	l := &life{random: rand.New(rand.NewPCG(seed, 7)), withdrawn: make(map[string]string), met: make(map[string]int), past: make(history), calm: true, changed: true}
	c.stopping(func() {
		l.mirror = n.open(c, 40, false)
		l.path = filepath.Join(t.TempDir(), "archive.db")
		if n.Older != nil && seed%2 == 1 {
			n.Older(l.paper)
		}
		if seed%3 == 1 {
			l.options.PageSize = 10
		}
		l.archive = l.openArchive(l.path)
		defer func() { l.archive.Close() }()
		l.look()
		l.exits(exitOK)
		seasons, runs := testrun.Counts{Plain: 1, Slow: 2, Long: 2}.Now(), testrun.Counts{Plain: 8, Slow: 20, Long: 20}.Now()
		for range seasons {
			for range runs {
				l.pass()
			}
			l.settle()
		}
		if testrun.Slow() && seed%5 == 0 {
			l.convertBack()
			l.settle()
			l.compareSites()
		}
	})
	if c.settle(); t.Failed() {
		t.Logf("the latest runs:\n%s", strings.Join(l.trace[max(0, len(l.trace)-12):], "\n"))
	}
	return l
}

// openArchive opens an archive that the life closes itself: it has many of them.
func (l *life) openArchive(path string) *archive.Archive {
	a, err := archive.Open(context.WithoutCancel(l.Context()), path)
	if err != nil {
		l.T.Fatal(err)
	}
	return a
}

// note adds a line to the trace.
func (l *life) note(format string, args ...any) {
	l.trace = append(l.trace, time.Now().UTC().Format(time.DateTime)+" "+fmt.Sprintf(format, args...))
}

// pass lets time pass, has the editor change the paper, and runs the mirror.
func (l *life) pass() {
	gap := []time.Duration{time.Hour, time.Hour, 3 * time.Hour, 7 * time.Hour, 13 * time.Hour, 25 * time.Hour, 70 * time.Hour}[l.random.IntN(7)] + time.Minute
	l.wait(gap)
	if c, can := l.paper.(interface{ Copy() http.Handler }); can && l.random.IntN(3) == 0 {
		l.copies = append(l.copies[max(0, len(l.copies)-4):], replica{c.Copy(), l.truth})
	}
	var changes []string
	l.edited = nil
	for range max(0, l.random.IntN(5)-1) {
		changes = append(changes, l.change())
	}
	l.look()
	l.before, l.due = l.pages(), l.awaited()
	faults := l.begin()
	how, code := l.runSomehow(faults == noFault)
	l.note("%s; %s: %s, exit code %d", strings.Join(changes, ", "), faults, how, code)
	isWhole := faults == noFault && how == "whole" && gap > l.facts.Sweep
	l.layer.set(func(layer *layer) { layer.fault, layer.arrived = nil, nil })
	l.calm, l.lacked = (l.calm || isWhole) && !l.lacked, false
	l.look()
	l.judge(l.pages())
	l.stopIfFailed()
}

func (l *life) stopIfFailed() {
	if len(l.failures) > 0 {
		panic(stop{})
	}
}

// runSomehow runs the mirror in one of the ways in which it is run.
func (l *life) runSomehow(mayBeFull bool) (how string, code int) {
	l.runs++
	ctx, cancel := context.WithCancel(l.Context())
	defer cancel()
	at := 1 + l.random.IntN(l.Few+8)
	switch n := l.random.IntN(20); {
	case n < 2:
		l.options.Budget = at
		defer func() { l.options.Budget = 0 }()
		return fmt.Sprint("budget of ", at), l.run()
	case n < 4:
		how = l.stopAt(at, cancel)
		return how, l.runWith(ctx)
	case n < 6:
		return fmt.Sprint("killed at request ", at), l.killed(at, cancel)
	case n < 7 && mayBeFull:
		l.options.Full = true
		defer func() { l.options.Full = false }()
		return "full", l.run()
	}
	return "whole", l.run()
}

// stopAt has a signal come with a request.
func (l *life) stopAt(at int, signal func()) string {
	n := 0
	l.layer.set(func(layer *layer) {
		layer.arrived = func(Call) {
			if n++; n == at {
				signal()
			}
		}
	})
	return fmt.Sprint("SIGTERM at request ", at)
}

// killed runs the mirror, and leaves of it what was on the disk as a request arrived.
func (l *life) killed(at int, cancel func()) int {
	n, left := 0, filepath.Join(filepath.Dir(l.path), fmt.Sprint("killed-", l.runs, ".db"))
	l.layer.set(func(layer *layer) {
		layer.arrived = func(Call) {
			if n++; n == at {
				l.copyArchive(left)
				cancel()
			}
		}
	})
	ctx, stop := context.WithCancel(l.Context())
	defer stop()
	code := l.runWith(ctx)
	if n < at {
		return code
	}
	if err := l.archive.Close(); err != nil {
		l.T.Fatal(err)
	}
	l.path = left
	l.archive = l.openArchive(left)
	return code
}

// copyArchive copies the files of the archive as they are.
func (l *life) copyArchive(to string) {
	for _, end := range []string{"", "-wal"} {
		data, err := os.ReadFile(l.path + end)
		if err == nil {
			err = os.WriteFile(to+end, data, 0o600)
		}
		if err != nil && end == "" {
			l.T.Fatal(err)
		}
	}
}

// look makes a mirror from nothing if the paper has changed, and remembers what it shows.
func (l *life) look() {
	if !l.changed && l.scheduled.IsZero() {
		return
	}
	if l.changed = false; l.scheduled.Before(time.Now()) {
		l.scheduled = time.Time{}
	}
	a := fakepaper.Archive(l.T)
	l.truth = l.fresh(a)
	a.Close()
	l.past.add(l.truth)
}
