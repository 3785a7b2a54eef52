package main

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"ayna/archive"
	"ayna/testrun"
	"ayna/testrun/fakepaper"
)

func compareTrees(t *testing.T, got, want map[string]string) {
	t.Helper()
	for name, content := range want {
		if other, ok := got[name]; !ok || other != content {
			t.Errorf("%s differs from that of an undisturbed build (is there: %t)", name, ok)
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("%s is not in an undisturbed build", name)
		}
	}
}

// answered are the requests that a later run should not have to repeat. The
// heads of the lists, and what changed lately, every run asks for.
func answered(requests []fakepaper.Request) map[string]int {
	done := make(map[string]int)
	for _, r := range requests {
		if r.List() && (r.Skip == 0 || strings.Contains(r.URI, "filter=")) {
			continue
		}
		done[fmt.Sprint(r.Operation, " ", r.ID, " ", r.Skip)]++
	}
	return done
}

// Processes killed at any moment: the archive opens, and the run that is left
// alone finishes with the bytes of one that was never disturbed.
func TestKilledAtAnyMoment(t *testing.T) {
	testrun.NotShort(t)
	t.Parallel()
	s := startUpstream(t, fakepaper.Options{Items: 20, Latency: 8 * time.Millisecond})
	const more = fewFiles
	undisturbed := newWorkdir(t, s, concurrency, more)
	start := time.Now()
	undisturbed.mustBuild(t)
	whole := time.Since(start)
	want := undisturbed.tree(t, "public")
	undisturbed.checkSecret(t)
	ideal := len(answered(s.Requests()))

	kills := testrun.Counts{Plain: 2, Slow: 6, Long: 200}.Now()
	random := rand.New(rand.NewPCG(1, uint64(kills)))
	chains, killed, repeated, allowed := 0, 0, 0, 0
	for killed < kills {
		chains++
		p := newWorkdir(t, s, concurrency, more)
		s.ClearLog()
		inChain := 0
		for inChain < 6 && killed < kills {
			c := p.start(t)
			time.Sleep(time.Duration(random.Float64() * float64(whole)))
			c.Process.Kill()
			if c.wait(t, time.Minute) == exitOK {
				break // it was faster
			}
			killed++
			inChain++
			if _, err := os.Stat(p.archivePath()); err == nil {
				checkArchive(t, p.archivePath())
			}
		}
		p.mustBuild(t)
		compareTrees(t, p.tree(t, "public"), want)
		p.checkSecret(t)
		asked := answered(s.Requests())
		extra := 0
		for _, n := range asked {
			extra += n - 1
		}
		// Beside those in flight, answers that are being stored: half as many.
		most := inChain*(concurrency+concurrency/2) + ideal*2/100
		if extra > most {
			t.Errorf("chain %d: %d requests repeated after %d kills, want %d at most: %v", chains, extra, inChain, most, repeats(asked))
		}
		repeated += extra
		allowed += most
		if t.Failed() {
			t.Fatalf("chain %d, kill %d", chains, killed)
		}
	}
	t.Logf("%d kills in %d chains, a build takes %s and %d requests: %d repeated, %d allowed", killed, chains, whole.Round(time.Millisecond), ideal, repeated, allowed)
}

func repeats(asked map[string]int) []string {
	var list []string
	for name, n := range asked {
		if n > 1 {
			list = append(list, fmt.Sprintf("%s: %d", name, n))
		}
	}
	slices.Sort(list)
	return list
}

// checkArchive opens an archive that a kill left, and reads all of it.
func checkArchive(t *testing.T, path string) {
	t.Helper()
	a, err := archive.Open(context.Background(), path)
	if err != nil {
		t.Errorf("after a kill: %v", err)
		return
	}
	defer a.Close()
	for light, err := range a.Catalog.Scan(context.Background()) {
		if err == nil {
			_, err = a.Records.Get(context.Background(), light.Kind, light.ID)
		}
		if err != nil {
			t.Errorf("after a kill: %v", err)
			return
		}
	}
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var verdict string
	if err := db.QueryRow("PRAGMA integrity_check").Scan(&verdict); err != nil || verdict != "ok" {
		t.Errorf("after a kill the database says %q, %v", verdict, err)
	}
}
