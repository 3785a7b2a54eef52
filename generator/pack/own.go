package pack

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"net/textproto"
	"net/url"
	"slices"
	"strings"
	"time"

	"ayna/archive"
	"ayna/client"
	"ayna/generator/warc"
	"ayna/generator/wire"
)

// A web archive of this program has of each record: the answer of its own operation, a
// metadata record with its line, and after that the earlier answers, newest first, and
// lines with earlier list records.

// ownPrefix begins the WARC-Target-URI of these metadata records.
const ownPrefix = "urn:ayna:"

// ownInfo begins the first record, which tells who wrote the file.
const ownInfo = "software: ayna\r\n"

// ownURI returns the WARC-Target-URI of a metadata record. It is not the address of the
// answer, for which programs would then show the metadata.
func ownURI(r *archive.Record) string {
	return ownPrefix + string(r.Kind) + ":" + url.PathEscape(r.ID)
}

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
	metadata := &warc.Record{Type: "metadata", URI: ownURI(r), Date: at}
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
	line, err := encodeOwn(r, since, pictures)
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
			line, err := encodeOwnList(r, revision)
			err = z.putJSON(&warc.Record{Type: "metadata", URI: ownURI(r), Date: revision.ReplacedAt}, line, err)
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

// encodeOwn returns the content of the metadata record of a record, whose answer has been
// as it is since a time, with its mirrored pictures.
func encodeOwn(r *archive.Record, since time.Time, pictures map[string]archive.Media) ([]byte, error) {
	without, l := *r, lineOf(r)
	without.Single, l.Since, l.Media = nil, since, make(map[string]string)
	for address, m := range pictures {
		l.Media[address] = m.Name
	}
	return encodeLine(&without, l)
}

// encodeOwnList returns the content of a metadata record with an earlier list record.
func encodeOwnList(r *archive.Record, earlier archive.Revision) ([]byte, error) {
	return encodeLine(&archive.Record{Kind: r.Kind, ID: r.ID, List: earlier.JSON}, line{Kind: r.Kind, ID: r.ID, Until: earlier.ReplacedAt})
}

// ownRecord is a record whose earlier versions may follow.
type ownRecord struct {
	arrival
	until time.Time // end of the next earlier single record
	size  int       // of the earlier versions, in bytes
}

// maxEarlier is how many bytes of earlier versions of one record are held in memory. Older
// ones are left out.
const maxEarlier = 64 << 20

// captured takes an answer: as a version of the open record, or as one whose metadata may
// follow, or else as a capture.
func (w *webArchive) captured(ctx context.Context, warcType string, c captured) error {
	if own := w.own; own != nil && warcType == "resource" &&
		c.operation.ID == own.record.ID && c.operation.Group == wire.Groups[own.record.Kind] {
		if id, err := wire.ID(c.body); err == nil && (id == own.record.ID || id == "") {
			w.addEarlier(archive.Revision{Part: archive.SinglePart, JSON: c.body, ReplacedAt: own.until}, c.place)
			own.until = c.at
			return nil
		}
	}
	if err := w.settle(ctx); err != nil {
		return err
	}
	if warcType == "resource" && c.operation.ID != "" {
		w.last = &c
		return nil
	}
	return w.keep(c)
}

// addEarlier adds an earlier version to the open record.
func (w *webArchive) addEarlier(r archive.Revision, place string) {
	if w.own.size += len(r.JSON); w.own.size > maxEarlier {
		w.leaveOut(tooManyEarlier, place, false)
		return
	}
	w.own.earlier = append(w.own.earlier, r)
}

// settle ends the open record and the answer without metadata.
func (w *webArchive) settle(ctx context.Context) error {
	own, last := w.own, w.last
	w.own, w.last = nil, nil
	if own != nil {
		slices.SortStableFunc(own.earlier, func(a, b archive.Revision) int {
			return cmp.Or(a.ReplacedAt.Compare(b.ReplacedAt), cmp.Compare(a.Part, b.Part))
		})
		return w.add(ctx, own.arrival)
	}
	if last != nil {
		return w.keep(*last)
	}
	return nil
}

// metadata reads the line of a record, or of an earlier list record.
func (w *webArchive) metadata(ctx context.Context, r *warc.Record, place string) error {
	text, err := io.ReadAll(r.Content)
	if err != nil {
		return err
	}
	var l line
	err = json.Unmarshal(text, &l)
	if err == nil {
		err = cmp.Or(checkTime("since", l.Since), checkTime("until", l.Until))
	}
	if err != nil {
		w.leaveOut(damagedRecord, fmt.Sprintf("%s: %v", place, err), true)
		return nil
	}
	if own := w.own; !l.Until.IsZero() && own != nil && l.Kind == own.record.Kind && l.ID == own.record.ID {
		if l.List == nil {
			l.List = l.Encoded["list"]
		}
		if id, err := wire.ID(l.List); err == nil && id == l.ID {
			w.addEarlier(archive.Revision{Part: archive.ListPart, JSON: l.List, ReplacedAt: l.Until}, place)
		}
		return nil
	}
	answer := w.last
	if answer != nil && answer.id == strings.Trim(r.Header.Get("WARC-Concurrent-To"), "<>") {
		w.last = nil
	} else {
		answer = nil
	}
	if err := w.settle(ctx); err != nil {
		return err
	}
	record, err := l.record()
	if err == nil && answer != nil {
		record.Single = answer.body
	}
	if err == nil {
		err = complete(record, w.zone)
	}
	if err == nil && !record.Sound() {
		err = fmt.Errorf("its JSON does not match its hash")
	}
	if err == nil {
		w.others = false // they are the pages of this site
		w.own = &ownRecord{arrival: arrival{place: place, record: record}, until: cmp.Or(l.Since, l.Changed, l.Fetched)}
		w.own.media, err = w.mediaOf(l, r.Date)
		return err
	}
	w.leaveOut(damagedRecord, fmt.Sprintf("%s: %v", place, err), true)
	// Its parts may be sound.
	if record != nil && record.List != nil {
		if id, err := wire.ID(record.List); err == nil && id == record.ID {
			if err := w.spool.add(capture{record.Listed.Truncate(time.Millisecond), list, []piece{{record.Kind, record.List}}}); err != nil {
				return err
			}
		}
	}
	if answer != nil {
		return w.keep(*answer)
	}
	return nil
}
