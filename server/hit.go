package server

import (
	"encoding/json"
	"fmt"

	"ayna/archive"
)

// hitOf returns a record as a search shows it. One that the source's own search
// showed stays as that. Others get what the fields of a hit have beyond their
// single record: the date of the last change from the list record, and an empty
// list of related news.
func hitOf(d archive.Document) ([]byte, error) {
	if d.Found {
		return d.JSON, nil
	}
	hit, err := project(d.JSON, hitAll)
	if err != nil {
		return nil, fmt.Errorf("hit %s: %w", d.ID, err)
	}
	own := completedOf(hit)
	if own.ModifiedDate == nil {
		listed := completedOf(d.Listed)
		for _, date := range []json.RawMessage{listed.ModifiedDate, listed.ModifieDate, own.ModifieDate} {
			if date != nil && string(date) != "null" {
				hit = appendMember(hit, "ModifiedDate", date)
				break
			}
		}
	}
	if own.RelatedNews == nil {
		hit = appendMember(hit, "RelatedNews", []byte("[]"))
	}
	return hit, nil
}

// completed are the fields of a hit that hitOf completes.
type completed struct{ ModifiedDate, ModifieDate, RelatedNews json.RawMessage }

// completedOf reads them from a record. One that cannot be read has none.
func completedOf(record []byte) (c completed) {
	small, err := project(record, []string{"ModifiedDate", "ModifieDate", "RelatedNews"})
	if err != nil || json.Unmarshal(small, &c) != nil {
		return completed{}
	}
	return c
}

// appendMember returns an object with one more member.
func appendMember(object []byte, name string, value []byte) []byte {
	end := len(object) - 1
	out := append([]byte(nil), object[:end]...)
	if end > 1 {
		out = append(out, ',')
	}
	return append(fmt.Appendf(out, "%q:%s", name, value), '}')
}
