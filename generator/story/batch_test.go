package story_test

import (
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"sync"
	"testing"

	"ayna/archive"
	"ayna/generator/story"
	"ayna/server/newsroom"
)

// What is read in a run is what is read one by one: in any order, by several at
// once, and whether texts are kept, too large to be read together, or neither.
func TestRuns(t *testing.T) {
	before := records
	t.Cleanup(func() { records = before })
	letters := make([]byte, 100_000)
	rand.NewChaCha8([32]byte{}).Read(letters)
	noise := hex.EncodeToString(letters) // of which a compressed half is still large
	for n := range 3 * archive.MaxTexts {
		r := newsroom.Item(archive.Article, fmt.Sprint(1000+n))
		if n%16 == 0 {
			r = newsroom.With(r, "Text", noise)
		}
		records = append(records, r)
	}
	for _, prepared := range []bool{false, true} {
		t.Run(fmt.Sprintf("prepared %t", prepared), func(t *testing.T) {
			r := reader(t, true)
			if prepared {
				if err := r.Prepare(t.Context(), 2, nil); err != nil {
					t.Fatal(err)
				}
			}
			seen := 0
			for run, items := range r.Batches(r.Site.Home.Items) {
				seen += items.Len()
				shuffled := slices.Collect(items.All())
				rand.New(rand.NewPCG(1, uint64(seen))).Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
				got := make([]*story.Story, len(shuffled))
				var all sync.WaitGroup
				for i, item := range shuffled {
					all.Go(func() {
						var err error
						if got[i], err = run.Story(t.Context(), item); err != nil {
							t.Error(err)
						}
					})
				}
				all.Wait()
				for i, item := range shuffled {
					if want := read(t, r, item.ID()); !reflect.DeepEqual(got[i], want) {
						t.Errorf("%s differs:\n%+v\n%+v", item.ID(), got[i], want)
					}
				}
			}
			if seen != r.Site.Home.Items.Len() || seen < 3*archive.MaxTexts {
				t.Errorf("%d items in runs, of %d", seen, r.Site.Home.Items.Len())
			}
		})
	}
}
