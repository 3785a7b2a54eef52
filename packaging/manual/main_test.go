package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ayna/cli"
	"ayna/generator/config"
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

// The page of site.yaml has each key, in sections.
func TestConfigurationPage(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "man")
	if err := write(dir); err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(dir, "ayna.yaml.5"))
	if err != nil {
		t.Fatal(err)
	}
	keys := 0
	for key, d := range config.Descriptions() {
		keys++
		for _, want := range []string{"\\fB" + key + "\\fP", ".SH " + strings.ToUpper(d.Section)} {
			if !strings.Contains(strings.ReplaceAll(string(page), "\\_", "_"), want) {
				t.Errorf("the page lacks %s", want)
			}
		}
	}
	if keys < 50 || strings.Contains(string(page), "](") {
		t.Errorf("%d keys, or a link", keys)
	}
}
