package config

import (
	"fmt"

	"github.com/goccy/go-yaml"
)

// Portable returns the configuration as YAML for a copy of the archive in a folder of its
// own: without keys, paths of this machine, and what concerns this machine alone. Values
// of variables stand in it, since the other machine has none.
func (c *Config) Portable(archive string) ([]byte, error) {
	p := *c
	p.Source.APIKey, p.Source.APIKeyFile, p.Serve.APIKey, p.Notify = "", "", "", Notify{}
	p.OwnPages, p.Templates, p.Assets, p.Logo, p.Icon, p.WordsFile, p.Snippets = "", "", "", "", "", "", Snippets{}
	p.Archive, p.Output = archive, "public"
	text, err := yaml.Marshal(&p)
	if err != nil {
		return nil, fmt.Errorf("write the configuration: %w", err)
	}
	return text, nil
}
