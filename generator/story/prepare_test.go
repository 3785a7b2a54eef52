package story_test

import (
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"sync"
	"testing"
	"time"

	"ayna/archive"
	"ayna/generator/story"
	"ayna/record"
	"ayna/testrun"
	"ayna/testrun/fakepaper"
)

// Prepare makes each text once, also if there are more texts than it writes at a time. It
// makes only missing texts.
func TestPrepare(t *testing.T) {
	before := records
	t.Cleanup(func() { records = before })
	records = append(slices.Clip(records), fakepaper.Articles(600, fakepaper.Noon, time.Second)...)
	r := reader(t, true)
	for _, test := range []struct {
		name    string
		changed string
		want    int
	}{{"first", "", r.Site.Home.Items.Len()}, {"again", "", 0}, {"after a change", "50000007", 1}} {
		if test.changed != "" {
			fakepaper.Update(t, r.Archive, func(tx *archive.Tx) error {
				changed, err := tx.Get(record.Article, test.changed)
				if err != nil {
					return err
				}
				changed.List = append(changed.List, ' ')
				_, err = tx.Put(changed, changed.Seen)
				return err
			})
		}
		last, all := 0, 0
		if err := r.Prepare(t.Context(), 2, func(made, of int) { last, all = made, of }); err != nil {
			t.Fatal(err)
		}
		if last != test.want || all != test.want {
			t.Errorf("%s: %d made of %d, want %d", test.name, last, all, test.want)
		}
	}
}

// The text that a synchronisation stores is the one that the build would make.
func TestCleaned(t *testing.T) {
	r := reader(t, true)
	if err := r.Prepare(t.Context(), 2, nil); err != nil {
		t.Fatal(err)
	}
	table := r.Site.Words.Table
	for item := range r.Site.Home.Items.All() {
		stored, err := r.Archive.Records.Row(t.Context(), item.Row())
		if err != nil {
			t.Fatal(err)
		}
		arrived := &archive.Record{Record: record.Record{Kind: stored.Kind, ID: stored.ID, Answers: record.Answers{List: stored.List, Single: stored.Single, Hit: stored.Hit}}, Hash: stored.Hash}
		content, body, err := record.Read(&arrived.Record, record.Dates{}, table)
		if err != nil {
			t.Fatal(err)
		}
		text, version, err := story.Cleaned(arrived, content, body, table)
		if err != nil {
			t.Fatal(err)
		}
		if stored, err := r.Archive.Texts.Get(t.Context(), item.Row(), version); err != nil || stored != string(text) {
			t.Errorf("%s: %v\nsynchronisation %q\nbuild           %q", item.ID(), err, text, stored)
		}
	}
}

// A batch returns the same stories as single reads: in any order, to several goroutines, and
// whether texts are stored, too large to be read together, or neither.
func TestRuns(t *testing.T) {
	testrun.NotShort(t)
	before := records
	t.Cleanup(func() { records = before })
	letters := make([]byte, 70_000)
	rand.NewChaCha8([32]byte{}).Read(letters)
	noise := hex.EncodeToString(letters) // it is large even when compressed to half
	for n := range 3 * archive.MaxTexts {
		r := fakepaper.Item(record.Article, fmt.Sprint(1000+n))
		if n%16 == 0 {
			r = fakepaper.With(r, "Text", noise)
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
