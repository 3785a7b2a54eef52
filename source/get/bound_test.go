package get_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"ayna/source/get"
)

// allocated returns how many bytes a function allocates for each byte of a text.
func allocated(text string, do func()) float64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	return float64(after.TotalAlloc-before.TotalAlloc) / float64(len(text))
}

// The memory that an answer takes is bounded by its size, whatever it holds.
func TestLargeAnswers(t *testing.T) {
	var members strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&members, `"m%d":1,`, i)
	}
	for name, body := range map[string]string{
		"an object of many members":               `Dur {` + members.String() + `"id":1}`,
		"a list with an object of many members":   `Dur [{` + members.String() + `"id":1}]`,
		"JSON of another kind with many elements": `Dur {"a":[0` + strings.Repeat(",0", 500_000) + `]}`,
	} {
		for _, expected := range []get.Expectation{get.ObjectWith("id"), get.ListOf("id")} {
			if ratio := allocated(body, func() { expect(t, body, expected) }); ratio > 20 {
				t.Errorf("%s: %.1f times its %d bytes", name, ratio, len(body))
			} else {
				t.Logf("%s: %.1f times its %d bytes", name, ratio, len(body))
			}
		}
	}
}

// The key is found wherever the parts of a large text end.
func TestKeyGuardOfLargeTexts(t *testing.T) {
	guard := get.NewKeyGuard(encodedKey)
	key := strings.ReplaceAll(encodedKey, "+", "&#43;")
	for _, before := range []string{"&", "x", "&amp", "<b>"} {
		for _, after := range []int{0, 1, 8, 40} { // bytes of the key in the first part
			text := strings.Repeat(before, (1<<20-after)/len(before)) + " " + key + strings.Repeat("x", 1<<20)
			if !guard.InJSON([]byte(`"` + text + `"`)) {
				t.Errorf("%q, %d: the key is not found", before, after)
			}
		}
	}
}
