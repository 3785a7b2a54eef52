package output_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"ayna/testrun"
)

// TestReaders: readers at any time during publishing find every page, whole,
// and a tree that is held open shows one site only.
func TestReaders(t *testing.T) {
	reads := testrun.Counts{Plain: 4_000, Long: 250_000}.Now()
	const publishes = 25
	dir := filepath.Join(t.TempDir(), "public")
	publish(t, dir, numbered(1))
	r := reading{dir: dir, each: int64(reads / publishes), turn: make(chan struct{}, 2*publishes)}
	var readers sync.WaitGroup
	for n := range 4 {
		readers.Go(func() {
			random := rand.New(rand.NewPCG(uint64(n), 3))
			for r.done.Load() < int64(reads) {
				r.some(random)
			}
		})
	}
	for i := range publishes {
		<-r.turn // publishes are spread over all the reads
		r.begun.Add(1)
		publish(t, dir, numbered(i+2))
		r.finished.Add(1)
	}
	readers.Wait()
	t.Logf("%d reads during %d publishes: %d missing, %d empty, %d mixed", r.done.Load(), publishes, r.missing.Load(), r.empty.Load(), r.mixed.Load())
	if r.missing.Load()+r.empty.Load()+r.mixed.Load() > 0 {
		t.Fail()
	}
}

// reading is what readers saw.
type reading struct {
	dir                         string
	missing, empty, mixed, done atomic.Int64
	begun, finished             atomic.Int64 // publishes
	each                        int64        // reads, after which there is a turn
	turn                        chan struct{}
}

// some reads a page by its name, and then some pages of one tree, as a server
// that holds it open or a tool that copies it does. Such a tree stays as it is
// until the build after the next.
func (r *reading) some(random *rand.Rand) {
	page := func() string { n := random.IntN(40); return fmt.Sprintf("folder%d/%d.html", n%5, n) }
	r.check(os.ReadFile(filepath.Join(r.dir, page())))
	finished := r.finished.Load()
	root, err := os.OpenRoot(r.dir)
	if err != nil {
		r.missing.Add(1)
		return
	}
	defer root.Close()
	numbers := make([]string, 4)
	for i := range numbers {
		content, err := root.ReadFile(page())
		if r.begun.Load() > finished+1 {
			return // this is the build after the next, which removes the tree
		}
		numbers[i] = r.check(content, err)
	}
	if len(slices.Compact(numbers)) > 1 {
		r.mixed.Add(1)
	}
}

// check counts what is wrong with a page, and returns the number of its site.
func (r *reading) check(content []byte, err error) string {
	if r.done.Add(1)%r.each == 0 {
		select {
		case r.turn <- struct{}{}:
		default:
		}
	}
	number, rest, whole := strings.Cut(string(content), "\n")
	switch {
	case err != nil:
		r.missing.Add(1)
	case len(content) == 0:
		r.empty.Add(1)
	case !whole || strings.ReplaceAll(rest, "text ", "") != "":
		r.mixed.Add(1)
	}
	return number
}
