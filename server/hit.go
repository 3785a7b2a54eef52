package server

import (
	"encoding/json"
	"fmt"

	"ayna/archive"
)

// appendHit appends a record as a search shows it. One that the source's own
// search showed stays as that. Others get what the fields of a hit have beyond
// their single record: the date of the last change from the list record, and an
// empty list of related news.
func appendHit(out []byte, d archive.Document) ([]byte, error) {
	if d.Found {
		return append(out, d.JSON...), nil
	}
	begin := len(out)
	out, err := project(out, d.JSON, hitAll)
	if err != nil {
		return nil, err
	}
	own := completedOf(out[begin:])
	if own.ModifiedDate == nil {
		listed := completedOf(d.Listed)
		for _, date := range []json.RawMessage{listed.ModifiedDate, listed.ModifieDate, own.ModifieDate} {
			if date != nil && string(date) != "null" {
				out = appendMember(out, "ModifiedDate", date)
				break
			}
		}
	}
	if own.RelatedNews == nil {
		out = appendMember(out, "RelatedNews", []byte("[]"))
	}
	return out, nil
}

// completed are the fields of a hit that hitOf completes.
type completed struct{ ModifiedDate, ModifieDate, RelatedNews json.RawMessage }

// completedOf reads them from a record. One that cannot be read has none.
func completedOf(record []byte) (c completed) {
	small, err := project(nil, record, []string{"ModifiedDate", "ModifieDate", "RelatedNews"})
	if err != nil || json.Unmarshal(small, &c) != nil {
		return completed{}
	}
	return c
}

// appendMember adds a member to the object that out ends with.
func appendMember(out []byte, name string, value []byte) []byte {
	out = out[:len(out)-1]
	if out[len(out)-1] != '{' {
		out = append(out, ',')
	}
	return append(fmt.Appendf(out, "%q:%s", name, value), '}')
}
