package cli

import (
	"math"
	"runtime/debug"
	"testing"
)

func TestMemoryLimit(t *testing.T) {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(-1))
	const mebibyte = 1 << 20
	for _, test := range []struct {
		limit   string // GOMEMLIMIT
		records int
		want    int64
	}{
		{"", 0, 150 * mebibyte},
		{"", 10_000, 150 * mebibyte},
		{"", 52_428, 150 * mebibyte},
		{"", 52_429, 157_287_000},
		{"", 100_000, 300_000_000},
		{"", 104_857, 314_571_000},
		{"", 104_858, 150*mebibyte + 157_287_000},
		{"", 1_000_000, 150*mebibyte + 1_500_000_000},
		{"off", 10_000, math.MaxInt64},
		{"512MiB", 10_000, math.MaxInt64}, // the runtime has set it before
	} {
		t.Setenv("GOMEMLIMIT", test.limit)
		debug.SetMemoryLimit(math.MaxInt64)
		tuneMemory(test.records)
		if got := debug.SetMemoryLimit(-1); got != test.want {
			t.Errorf("GOMEMLIMIT=%s, %d records: %d bytes, want %d", test.limit, test.records, got, test.want)
		}
	}
}
