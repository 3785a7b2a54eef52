package main

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"ayna/archive"
	"ayna/server/newsroom"
	"ayna/testrun"
)

// TestB09Life plays a mirror's life: rounds of edits, moves, renamed folders,
// additions and deletions at a source with faults, mirrored by runs that are
// killed, budgeted, sharded or rolled back. After each round the site equals one
// built from nothing out of the same archive, and no item has a new address.
func TestB09Life(t *testing.T) {
	testrun.NotShort(t)
	t.Parallel()
	lives, rounds := 1, 2
	if testrun.Long() {
		lives, rounds = 4, 60
	}
	for seed := range lives {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(uint64(seed), 4))
			l := &life{t: t, random: random, addresses: make(map[string]string)}
			l.Service = startUpstream(t, newsroom.Options{Items: 60, Seed: uint64(seed), UndatedSingles: seed%2 == 1, ShortPages: seed%4 == 2})
			l.place = newPlace(t, l.Service, concurrency, "content: {removed: "+[]string{"keep", "drop"}[seed%2]+"}\n")
			l.mustBuild(t)
			for round := range rounds {
				changes := l.change()
				run := l.run()
				l.SetFaults(nil)
				t.Logf("round %d: %s; %s", round, strings.Join(changes, ", "), run)
				l.compare()
				if t.Failed() {
					return
				}
			}
			l.checkSecret(t)
		})
	}
}

type life struct {
	*newsroom.Service
	*place
	t         *testing.T
	random    *rand.Rand
	addresses map[string]string // of the items that were published, by kind and id
	made      int               // records added
}

// change makes one to six changes at the source and returns what they are.
func (l *life) change() (changes []string) {
	for range 1 + l.random.IntN(6) {
		items := slices.DeleteFunc(l.Records(), func(r newsroom.Record) bool {
			return !slices.Contains([]string{"articles", "columns", "newsphotogalleries", "newsvideos"}, r.Group)
		})
		r := items[l.random.IntN(len(items))]
		word := fmt.Sprintf("sözcük%d", l.random.IntN(1000))
		edit := func(what string, change func(*newsroom.Record)) {
			changes = append(changes, what+" of "+r.ID)
			l.Edit(r.Group, r.ID, change)
		}
		switch l.random.IntN(8) {
		case 0:
			edit("title", func(r *newsroom.Record) { r.Title = "Başlık " + word })
		case 1:
			edit("text", func(r *newsroom.Record) { r.Text = "<p>Metin " + word + "</p>" })
		case 2:
			edit("folder", func(r *newsroom.Record) { r.Path = items[l.random.IntN(len(items))].Path })
		case 3:
			edit("tags", func(r *newsroom.Record) { r.Tags = []string{word, "kıyı"} })
		case 4:
			edit("pictures", func(r *newsroom.Record) { r.Pictures = []string{l.Base + "/resim/" + word + ".png"} })
		case 5:
			changes = append(changes, "gone "+r.ID)
			l.Remove(r.Group, r.ID)
		case 6:
			l.made++
			r.ID, r.Title, r.URL = fmt.Sprint(50_000_000+l.made), "Yeni "+word, fmt.Sprintf("%s/haber-%d", l.Base, 50_000_000+l.made)
			r.Created = r.Created.Add(time.Duration(l.made) * time.Hour)
			r.Modified = r.Created
			changes = append(changes, "new "+r.ID)
			l.Add(r)
		case 7:
			changes = append(changes, "renamed "+r.Path)
			for _, other := range items {
				if other.Path == r.Path {
					l.Edit(other.Group, other.ID, func(o *newsroom.Record) { o.Path = "/" + word + "/" })
				}
			}
		}
	}
	return changes
}

// run mirrors the source in one of the ways a mirror is run, perhaps while the
// source has faults. It returns what it did.
func (l *life) run() string {
	share := l.random.Float64() * 0.4
	if l.random.IntN(2) == 0 {
		share = 0
	}
	faults, seed := []*newsroom.Fault{newsroom.Status(500), newsroom.Status(503), newsroom.HTML(), {Half: true}, {Cut: true}}, l.random.Uint64()
	l.SetFaults(func(c newsroom.Call) *newsroom.Fault { // side by side, so without a shared random source
		h := fnv.New64a()
		fmt.Fprint(h, seed, c)
		random := rand.New(rand.NewPCG(h.Sum64(), 1))
		if random.Float64() >= share {
			return nil
		}
		return faults[random.IntN(len(faults))]
	})
	how := []struct {
		name, command string
		args          []string
	}{
		{"build", "build", nil}, {"full", "build", []string{"--full"}}, {"budget", "build", []string{"--budget", fmt.Sprint(1 + l.random.IntN(40))}},
		{"killed", "build", nil}, {"shards", "sync", nil}, {"rollback", "rollback", nil},
	}[l.random.IntN(6)]
	var c *process
	if how.name == "rollback" {
		c = l.startCommand(l.t, "ayna", "rollback")
	} else {
		c = l.startAyna(l.t, how.command, how.args...)
	}
	if how.name == "killed" {
		time.Sleep(time.Duration(l.random.IntN(400)) * time.Millisecond)
		c.Process.Kill()
	}
	code := c.wait(l.t, 2*time.Minute)
	if !slices.Contains([]int{-1, 0, 3, 5, 6, 7, 12}, code) {
		l.t.Fatalf("%s ended with %d\n%s%s", how.name, code, c.out, c.err)
	}
	if how.name == "shards" {
		l.offline(l.place, "shard", "0/2")
		l.offline(l.place, "shard", "1/2")
		l.offline(l.place, "merge", "2", "--allow-delete", "1000")
	}
	return fmt.Sprintf("%s ended with %d, %.0f %% faults", how.name, code, 100*share)
}

// offline runs a command that makes no request.
func (l *life) offline(p *place, command string, args ...string) {
	l.t.Helper()
	c := p.startAyna(l.t, command, args...)
	if code := c.wait(l.t, 2*time.Minute); code != exitOK && code != exitPartial {
		l.t.Fatalf("%s ended with %d\n%s%s", command, code, c.out, c.err)
	}
}

// compare brings the site up to date with the archive and compares it with one
// built from nothing.
func (l *life) compare() {
	l.t.Helper()
	l.offline(l.place, "build", "--offline", "--allow-delete", "1000")
	fresh := &place{dir: l.t.TempDir(), key: l.key}
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
	l.offline(fresh, "build", "--offline", "--allow-delete", "1000")
	site := l.tree(l.t, "public")
	compareTrees(l.t, site, fresh.tree(l.t, "public"))
	// Closed before the next round copies the files: closing any of them would drop
	// the locks that this process holds.
	a, err := archive.OpenReader(l.t.Context(), l.archivePath())
	if err != nil {
		l.t.Fatal(err)
	}
	defer a.Close()
	for r, err := range a.Scan(l.t.Context(), archive.Article, archive.Column, archive.Gallery, archive.Video) {
		if err != nil {
			l.t.Fatal(err)
		}
		key := string(r.Kind) + "/" + r.ID
		if old := l.addresses[key]; old != "" && old != r.Address {
			l.t.Errorf("%s moved from %s to %s", key, old, r.Address)
		}
		if _, published := site[r.Address]; published {
			l.addresses[key] = r.Address
		}
	}
}
