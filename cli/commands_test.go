package cli

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

var update = flag.Bool("update", false, "rewrite docs/commands.md")

// docs/commands.md is what the commands print as help.
func TestCommandsDocument(t *testing.T) {
	root := new(app).root()
	root.DisableAutoGenTag = true
	page := bytes.NewBufferString("# Commands\n\n<!-- Written by go test ./cli -run CommandsDocument -update -->\n\n")
	for _, cmd := range append([]*cobra.Command{root}, root.Commands()...) {
		if cmd != root && !cmd.IsAvailableCommand() {
			continue
		}
		var section bytes.Buffer
		anchor := func(file string) string {
			return "#" + strings.ReplaceAll(strings.TrimSuffix(file, ".md"), "_", "-")
		}
		if err := doc.GenMarkdownCustom(cmd, &section, anchor); err != nil {
			t.Fatal(err)
		}
		text, links, _ := strings.Cut(section.String(), "### SEE ALSO\n\n")
		if cmd == root {
			text += links
		}
		page.WriteString(text)
	}
	got := strings.TrimSpace(page.String()) + "\n"
	name := filepath.Join("..", "docs", "commands.md")
	if *update {
		if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(name); err != nil || got != string(want) {
		t.Errorf("%s is not what the commands say (%v); rewrite it with -update", name, err)
	}
}
