package pack

import (
	"context"
	"iter"
	"net/textproto"
	"net/url"
	"time"

	"ayna/archive"
	"ayna/client"
	"ayna/generator/exchange"
	"ayna/generator/warc"
	"ayna/generator/wire"
)

// record writes a record of the archive.
func (z *wacz) record(ctx context.Context, r *archive.Record) error {
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
	metadata := &warc.Record{Type: "metadata", URI: exchange.URI(r), Date: at}
	if r.Single != nil {
		answer := &warc.Record{Type: "resource", URI: u.String(), Date: at}
		if err := z.putJSON(answer, r.Single, nil); err != nil {
			return err
		}
		metadata.Header = textproto.MIMEHeader{"Warc-Concurrent-To": {"<" + answer.ID + ">"}}
	}
	var since time.Time
	for revision, err := range z.earlier(ctx, r) {
		if err != nil {
			return err
		}
		if revision.Part == archive.SinglePart {
			since = revision.ReplacedAt
			break
		}
	}
	pictures, err := z.Records.MediaOf(ctx, r.Row)
	if err != nil {
		return err
	}
	line, err := exchange.EncodeAnswered(r, since, pictures)
	if err := z.putJSON(metadata, line, err); err != nil {
		return err
	}
	return z.earlierVersions(ctx, r, u.String())
}

// earlierVersions writes the earlier versions of a record whose answer has an address.
func (z *wacz) earlierVersions(ctx context.Context, r *archive.Record, address string) error {
	// The date of an answer is when the one before it was replaced.
	var later []byte
	for revision, err := range z.earlier(ctx, r) {
		if err != nil {
			return err
		}
		switch revision.Part {
		case archive.ListPart:
			line, err := exchange.EncodeEarlierList(r, revision)
			err = z.putJSON(&warc.Record{Type: "metadata", URI: exchange.URI(r), Date: revision.ReplacedAt}, line, err)
			if err != nil {
				return err
			}
		case archive.SinglePart:
			if later != nil {
				if err := z.putJSON(&warc.Record{Type: "resource", URI: address, Date: revision.ReplacedAt}, later, nil); err != nil {
					return err
				}
			}
			later = revision.JSON
		}
	}
	if later != nil {
		return z.putJSON(&warc.Record{Type: "resource", URI: address, Date: r.Seen}, later, nil)
	}
	return nil
}

// putJSON puts a record of JSON, unless there is an error.
func (z *wacz) putJSON(w *warc.Record, content []byte, err error) error {
	if err != nil {
		return err
	}
	w.Header = textproto.MIMEHeader{"Content-Type": {"application/json"}, "Warc-Concurrent-To": w.Header["Warc-Concurrent-To"]}
	return z.put(w, "", "application/json", nil, writes(content))
}

// earlier yields the earlier versions of a record, newest first.
func (z *wacz) earlier(ctx context.Context, r *archive.Record) iter.Seq2[archive.Revision, error] {
	if !z.revised[r.Row] {
		return func(func(archive.Revision, error) bool) {}
	}
	return z.Records.Earlier(ctx, r.Row)
}
