package attack_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"ayna/testrun/attack"
)

// A sort of field has many attacks, and no two of them are the same.
func TestOn(t *testing.T) {
	for field, least := range map[attack.Field]int{attack.Markup: 100, attack.Words: 100, attack.Path: 60, attack.ID: 20, attack.Address: 10} {
		values := attack.For(field)
		slices.Sort(values)
		if n := len(slices.Compact(values)); n < least || n < len(values) {
			t.Errorf("field %d: %d attacks, %d of them differ; want %d", field, len(values), n, least)
		}
	}
	all := attack.Traversals()
	slices.Sort(all)
	if n := len(all); n < 2500 || len(slices.Compact(all)) < n {
		t.Errorf("%d traversals, of which some are the same", n)
	}
}

func TestArmory(t *testing.T) {
	all := attack.Armory()
	seen := make(map[string]bool)
	for _, a := range all {
		seen[strings.ReplaceAll(a.Text, fmt.Sprint(a.Number), "")] = true
	}
	if len(all) < 1400 || len(seen) < len(all)*9/10 {
		t.Errorf("%d attacks, %d that differ in more than their number", len(all), len(seen))
	}
	if slices.ContainsFunc(all, func(a attack.Armed) bool { return strings.ContainsAny(a.Text+a.Address, "§¤") }) {
		t.Error("an attack without its number")
	}
}
