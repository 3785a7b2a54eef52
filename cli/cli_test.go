package cli

import (
	"slices"
	"strings"
	"testing"
)

// Flags have one dash or two; what follows a flag as its value is not touched.
func TestTwoDashes(t *testing.T) {
	for args, want := range map[string]string{
		"-config a.yaml -offline":      "--config=a.yaml --offline",
		"--config a.yaml --offline":    "--config=a.yaml --offline",
		"-config=-out -offline=false":  "--config=-out --offline=false",
		"-out -offline -v --v -budget": "--out=-offline --verbose --verbose --budget",
		"-budget -1":                   "--budget=-1",
		"-nosuch x -":                  "-nosuch x -",
		"article/-out -- -out":         "article/-out -- -out",
	} {
		flags := new(settings).flags()
		if got := twoDashes(flags, strings.Fields(args)); !slices.Equal(got, strings.Fields(want)) {
			t.Errorf("%s: %s, want %s", args, got, want)
		}
	}
}
