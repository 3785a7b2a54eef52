package config_test

import (
	"encoding/json"
	"flag"
	"maps"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/google/jsonschema-go/jsonschema"

	"ayna"
	"ayna/generator/config"
)

var update = flag.Bool("update", false, "write site.schema.json anew")

func schemaOfSite(t *testing.T) (text []byte, s *jsonschema.Schema, validate func(yaml string) error) {
	t.Helper()
	text, err := config.Schema()
	if err == nil {
		err = json.Unmarshal(text, &s)
	}
	if err != nil {
		t.Fatal(err)
	}
	resolved, err := s.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	return text, s, func(source string) error {
		var value any
		if err := yaml.Unmarshal([]byte(source), &value); err != nil {
			t.Fatalf("%s: %v", source, err)
		}
		return resolved.Validate(value)
	}
}

// TestSchemaFile compares site.schema.json beside the sample's site.yaml.
func TestSchemaFile(t *testing.T) {
	const name = "../../" + config.SchemaFile
	text, _, _ := schemaOfSite(t)
	if *update {
		if err := os.WriteFile(name, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if there, err := os.ReadFile(name); err != nil || string(there) != string(text) {
		t.Errorf("%s is old, %v: go test ./generator/config -run SchemaFile -update", name, err)
	}
}

// TestSchemaDocument compares the keys of the schema with the tables of docs/configuration.md
// and with the sample's site.yaml. A key within a value, as url in menu, stands on a line
// that names the value, or on the next one.
func TestSchemaDocument(t *testing.T) {
	rows := maps.Collect(config.Descriptions())
	_, s, _ := schemaOfSite(t)
	var compare func(of *jsonschema.Schema, group string, inRow bool)
	compare = func(of *jsonschema.Schema, group string, inRow bool) {
		for name, value := range of.Properties {
			key := strings.TrimPrefix(group+"."+name, ".")
			row, described := rows[key]
			if described && value.Description != row.Meaning {
				t.Errorf("the schema describes %s as %q", key, value.Description)
			}
			within := value
			if value.Items != nil {
				within = value.Items
			}
			if len(within.AnyOf) > 1 && within.AnyOf[1].Properties != nil { // a text, or a group
				within = within.AnyOf[1]
			}
			if inRow && !regexp.MustCompile("`"+regexp.QuoteMeta(group)+"`.*\n?.*\\b"+name+"\\b").MatchString(ayna.Configuration) || !inRow && !described && within.Properties == nil {
				t.Errorf("docs/configuration.md lacks the key %s", key)
			}
			if !inRow && !regexp.MustCompile(`\b`+name+`:`).Match(ayna.SampleConfig) {
				t.Errorf("site.yaml lacks the key %s", key)
			}
			compare(within, key, described)
			delete(rows, key)
		}
	}
	compare(s, "", false)
	for key := range rows {
		t.Errorf("docs/configuration.md has the key %s, which the schema does not", key)
	}
}

// The schema accepts what the program reads, and refuses what it refuses for a wrong key, type,
// word or range.
func TestSchemaAgrees(t *testing.T) {
	_, _, validate := schemaOfSite(t)
	env := func(string) (string, bool) { return "1", true }
	same := func(source string, right bool) {
		t.Helper()
		_, err := config.Parse("site.yaml", []byte(source), env)
		if invalid := validate(source); (err == nil) != right || (invalid == nil) != right {
			t.Errorf("%s\nprogram: %v\nschema: %v", source, err, invalid)
		}
	}
	same(string(ayna.SampleConfig), true)
	same(string(config.Write(config.Outline{
		Title: "Körfez: Postası", BaseURL: "https://ayna.example/", Language: "tr", Timezone: "UTC", URL: "https://kiyi.example", Kind: "wordpress",
		Include: []string{"/"}, Dates: "dmy", Look: config.Look{Accent: "#96181d", Menu: [][2]string{{"A", "a.html"}}},
	})), true)
	for _, right := range []string{
		"source:", "title: 2026", "robots: ${ROBOTS}", "widths: [320, '640']", "widths: []", "source: {timeout: 1m30s, per_second: '${N}'}",
		"source: {sweep: 0}", "source: {dates: ''}", "markdown: 'FALSE'", "searches: [deprem, 5, {title: A, query: b}]", "source: {api_key: '${K}'}",
		"csp: {script-src: [https://stats.example]}", "feeds: {of: [home]}", "feeds: {mixes: [{title: A, include: [/a/]}]}", "feeds: {id_date: 2026-01-01}",
	} {
		if strings.Contains(right, "ROBOTS") { // the program knows the word
			if err := validate(base + right); err != nil {
				t.Errorf("%s: %v", right, err)
			}
			continue
		}
		same(base+right, true)
	}
	for _, wrong := range []string{
		"langauge: tr", "source: {ur: sample}", "feeds: {mixes: [{titel: A}]}", "title: [a]", "title: {a: b}", "widths: 320", "widths: [wide]",
		"source: {per_second: 0.5}", "source: {per_second: many}", "source: {per_second: -1}", "source: {page_size: 0}", "source: {timeout: 30}",
		"source: {timeout: soon}", "source: {kind: blog}", "source: {dates: ymd}", "source: {api_key: abc}", "markdown: yes", "robots: maybe",
		"compress: [rar]", "content: {kinds: [poem]}", "feeds: {formats: [rdf]}", "feeds: {of: [all]}", "feeds: {items: 0}", "searches: deprem",
		"source: sample", "csp: {default-src: []}", "media: keep",
	} {
		same(base+wrong, false)
	}
	same("title: A\n", false)
}

// Each word and range of the checks is in the schema.
func TestSchemaRules(t *testing.T) {
	_, s, _ := schemaOfSite(t)
	source, feeds := s.Properties["source"].Properties, s.Properties["feeds"].Properties
	if p := source["per_hour"]; *p.Minimum != 0 || *p.Maximum != 1_000_000_000 || string(p.Default) != "500" {
		t.Errorf("source.per_hour: %v", p)
	}
	if words := feeds["of"].Items.AnyOf[0].Enum; len(words) < 11 || !slices.Contains(words, any("mixes")) {
		t.Errorf("feeds.of: %v", words)
	}
	if string(source["timeout"].Default) != `"30s"` || !reflect.DeepEqual(s.Required, []string{"base_url"}) {
		t.Errorf("%s, %v", source["timeout"].Default, s.Required)
	}
}
