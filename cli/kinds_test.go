package cli

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"ayna/fetch"
	"ayna/generator/config"
	"ayna/source/get"
)

// What lists the kinds of sources for people lists all of them: documents, the site.yaml that
// init writes, help and hints.
func TestEachKindOfSourceIsNamed(t *testing.T) {
	document := func(name string) string {
		text, err := os.ReadFile("../docs/" + name)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	a := &app{config: new(config.Config)}
	wrong := failureOf("https://kiyi.example", "https://kiyi.example", get.ErrNotJSON)
	for i, kind := range config.SourceKinds {
		name := strings.ReplaceAll(string(kind), "-", " ") // in texts, in any case
		places := map[string]string{
			"the hint of a wrong shape":            a.hint(exitShape, fetch.ErrShape),
			"doctor's advice about a wrong shape":  a.advice(exitShape, fetch.ErrShape),
			"init's failure at another page":       wrong.came,
			"the help of init":                     initSpec.long,
			"source.kind in docs/configuration.md": strings.ReplaceAll(regexp.MustCompile("(?m)^.*`source.kind`.*").FindString(document("configuration.md")), "-", " "),
		}
		if i > 0 {
			places["docs/sources.md"] = document("sources.md")
		}
		for place, text := range places {
			if !strings.Contains(strings.ToLower(text), name) {
				t.Errorf("%s lacks %s", place, kind)
			}
		}
		text := config.Write(config.Outline{URL: "https://kiyi.example", Title: "Kıyı", BaseURL: "https://ayna.example/", Language: "tr", Timezone: "UTC", Kind: kind})
		if c, err := config.Parse("site.yaml", text, os.LookupEnv); err != nil || c.Source.Kind != kind {
			t.Errorf("init writes no source.kind: %s (%v)", kind, err)
		}
	}
}
