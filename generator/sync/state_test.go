package sync_test

import (
	"testing"

	"ayna/archive"
	"ayna/client/clienttest"
)

// A state of another version, or one that is damaged, leads to a new pass over the
// whole list: no record is lost, and one that is gone is found to be gone.
func TestStateThatIsNotUnderstood(t *testing.T) {
	t.Parallel()
	for name, state := range map[string]string{
		"damaged": `{"version":`, "another version": `{"version":99,"phase":"head","pass":{"number":7}}`,
		"before versions": `{"last":9,"pass":9,"complete":"2026-11-01T00:00:00Z","size":40}`, "no object": `[]`,
	} {
		inVirtualTime(t, name, func(t *testing.T) {
			n := open(t, clienttest.Options{Items: 40})
			n.mustRun(t)
			n.mustRun(t)
			before := n.held(t)
			err := n.archive.Update(t.Context(), func(tx *archive.Tx) error {
				for _, kind := range archive.Kinds {
					if err := tx.SetState("list "+string(kind), state); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			n.Remove("articles", "48999990")
			report := n.mustRun(t)
			if c := report.Kinds[archive.Article]; c.Gone != 1 || c.New != 0 || c.Fetched != 0 {
				t.Errorf("articles: %+v, want 1 gone and none fetched", c)
			}
			if held := n.held(t); len(held) != len(before) {
				t.Errorf("%d records are kept of %d", len(held), len(before))
			}
		})
	}
}
