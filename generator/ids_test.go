package generator_test

import (
	"fmt"
	"testing"

	"ayna/generator"
	"ayna/generator/site"
	"ayna/testrun"
)

// TestIDs: a build that gives entries other ids than the published ones says so.
func TestIDs(t *testing.T) {
	testrun.NotShort(t)
	const first, second = "tag:ayna.example,2026-01-01", "tag:new.example,2026-01-01"
	for _, format := range []site.Format{site.RSS, site.Atom, site.JSON} {
		t.Run(string(format), func(t *testing.T) {
			t.Parallel()
			p := newPress(t)
			p.config.Feeds.Formats = []site.Format{format}
			for i, step := range []struct{ base, authority, want string }{
				{"https://ayna.example/haber/", "ayna.example", "<nil>"},
				{"https://new.example/", "ayna.example", "<nil>"},
				{"https://new.example/", "new.example", fmt.Sprint(&generator.IDs{Before: first, Now: second})},
				{"https://new.example/", "new.example", "<nil>"},
			} {
				report := p.mustBuild(t, func(o *generator.Options) {
					o.Offline = i > 0
					o.Config.BaseURL, o.Config.Feeds.IDAuthority = step.base, step.authority
				})
				if got := fmt.Sprint(report.IDs); got != step.want {
					t.Errorf("step %d: %s, want %s", i, got, step.want)
				}
			}
		})
	}
}
