package record

import (
	"fmt"
	"slices"
	"strings"

	"ayna/source/get"
)

// CheckKey returns [get.ErrSecret] if a record has a key of the guard, in its JSON or in
// what a site shows of it. Call it after [Fill], which cleans the record's texts.
func CheckKey(r *Record, guard *get.KeyGuard) error {
	shown := slices.Concat([]string{r.Path, r.Title, r.Spot, r.URL, r.Editor, r.Text}, r.Paths, r.Tags, r.Links, r.Images)
	for _, writer := range r.Writers {
		shown = append(shown, writer.Name)
	}
	for _, related := range r.Related {
		shown = append(shown, related.Title, related.URL)
	}
	if guard.InText(strings.Join(shown, "\n")) || guard.InJSON(r.List) || guard.InJSON(r.Single) || guard.InJSON(r.Hit) {
		return fmt.Errorf("%s %s: %w", r.Kind, r.ID, get.ErrSecret)
	}
	return nil
}
