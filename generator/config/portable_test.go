package config_test

import (
	"os"
	"strings"
	"testing"

	"ayna/generator/config"
)

func TestPortable(t *testing.T) {
	const original = `# of /srv/secret
title: Deneme   # in /srv/secret
base_url: https://ayna.example/
source:
  url: https://api.example/
  api_key_file: /srv/secret/key
serve: {api_key: "0123456789abcdef", per_second: 3}
archive: /srv/secret/archive.db
templates: /srv/secret/theme
notify:
  url: https://monitor.example/0123456789abcdef
searches:
  - zeytin
  - {title: Deniz, query: "deniz # körfez"}
`
	text, err := config.Portable([]byte(original), "copy.db")
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range []string{"secret", "0123456789abcdef", "#  in"} {
		if strings.Contains(string(text), word) {
			t.Errorf("it holds %q:\n%s", word, text)
		}
	}
	c, err := config.Parse("site.yaml", text, os.LookupEnv)
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	if c.Title != "Deneme" || c.Archive != "copy.db" || c.Source.URL != "https://api.example/" || c.Serve.PerSecond != 3 || len(c.Searches) != 2 || c.Searches[1].Query != "deniz # körfez" {
		t.Errorf("%+v from\n%s", c, text)
	}
}

// A group whose only key is left out is left out.
func TestPortableWithoutGroup(t *testing.T) {
	text, err := config.Portable([]byte("title: A\nbase_url: https://ayna.example/\nserve:\n  api_key: abc\n"), "copy.db")
	if err != nil || strings.Contains(string(text), "serve") {
		t.Errorf("%s, %v", text, err)
	}
}
