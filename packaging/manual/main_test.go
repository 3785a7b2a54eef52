package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ayna/cli"
)

// Each command that help shows has a page, which names its flags.
func TestWrite(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "man")
	if err := write(dir); err != nil {
		t.Fatal(err)
	}
	for _, command := range cli.Root().Commands() {
		if command.Hidden {
			continue
		}
		page, err := os.ReadFile(filepath.Join(dir, "ayna-"+command.Name()+".1"))
		if err != nil {
			t.Error(err)
			continue
		}
		if command.HasAvailableLocalFlags() && !strings.Contains(string(page), "--help") {
			t.Errorf("the page of %s does not name its flags", command.Name())
		}
	}
}
