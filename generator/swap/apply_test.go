package swap_test

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"ayna/generator/swap"
	"ayna/testrun"
	"ayna/testrun/disk"
)

// TestApplyCut: a power cut may keep any of the changes in the previous tree and lose the others.
// Once the record is on the disk, the next Open makes all of them and publishes; if the record is
// damaged, it removes the previous tree, which may be half changed.
func TestApplyCut(t *testing.T) {
	const record = "-a.html\x00-b.html\x00-spor/index.html\x00+index.html\x00+manifest.sha256\x00+new/deep/index.html\x00"
	seeds := testrun.Counts{Plain: 3, Long: 500}.Now()
	exchange := cut{"exchange", ".public.ayna/previous", "public"}
	aside := []cut{{"rename", "public", ".public.ayna/aside"}, {"rename", ".public.ayna/previous", "public"}}
	for _, test := range []struct {
		name        string
		redo        string
		all         bool // the changes are made
		steps       []cut
		now, before tree
	}{
		{"in the midst", record, false, nil, third, second},
		{"in the midst of a rename in two steps", record, true, aside[:1], third, second},
		{"after one in two steps", record, true, aside, third, second},
		{"before the exchange", record, true, nil, third, second},
		{"after the exchange", record, true, []cut{exchange}, third, second},
		{"the record is damaged", record[1:], false, nil, second, nil},
		{"the record is lost", "", false, nil, second, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			for seed := range seeds {
				random := rand.New(rand.NewPCG(uint64(seed), 7))
				outer, p := ready(t)
				dir := filepath.Join(outer, "public")
				digest, err := p.Digest(swap.Stage)
				must(t, errors.Join(err, p.Put("next", fmt.Sprintf("apply %s %x\n", digest, sha256.Sum256([]byte(record)))), p.Close()))
				disk.Write(t, hidden(dir), "redo", test.redo)
				stage, previous := filepath.Join(hidden(dir), "stage"), filepath.Join(hidden(dir), "previous")
				changes := []func(){
					func() { os.Remove(filepath.Join(previous, "a.html")) },
					func() { os.Remove(filepath.Join(previous, "spor/index.html")) },
					func() { os.Remove(filepath.Join(previous, "spor")) },
				}
				for _, file := range []string{"index.html", swap.Identity, "new/deep/index.html"} {
					changes = append(changes, func() {
						to := filepath.Join(previous, file)
						must(t, errors.Join(os.MkdirAll(filepath.Dir(to), 0o755), os.Rename(filepath.Join(stage, file), to)))
					})
				}
				if !test.all {
					random.Shuffle(len(changes), func(i, j int) { changes[i], changes[j] = changes[j], changes[i] })
					changes = changes[:random.IntN(len(changes))]
				}
				for _, change := range changes {
					change()
				}
				for _, step := range test.steps {
					step.do(t, outer)
				}
				mustOpen(t, dir)
				check(t, dir, test.now)
				if test.before != nil {
					check(t, previous, test.before)
					checkHidden(t, dir)
				} else if _, err := os.Stat(previous); err == nil {
					t.Error("the previous tree is there")
				}
				if t.Failed() {
					t.Fatalf("seed %d", seed)
				}
			}
		})
	}
}
