package sourcetest

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"ayna/archive"
	"ayna/source"
	"ayna/testrun"
	"ayna/testrun/fakepaper"
)

// A row is what must hold of every source.
type row struct {
	name  string
	needs []Ability
	fresh bool // the archive is empty at first
	items int  // of the paper; 0 is shared
	keyed bool // requests have a key
	slow  bool // it is left to slow runs, since others are much like it
	// chain names rows that leave a mirror as it was, but for edits: in plain runs they share one,
	// which costs less than one each.
	chain string
	run   func(*mirror)
}

// rows returns all rows. Short runs have the first tables only.
func (n *Newsroom) rows() (all []row) {
	tables := []func(*Newsroom) []row{
		firstRows, changeRows, goneRows,
		replicaRows, fieldRows, dateRows, nameRows, listRows, pageRows, noiseRows, stopRows, outageRows,
	}
	if testrun.Short() {
		tables = tables[:3]
	}
	for _, table := range tables {
		all = append(all, table(n)...)
	}
	return all
}

// shared is the number of items of rows in which many of them change: more than ten at once are
// withheld or doubted. few is that of rows in which none of them would be.
const (
	shared = 18
	few    = 9
)

// large is the number of items of a paper with more than one page of largePage.
const (
	large     = 40
	largePage = 15
)

// failing is the chain of rows in which lists fail and nothing is to change.
const failing = "lists that fail"

// began is when an editor's day begins, two days after the papers' newest items.
var began = fakepaper.Newest.AddDate(0, 0, 2)

// Run runs the suite with the papers of a newsroom.
func Run(t *testing.T, n Newsroom) {
	testrun.InMemory()
	testrun.SpendMemory()
	bases, rows := map[int]*sharedMirror{shared: mirrorOnce(t, &n, shared), few: mirrorOnce(t, &n, few)}, n.rows()
	var skipped []string
	var chains [][]row
	at := make(map[string]int) // in chains
	for _, r := range rows {
		switch {
		case !n.can(r.needs):
			skipped = append(skipped, r.name)
			continue
		case r.slow && !n.isSlow(), n.Plain != nil && !n.Plain(r.name) && !testrun.Slow():
			continue
		}
		if i, has := at[r.chain]; has && r.chain != "" && !testrun.Slow() {
			chains[i] = append(chains[i], r)
			continue
		}
		at[r.chain] = len(chains)
		chains = append(chains, []row{r})
	}
	count := new(atomic.Int64)
	t.Run("rows", func(t *testing.T) {
		for _, chain := range chains {
			name := chain[0].name
			if len(chain) > 1 {
				name = chain[0].chain
			}
			t.Run(name, func(t *testing.T) {
				if !n.Serial {
					t.Parallel()
				}
				synctest.Test(t, func(t *testing.T) { count.Add(int64(n.runChain(t, chain, bases[cmp.Or(chain[0].items, shared)]))) })
			})
		}
	})
	if testrun.Short() {
		return
	}
	if !slices.Equal(skipped, n.Skipped) {
		t.Errorf("skipped rows: %q, want %q", skipped, n.Skipped)
	}
	t.Logf("%d rows, %d skipped", count.Load(), len(skipped))
}

// isSlow reports whether this run has the rows and parts that others are much like.
func (n *Newsroom) isSlow() bool { return testrun.Slow() && (!n.Serial || testrun.Long()) }

// can reports whether a newsroom has abilities.
func (n *Newsroom) can(needs []Ability) bool {
	return !slices.ContainsFunc(needs, func(a Ability) bool { return !slices.Contains(n.Can, a) })
}

// runChain runs rows one after the other in one mirror, and returns how many ran. After a row that
// fails the next one has a mirror of its own.
func (n *Newsroom) runChain(t *testing.T, rows []row, base *sharedMirror) (ran int) {
	var m *mirror
	for _, r := range rows {
		c := &check{T: t, row: r.name, failures: make(map[string][]string)}
		c.stopping(func() {
			if m == nil {
				m = n.prepare(c, r, base)
			} else {
				m.begin(c)
			}
			r.run(m)
		})
		if len(c.failures) > 0 {
			m = nil
		}
		ran += c.settle()
	}
	return ran
}

// begin begins a further row in a mirror.
func (m *mirror) begin(c *check) {
	m.check, m.warnings, m.options.PageSize = c, nil, m.PageSize
	m.was = m.shown()
	m.wait(time.Hour)
}

// prepare opens the mirror of a row. base is a mirror of a paper of its size, nil if none is
// prepared.
func (n *Newsroom) prepare(c *check, r row, base *sharedMirror) *mirror {
	m, t := n.open(c, cmp.Or(r.items, shared), r.keyed), c.T
	if base == nil {
		m.options.PageSize = largePage
	} else {
		m.facts, m.was = base.facts, base.shown
	}
	isOwn := base == nil || r.keyed // its mirror is not a copy
	if r.fresh || isOwn {
		m.archive = fakepaper.Archive(t)
	} else {
		m.path = filepath.Join(t.TempDir(), "archive.db")
		if err := os.WriteFile(m.path, base.file, 0o600); err != nil {
			t.Fatal(err)
		}
		m.archive = fakepaper.Open(t, m.path)
		time.Sleep(time.Hour)
	}
	if !r.fresh && isOwn {
		m.exits(0)
		m.was = m.shown()
		time.Sleep(time.Hour)
	}
	return m
}

// A sharedMirror is a mirror that rows begin with.
type sharedMirror struct {
	file  []byte // of its archive
	shown map[string]content
	facts source.Facts
}

func mirrorOnce(t *testing.T, n *Newsroom, items int) *sharedMirror {
	name := filepath.Join(t.TempDir(), "archive.db")
	base := new(sharedMirror)
	synctest.Test(t, func(t *testing.T) {
		c := &check{T: t, row: "the shared mirror", failures: make(map[string][]string)}
		c.stopping(func() {
			m := n.open(c, items, false)
			a, err := archive.Open(t.Context(), name)
			if err != nil {
				t.Fatal(err)
			}
			defer a.Close()
			m.archive = a
			m.exits(0)
			base.shown, base.facts = m.shown(), m.facts
		})
		c.settle()
	})
	var err error
	if base.file, err = os.ReadFile(name); err != nil || t.Failed() {
		t.Fatal("there is no mirror to begin with:", err)
	}
	return base
}
