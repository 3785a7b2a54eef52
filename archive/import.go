package archive

import (
	"errors"
	"fmt"

	"ayna/archive/database"
)

// Import stores a record of another archive with its times and its address, and
// replaces a damaged one. It returns false and changes nothing if the archive has the
// record undamaged or if it was forgotten, and [database.ErrDamaged] if the JSON does not match
// its hash.
func (t *Tx) Import(r *Record) (bool, error) {
	if forgotten, err := t.isForgotten(r.Kind, r.ID); err != nil || forgotten {
		return false, err
	}
	if old, err := t.Get(r.Kind, r.ID); err == nil && !old.Damaged {
		return false, nil
	} else if err != nil && !errors.Is(err, database.ErrNotFound) {
		return false, err
	}
	if !r.Sound() {
		return false, fmt.Errorf("import %s %s: its JSON does not match its hash: %w", r.Kind, r.ID, database.ErrDamaged)
	}
	if r.Single == nil && r.Hit != nil {
		if err := t.Hits.Put(r.ID, r.Hit); err != nil {
			return false, err
		}
	}
	goneAt, address := r.GoneAt, r.Address
	if _, err := t.Put(r, r.Seen); err != nil {
		return false, err
	}
	if address != "" {
		if err := t.SetAddress(r.Row, address); err != nil {
			return false, err
		}
	}
	if !goneAt.IsZero() {
		return true, t.MarkGone(r.Kind, r.ID, goneAt)
	}
	return true, nil
}
