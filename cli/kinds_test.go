package cli

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"ayna/fetch"
	"ayna/generator/config"
	"ayna/source/get"
	"ayna/source/kinds"
)

// What tells people of the kinds of sources tells of all of them: the document, the site.yaml
// that init writes, help and hints. Each has an entry that is whole.
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
	names := make(map[kinds.Name]bool)
	for _, kind := range kinds.All {
		for what, lacks := range map[string]bool{
			"a name of its own": names[kind.Name], "Title": kind.Title == "", "Open": kind.Open == nil,
			"Key.Wanted": kind.Key.Wanted == "", "Key.Wrong": kind.Key.Form != nil && kind.Key.Wrong == "",
		} {
			if lacks {
				t.Errorf("source/kinds: the entry of %q lacks %s", kind.Name, what)
			}
		}
		names[kind.Name] = true
		places := map[string]string{
			"the hint of a wrong shape":           a.hint(exitShape, fetch.ErrShape),
			"doctor's advice about a wrong shape": a.advice(exitShape, fetch.ErrShape),
		}
		if kind.Find != nil || kind.Name == kinds.ReadAPI {
			places["init's failure at another page"] = wrong.came
			places["the help of init"] = initSpec.long
		}
		for place, text := range places {
			if !strings.Contains(text, kind.Title) {
				t.Errorf("%s lacks %s", place, kind.Title)
			}
		}
		if !strings.Contains(document("sources.md"), "`"+string(kind.Name)+"`") {
			t.Errorf("docs/sources.md lacks the source.kind `%s`", kind.Name)
		}
		text := config.Write(config.Outline{URL: "https://kiyi.example", Title: "Kıyı", BaseURL: "https://ayna.example/", Language: "tr", Timezone: "UTC", Kind: kind.Name})
		if c, err := config.Parse("site.yaml", text, os.LookupEnv); err != nil || c.Source.Kind != kind.Name {
			t.Errorf("init writes no source.kind: %s (%v)", kind.Name, err)
		}
	}
	row := regexp.MustCompile("(?m)^.*`source.kind`.*").FindString(document("configuration.md"))
	if !strings.Contains(row, string(kinds.ReadAPI)) || !strings.Contains(row, "(sources.md)") {
		t.Errorf("docs/configuration.md has neither the default of source.kind nor a link to the others: %s", row)
	}
}
