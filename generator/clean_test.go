package generator_test

import (
	"testing"

	"ayna/generator"
	"ayna/testrun"
)

// Single records that have just arrived are not cleaned again by the build.
func TestTextsAreCleanedOnce(t *testing.T) {
	testrun.NotShort(t)
	t.Parallel()
	p := newPress(t)
	again := -1
	report := p.mustBuild(t, func(o *generator.Options) {
		o.Progress = func(progress generator.Progress) {
			if progress.Stage == generator.Clean {
				again = progress.Total
			}
		}
	})
	if report.Site.Items == 0 || again != -1 {
		t.Errorf("%d of %d texts were cleaned again", again, report.Site.Items)
	}
}
