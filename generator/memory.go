package generator

import (
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// What the stages of a build may hold, in bytes.
const (
	// Taking apart a record of 50 MB takes 300 of them, and the database as much
	// again as it stores it: half a gigabyte in all. Where the site takes some of
	// this, such a record takes longer.
	forRecords = 350 << 20
	// Beside the site and the garbage of which there is some anyway: pages and
	// feeds are small, and a few at once. With 14 more a build of 10,000 items
	// peaks 10 MiB higher and takes the same processor time.
	room = 50 << 20
	// The more is held, the longer the garbage collector looks through it; but not
	// through items, which are most of a large site and have no pointers.
	mostForGarbage = 64 << 20
)

// limitMemory has garbage collected before the program takes more than what it
// holds now with some room, and more than this much, unless whoever runs it has
// set a limit. What it returns ends that.
func limitMemory(more, least int64) (end func()) {
	if debug.SetMemoryLimit(-1) != math.MaxInt64 {
		return func() {}
	}
	runtime.GC() // only then it is known what is held
	held := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(held)
	live := int64(held[0].Value.Uint64())
	debug.SetMemoryLimit(max(least, live+min(live*3/4, mostForGarbage)+room+more))
	return func() { debug.SetMemoryLimit(math.MaxInt64) }
}

// roomForFiles is what publishing the files of so many items will hold.
func roomForFiles(items int) int64 { return int64(items) * 110 }

// roomForItems is what arranging so many items may hold: each takes 250 bytes in
// the end, and some more until items are linked.
func roomForItems(items int) int64 { return int64(items) * 400 }
