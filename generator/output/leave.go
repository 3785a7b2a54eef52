package output

import (
	"bytes"
)

// leave counts the published files that are not among the site's any more, and
// lets some of them linger.
func (b *build) leave() error {
	if b.result.Removed = b.live - b.taken; b.result.Removed == 0 || !b.listed || b.options.Lingering == "" {
		return nil
	}
	there := newFolders(b.served, false, 1)
	defer there.close()
	r, err := openManifest(b.served.root)
	if err != nil {
		return err
	}
	defer r.close()
	for {
		more, err := r.next()
		if !more || err != nil {
			return err
		}
		if !bytes.HasPrefix(r.path, []byte(b.options.Lingering)) {
			continue
		}
		e, err := r.entry()
		if err != nil {
			return err
		}
		row := b.table.find(idOfBytes(r.path))
		if e.key == lingering || row.fate() != undecided {
			continue
		}
		if dir, name, err := there.of(string(r.path)); err == nil && dir.isFile(name, e.size) {
			row.decide(kept, entry{lingering, e.sum, e.size})
			b.kept++
		}
	}
}
