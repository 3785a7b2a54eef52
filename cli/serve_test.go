package cli

import (
	"strings"
	"testing"

	"ayna/generator/config"
)

func TestHosts(t *testing.T) {
	for source, want := range map[string]string{
		"sample": "old.example ayna.example", "https://API.haber.example:8443/x": "old.example ayna.example api.haber.example",
	} {
		c := &config.Config{Shown: config.Shown{BaseURL: "https://ayna.example/haber/"}, Source: config.Source{URL: source}, Serve: config.Serve{Hosts: []string{"old.example"}}}
		if got := strings.Join(hostsOf(c), " "); got != want {
			t.Errorf("%s: %s, want %s", source, got, want)
		}
	}
}
