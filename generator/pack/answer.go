package pack

import (
	"context"
	"net/textproto"
	"net/url"
	"time"

	"ayna/archive"
	"ayna/client"
	"ayna/generator/warc"
	"ayna/generator/wire"
)

// answers writes what a record's own operation returned, newest first.
func (z *wacz) answers(ctx context.Context, r *archive.Record) error {
	if r.Single == nil {
		return nil
	}
	u, group := *z.source, wire.Groups[r.Kind]
	operation := "v1/" + string(group)
	if z.places[group] == client.InQuery {
		u.Path, u.RawQuery = u.Path+operation, "Id="+url.QueryEscape(r.ID)
	} else {
		u.Path, u.RawPath = u.Path+operation+"/"+r.ID, u.EscapedPath()+operation+"/"+url.PathEscape(r.ID)
	}
	at := r.Seen
	for _, t := range []time.Time{r.Changed, r.Fetched} {
		if !t.IsZero() {
			at = t
		}
	}
	if err := z.answer(u.String(), at, r.Single); err != nil || !z.revised[r.Row] {
		return err
	}
	var later []byte // its date is when the version before it was replaced
	for revision, err := range z.Archive.Records.Earlier(ctx, r.Row) {
		if err != nil {
			return err
		}
		if revision.Part != archive.SinglePart {
			continue
		}
		if later != nil {
			if err := z.answer(u.String(), revision.ReplacedAt, later); err != nil {
				return err
			}
		}
		later = revision.JSON
	}
	if later == nil {
		return nil
	}
	return z.answer(u.String(), r.Seen, later)
}

// answer writes what the service returned from an address.
func (z *wacz) answer(address string, at time.Time, content []byte) error {
	header := textproto.MIMEHeader{"Content-Type": {"application/json"}}
	return z.put(&warc.Record{Type: "resource", URI: address, Date: at, Header: header}, "", "application/json", nil, writes(content))
}
