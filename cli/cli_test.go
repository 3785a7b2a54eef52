package cli

import (
	"slices"
	"strings"
	"testing"
)

// Flags have one dash or two; values with a dash are not touched.
func TestTwoDashes(t *testing.T) {
	for args, want := range map[string]string{
		"-config a.yaml -offline":     "--config a.yaml --offline",
		"--config a.yaml --offline":   "--config a.yaml --offline",
		"-config=-out -offline=false": "--config=-out --offline=false",
		"-out dir -v -budget -1":      "--out dir -v --budget -1",
		"-nosuch x -":                 "-nosuch x -",
		"article/-out -- -out":        "article/-out -- -out",
	} {
		flags := new(settings).flags()
		if got := twoDashes(flags, strings.Fields(args)); !slices.Equal(got, strings.Fields(want)) {
			t.Errorf("%s: %s, want %s", args, got, want)
		}
	}
}
