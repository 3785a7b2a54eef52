package generator_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// THIRD_PARTY.md names every module that the programs and tests are built from,
// in its version: it is made anew when one of them changes.
func TestLicencesOfAllModules(t *testing.T) {
	page, err := os.ReadFile("../THIRD_PARTY.md")
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("go", "list", "-deps", "-test", "-f", `{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}{{end}}{{end}}`, "ayna/...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	listed := make(map[string]bool) // module or package, and version
	for line := range strings.Lines(string(page)) {
		if cells := strings.Split(line, " | "); len(cells) == 3 {
			listed[strings.TrimPrefix(cells[0], "| ")+" "+cells[1]] = true
		}
	}
	modules := 0
	for line := range strings.Lines(string(out)) {
		module, version, ok := strings.Cut(strings.TrimSpace(line), " ")
		if !ok {
			continue
		}
		modules++
		found := false
		for name := range listed {
			other, v, _ := strings.Cut(name, " ")
			found = found || v == version && (other == module || strings.HasPrefix(other, module+"/"))
		}
		if !found {
			t.Errorf("THIRD_PARTY.md lacks %s %s: make it anew, as it says", module, version)
		}
	}
	if modules < 20 {
		t.Errorf("only %d modules could be listed", modules)
	}
}
