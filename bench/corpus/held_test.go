package main

import (
	"bytes"
	"maps"
	"path/filepath"
	"reflect"
	"strconv"
	"testing"

	"ayna/archive"
)

// TestHeldItems: a newspaper to which its newest items are added later is the same. An edit of a
// text is one of nothing else.
func TestHeldItems(t *testing.T) {
	whole, held := newspaper(t), generate(t, "-hold", "10")
	change := func(args ...string) map[string]*archive.Record {
		corpus(t, append(args, "-items", items, "-archive", filepath.Join(held, "archive.db"), "-hugo", filepath.Join(held, "hugo"))...)
		all := records(t, held)
		for _, r := range all {
			r.Row = 0
		}
		return all
	}
	want := records(t, whole)
	for _, r := range want {
		r.Row = 0
	}
	if n := len(want) - len(records(t, held)); n != 10 {
		t.Errorf("%d items are held back", n)
	}
	if !reflect.DeepEqual(change("-add", "10"), want) || !maps.Equal(hugoSite(t, held), hugoSite(t, whole)) {
		t.Error("the newspapers differ")
	}
	for id, r := range change("-text", "17") {
		isEdited := r.ID == strconv.Itoa(firstID-17)
		if before := want[id]; bytes.Equal(r.Single, before.Single) == isEdited || r.Title != before.Title {
			t.Errorf("%s is not as before", id)
		}
	}
}
