package config_test

import (
	"os"
	"strings"
	"testing"

	"ayna/generator/config"
)

func TestPortable(t *testing.T) {
	t.Setenv("PORTABLE_KEY", "0123456789abcdef")
	t.Setenv("PORTABLE_AGENT", "Mirror")
	const original = `# of /srv/secret
title: Deneme   # in /srv/secret
base_url: https://ayna.example/
source:
  url: https://api.example/
  user_agent: ${PORTABLE_AGENT}
serve: {api_key: "${PORTABLE_KEY}", per_second: 3}
archive: /srv/secret/archive.db
templates: /srv/secret/theme
notify:
  url: https://monitor.example/0123456789abcdef
searches:
  - zeytin
  - {title: Deniz, query: "deniz # körfez"}
`
	c, err := config.Parse("site.yaml", []byte(original), os.LookupEnv)
	if err != nil {
		t.Fatal(err)
	}
	text, err := c.Portable("copy.db")
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range []string{"secret", "0123456789abcdef", "#  in"} {
		if strings.Contains(string(text), word) {
			t.Errorf("it holds %q:\n%s", word, text)
		}
	}
	c, err = config.Parse("site.yaml", text, os.LookupEnv)
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	if c.Title != "Deneme" || c.Archive != "copy.db" || c.Source.URL != "https://api.example/" || c.Source.UserAgent != "Mirror" || c.Serve.PerSecond != 3 || len(c.Searches) != 2 || c.Searches[1].Query != "deniz # körfez" {
		t.Errorf("%+v from\n%s", c, text)
	}
}
