package server

import (
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
	out, err := project(out, d.JSON, hitAll)
	if err != nil {
		return nil, err
	}
	own := completedOf(d.JSON)
	if own.ModifiedDate == nil {
		listed := completedOf(d.Listed)
		for _, date := range [][]byte{listed.ModifiedDate, listed.ModifieDate, own.ModifieDate} {
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
type completed struct{ ModifiedDate, ModifieDate, RelatedNews []byte }

// completedOf reads them from a record. One that cannot be read has none.
func completedOf(record []byte) (c completed) {
	err := members(record, func(key, content []byte) {
		switch string(key) {
		case `"ModifiedDate"`:
			c.ModifiedDate = content
		case `"ModifieDate"`:
			c.ModifieDate = content
		case `"RelatedNews"`:
			c.RelatedNews = content
		}
	})
	if err != nil {
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
