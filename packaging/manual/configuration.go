package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/cpuguy83/go-md2man/v2/md2man"

	"ayna/generator/config"
)

// writeConfiguration writes ayna.yaml(5), which has the keys of site.yaml as docs/configuration.md
// and the schema describe them.
func writeConfiguration(dir string) error {
	var b strings.Builder
	b.WriteString("% \"AYNA.YAML\" \"5\" \"\" \"ayna\" \"\"\n\n# NAME\n\nayna.yaml - site.yaml, the configuration of a mirror\n\n# DESCRIPTION\n\n" +
		"The program reads *site.yaml* in the working directory, or the file that **--config** names. Only base_url is required. ${NAME} in a value is read from the environment. Editors complete and check the keys by the schema that **ayna-schema**(1) prints.\n")
	section := ""
	for key, d := range config.Descriptions() {
		if d.Section != section {
			section = d.Section
			fmt.Fprintf(&b, "\n# %s\n\n", strings.ToUpper(section))
		}
		meaning := d.Meaning
		if d.Default != "" {
			meaning += ". Default: " + d.Default
		}
		fmt.Fprintf(&b, "**%s**\n: %s\n\n", key, meaning)
	}
	b.WriteString("# SEE ALSO\n\n**ayna**(1), **ayna-init**(1), **ayna-doctor**(1)\n")
	if err := os.WriteFile(filepath.Join(dir, "ayna.yaml.5"), md2man.Render([]byte(b.String())), 0o644); err != nil {
		return fmt.Errorf("manual page of the configuration: %w", err)
	}
	return nil
}
