package generator

import (
	"math"
	"runtime"
	"runtime/debug"
)

// limitMemory has the garbage of huge records collected before it comes to half
// a gigabyte, unless whoever runs the program has set a limit. What is held
// already does not count. What it returns ends that.
func limitMemory() (end func()) {
	const garbage = 320 << 20
	if debug.SetMemoryLimit(-1) != math.MaxInt64 {
		return func() {}
	}
	var held runtime.MemStats
	runtime.ReadMemStats(&held)
	debug.SetMemoryLimit(garbage + int64(held.HeapAlloc))
	return func() { debug.SetMemoryLimit(math.MaxInt64) }
}
