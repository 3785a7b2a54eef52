package generator_test

import (
	"testing"

	"ayna/generator"
	"ayna/testrun"
)

// A build that first ends an interrupted forget checks the site that it makes.
func TestCheckAfterForget(t *testing.T) {
	testrun.NotShort(t)
	t.Parallel()
	p := newPress(t)
	p.mustBuild(t, func(*generator.Options) {})
	_, second := twoArticles(t, p.config.Archive)
	p.cutShort(t, second)
	report := p.mustBuild(t, func(o *generator.Options) { o.Check = true })
	if c := report.Check; c == nil || c.Records == 0 || c.Files == 0 || len(c.Site) > 0 {
		t.Errorf("checked: %+v", report.Check)
	}
	p.checkForgotten(t, second)
}
