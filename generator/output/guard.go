package output

import (
	"errors"
	"fmt"
)

// Errors of a site that was rendered but not published.
var (
	ErrFewer      = errors.New("the site would lose too many pages at once and was not published")
	ErrIncomplete = errors.New("the site is incomplete and was not published")
)

// guard refuses a site without a required file, with many files that could not be
// rendered, or with far fewer pages than the published one.
func (b *build) guard() error {
	for _, name := range b.options.Required {
		if r := b.rows.at(name); r == nil || !r.inTree() || r.size == 0 {
			return fmt.Errorf("%w: %s is missing or empty", ErrIncomplete, name)
		}
	}
	shown := b.options.Records
	if shown == 0 {
		shown = b.result.Files()
	}
	if failed := len(b.result.Failed) - b.tolerated; failed > tolerable(shown, 100) {
		return fmt.Errorf("%w: %d files could not be rendered, the first of them %s: %w", ErrIncomplete, failed, b.result.Failed[0].Path, b.result.Failed[0].Err)
	}
	if b.options.Fewer || b.pagesBefore-b.pages <= tolerable(b.pagesBefore, 10) {
		return nil
	}
	if b.before.isKnown() && b.before.Scope != b.options.Scope &&
		!b.options.Anew {
		return nil
	}
	if origin := b.before.Origin; origin != "" && origin == b.options.Supersedes && origin != b.options.Origin {
		return nil
	}
	return fmt.Errorf("%w: %d pages instead of %d", ErrFewer, b.pages, b.pagesBefore)
}

// tolerable returns how many of all things may be lost at once: one in share, but
// at least ten.
func tolerable(all, share int) int { return max(10, all/share) }
