package pack

import (
	"cmp"
	"context"
	"net/textproto"
	"net/url"
	"time"

	"ayna/archive"
	"ayna/client"
	"ayna/generator/warc"
	"ayna/generator/wire"
)

// answers writes the single JSON of a record, and of its earlier versions, newest first.
func (z *wacz) answers(ctx context.Context, r *archive.Record) error {
	if r.Single == nil {
		return nil
	}
	group := wire.Groups[r.Kind]
	address := z.source.String() + "v1/" + string(group)
	if z.places[group] == client.InQuery {
		address += "?Id=" + url.QueryEscape(r.ID)
	} else {
		address += "/" + url.PathEscape(r.ID)
	}
	if err := z.answer(address, cmp.Or(r.Fetched, r.Changed, r.Seen), r.Single); err != nil {
		return err
	}
	if !z.revised[r.Row] { // it has no earlier versions
		return nil
	}
	var newer []byte // the version read last; it came when the one that is read next was replaced
	for revision, err := range z.Archive.Records.Earlier(ctx, r.Row) {
		if err != nil {
			return err
		}
		if revision.Part != archive.SinglePart {
			continue
		}
		if newer != nil {
			if err := z.answer(address, revision.ReplacedAt, newer); err != nil {
				return err
			}
		}
		newer = revision.JSON
	}
	if newer == nil {
		return nil
	}
	return z.answer(address, r.Seen, newer)
}

// answer writes JSON that the service had at an address at a time.
func (z *wacz) answer(address string, at time.Time, content []byte) error {
	header := textproto.MIMEHeader{"Content-Type": {"application/json"}}
	return z.put(&warc.Record{Type: "resource", URI: address, Date: at, Header: header}, "", "application/json", nil, writes(content))
}
