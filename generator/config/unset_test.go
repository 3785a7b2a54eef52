package config_test

import (
	"errors"
	"strings"
	"testing"

	"ayna/generator/config"
)

// A variable that is unset or empty is an error for commands that need its key. The error names
// the variable, the key and the line.
func TestUnsetVariables(t *testing.T) {
	const everyone, building, serving = "everyone", "building", "serving" // the commands that fail
	for _, test := range []struct{ key, yaml string }{
		{"title", "title: ${NAME}\n"},
		{"archive", "archive: postgres://user:${NAME}@host/database\n"},
		{"feeds.items", "feeds: {items: \"${NAME}\"}\n"},
		{"source.api_key", "source: {api_key: \"${NAME}\"}\n"},
		{"serve.api_key", "serve:\n  {api_key: \"${NAME}\"}\n"},
		{"serve.per_hour", "serve:\n  per_hour: ${NAME}\n"},
		{"serve.metrics", "serve:\n  metrics: 127.0.0.1:${NAME}\n"},
		{"serve.origins", "serve:\n  origins: [\"${NAME}\"]\n"},
	} {
		for _, env := range []map[string]string{nil, {"NAME": ""}, {"NAME": " \n"}} {
			c, err := load(t, base+test.yaml, env)
			missed := everyone // Load fails
			if err == nil {
				missed = ""
				if err = c.Need(func(key string) bool { return key == "source.api_key" }); err != nil {
					missed = building
				}
				if e := c.Need(func(key string) bool { return strings.HasPrefix(key, "serve.") }); e != nil {
					missed, err = missed+serving, e
				}
			}
			want := everyone
			if strings.HasPrefix(test.key, "serve.") {
				want = serving
			} else if test.key == "source.api_key" {
				want = building
			}
			if missed != want {
				t.Errorf("%s with %q is missed by %q, want %q: %v", test.key, env, missed, want, err)
			}
			unset := (*config.UnsetError)(nil)
			if !errors.As(err, &unset) || unset.Key != test.key || unset.Name != "NAME" || !strings.Contains(unset.Hint(), "export NAME=") ||
				!strings.Contains(err.Error(), "site.yaml:") || !strings.Contains(err.Error(), test.key+": ${NAME} is not set") {
				t.Errorf("%s: error %v", test.key, err)
			}
		}
		if test.key == "serve.origins" { // 7 is no origin
			continue
		}
		if c, err := load(t, base+test.yaml, map[string]string{"NAME": "7"}); err != nil || c.Need(func(string) bool { return true }) != nil {
			t.Errorf("%s: %v although the variable is set", test.key, err)
		}
	}
}

// ${NAME} in a flow mapping, whose braces YAML reads first, needs quotes; the error says so.
func TestVariableInBraces(t *testing.T) {
	_, err := load(t, base+"source: {url: https://api.example, api_key: ${NAME}}\n", nil)
	if err == nil || !strings.Contains(err.Error(), "site.yaml:2:") || !strings.Contains(err.Error(), "write ${NAME} in quotes") {
		t.Errorf("%v", err)
	}
}
