package cli

import (
	"os"
	"runtime/debug"
)

// limitMemory sets the memory limit of the garbage collector for a build of an archive with
// that many records, unless GOMEMLIMIT is set, also to off.
func limitMemory(records int) {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memoryLimit(records))
	}
}

// memoryLimit returns the memory limit in bytes. Up to 100,000 records a build reaches it
// only if something is very large; it would cost processor time there. Above that, memory
// matters more.
func memoryLimit(records int) int64 {
	const (
		least = 150 << 20
		each  = 3000
		above = 1500 // each further record, from 104,858 on
	)
	n := int64(records)
	return max(least, min(n*each, least+n*above))
}
