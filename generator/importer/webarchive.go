package importer

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
	"time"

	"ayna/client"
	"ayna/generator/exchange"
	"ayna/generator/site"
	"ayna/generator/warc"
	"ayna/generator/wire"
)

// maxCaptured is the largest record of a web archive that is read, in bytes.
const maxCaptured = 64 << 20

// Why records of a web archive are left out. The last ones are damage: the file is not
// as it was written.
const (
	foreignAddress = "addresses that are not of the API, such as those of pages and pictures"
	selectedFields = "answers that were limited to some fields ($select)"
	otherStatus    = "answers with another status than 200"
	repeatedAnswer = "repeats of an answer that the file has (revisit)"
	noJSON         = "answers that are not JSON"
	noShape        = "answers of an unknown shape"
	otherRecord    = "answers with another record than their address names"
	otherKind      = "records of another kind than their address names, or of an unknown one"
	withoutID      = "records without an id"
	withKey        = "answers with the API key in them"
	tooManyEarlier = "earlier versions of a record beyond 64 MiB"
	wrongDate      = "captures dated in the future or before 1990"
	foreignFile    = "files whose name leads out of the archive"
	bomb           = "files that unpack to more than 200 times their size"
	damagedRecord  = "damaged records"
	damagedPicture = "damaged pictures"
)

// webArchive imports the records of a WARC or WACZ file. from is the whole file; for a
// WARC file, stream reads it too.
func (im *importer) webArchive(ctx context.Context, from, stream io.Reader) error {
	kept, err := newSpool(im.archive.MediaDir())
	if err != nil {
		return err
	}
	defer kept.close()
	w := &webArchive{importer: im, spool: kept}
	files := []warcFile{{open: func() (io.ReadCloser, error) {
		whole := stream
		if file, ok := from.(io.Seeker); ok && w.again {
			if _, err := file.Seek(0, io.SeekStart); err == nil { // not a pipe
				whole = from
			}
		}
		return io.NopCloser(whole), nil
	}}}
	if stream == nil {
		if files, err = w.inZip(from); err != nil {
			return err
		}
	}
	var failed []error
	for _, file := range files {
		failed = append(failed, w.each(ctx, file, w.record), w.settle(ctx))
	}
	failed = append(failed, im.store(ctx), w.storeCaptures(ctx))
	if err := errors.Join(failed...); err != nil || !w.others {
		return err
	}
	return w.pictures(ctx, files)
}

// webArchive is the import of a web archive.
type webArchive struct {
	*importer
	spool  *spool
	others bool // it has answers of other addresses, which may be pictures
	again  bool // it is read for pictures

	// Of a file that this program has written.
	ours bool
	last *captured // an answer whose metadata may follow
	own  *ownRecord
}

// warcFile is a WARC file; its name is "" unless it is in a WACZ file.
type warcFile struct {
	name string
	open func() (io.ReadCloser, error)
}

// inZip returns the WARC files of a WACZ file.
func (w *webArchive) inZip(from io.Reader) (files []warcFile, err error) {
	file, ok := from.(interface {
		io.ReaderAt
		io.Seeker
	})
	if !ok {
		return nil, errors.New("a WACZ file cannot be read from a pipe: name the file")
	}
	size, err := file.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, fmt.Errorf("a WACZ file cannot be read from a pipe: name the file: %w", err)
	}
	directory := &limitedReaderAt{ReaderAt: file, left: 8 << 20}
	z, err := zip.NewReader(directory, size)
	if err != nil {
		return nil, fileError(err)
	}
	directory.left = 1 << 62
	left := uint64(size)
	for _, f := range z.File {
		if f.CompressedSize64 > left {
			return nil, fileError(errors.New("its files are larger than itself"))
		}
		left -= f.CompressedSize64
		place := "file " + quoted(f.Name)
		if name := path.Clean("/" + strings.ReplaceAll(f.Name, `\`, "/")); name != "/"+strings.TrimSuffix(f.Name, "/") {
			w.leaveOut(foreignFile, place, true)
			continue
		}
		if f.UncompressedSize64/200 > f.CompressedSize64 {
			w.leaveOut(bomb, place, true)
			continue
		}
		isWARC := strings.HasPrefix(f.Name, "archive/") && (strings.HasSuffix(f.Name, ".warc") || strings.HasSuffix(f.Name, ".warc.gz"))
		if isWARC {
			files = append(files, warcFile{f.Name, f.Open})
		}
	}
	if len(files) == 0 {
		return nil, fileError(errors.New("it has no archive/*.warc.gz, so it is no WACZ file"))
	}
	slices.SortFunc(files, func(a, b warcFile) int { return strings.Compare(a.name, b.name) })
	return files, nil
}

// limitedReaderAt fails after a number of bytes: the directory of a zip file is read
// into memory.
type limitedReaderAt struct {
	io.ReaderAt
	left int64
}

func (l *limitedReaderAt) ReadAt(p []byte, at int64) (int, error) {
	if l.left -= int64(len(p)); l.left < 0 {
		return 0, errors.New("its list of files is too long")
	}
	return l.ReaderAt.ReadAt(p, at)
}

// each calls do for the records of a WARC file.
func (w *webArchive) each(ctx context.Context, file warcFile, do func(ctx context.Context, r *warc.Record, place string) error) error {
	from, err := file.open()
	if err != nil {
		return fmt.Errorf("read %s: %w", quoted(file.name), fileError(err))
	}
	defer from.Close()
	name, in := "the file", ""
	if file.name != "" {
		name = quoted(file.name)
		in = " of " + name
	}
	number := 0
	for r, err := range warc.Records(from, maxCaptured) {
		number++
		place := fmt.Sprintf("record %d%s", number, in)
		if err == nil {
			place += at(r.URI)
			err = do(ctx, r, place)
		}
		var damaged *warc.RecordError
		switch {
		case errors.As(err, &damaged):
			number = damaged.Number
			w.leaveOut(damagedRecord, fmt.Sprintf("record %d%s%s: %s", number, in, at(damaged.URI), damaged.Err), true)
		case err != nil && r == nil:
			return fmt.Errorf("read %s: %w", name, fileError(err))
		case err != nil:
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

// leaveOut counts a record that is not imported.
func (im *importer) leaveOut(reason, place string, damaged bool) {
	i := slices.IndexFunc(im.done.LeftOut, func(l LeftOut) bool { return l.Reason == reason })
	if i < 0 {
		i = len(im.done.LeftOut)
		im.done.LeftOut = append(im.done.LeftOut, LeftOut{Reason: reason, First: place, Damaged: damaged})
	}
	im.done.LeftOut[i].Count++
}

// at returns the path of an address for a place. The query may hold an API key.
func at(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.EscapedPath() == "" {
		return ""
	}
	return " (" + quoted(u.EscapedPath()) + ")"
}

func quoted(text string) string { return fmt.Sprintf("%.80q", text) }

// record imports one record of a WARC file, or notes it for [webArchive.storeCaptures].
func (w *webArchive) record(ctx context.Context, r *warc.Record, place string) error {
	switch {
	case r.Type == "metadata" && strings.HasPrefix(r.URI, exchange.URIPrefix):
		return w.metadata(ctx, r, place)
	case r.Type == "warcinfo":
		info, err := io.ReadAll(io.LimitReader(r.Content, int64(len(exchange.Info))))
		w.ours = w.ours || string(info) == exchange.Info
		return err
	case r.Type != "response" && r.Type != "resource" && r.Type != "revisit":
		return nil // requests, notes of the crawler
	}
	u, err := url.Parse(r.URI)
	if err != nil {
		u = new(url.URL)
	}
	o, ok := client.ReadOperation(u)
	reason := ""
	switch {
	case !ok && w.ours && r.Type == "response" && path.Base(path.Dir(u.Path)) == site.MediaDir && ownPicture.MatchString(path.Base(u.Path)):
		return w.storeOwnPicture(r, path.Base(u.Path), place)
	case !ok:
		w.others = w.others || r.Type != "revisit"
		reason = foreignAddress
	case r.Type == "revisit":
		reason = repeatedAnswer
	case o.Select != "" && o.Select != "*":
		reason = selectedFields
	case w.isToCome(r) || r.Date.Year() < 1990:
		reason = wrongDate
	default:
		c := captured{place: place, address: u, operation: o, at: r.Date.UTC().Truncate(time.Millisecond), id: r.ID}
		if reason, err = c.read(r); err == nil && reason == "" {
			return w.captured(ctx, r.Type, c)
		}
		if err != nil {
			return err
		}
	}
	w.leaveOut(reason, place, false)
	return nil
}

// captured is an answer of the API in a web archive.
type captured struct {
	place     string
	id        string // of the WARC record
	address   *url.URL
	operation client.Operation
	at        time.Time
	header    http.Header
	body      []byte
}

// read reads the answer, or returns why it is left out.
func (c *captured) read(r *warc.Record) (reason string, err error) {
	if r.Type == "resource" {
		c.header = http.Header{"Content-Type": r.Header["Content-Type"]}
		c.body, err = io.ReadAll(r.Content)
		return "", err
	}
	response, err := r.Response()
	if err != nil {
		return "", err
	}
	if response.Status != http.StatusOK {
		return otherStatus, nil
	}
	c.header, c.body = response.Header, response.Body
	return "", nil
}

// keep keeps the records of an answer until all answers are read.
func (w *webArchive) keep(c captured) error {
	answer, err := client.ReadCaptured(c.address, c.operation, c.header, c.body)
	if err != nil {
		reason := noShape
		switch {
		case errors.Is(err, client.ErrNotJSON):
			reason = noJSON
		case errors.Is(err, client.ErrOther):
			reason = otherRecord
		case errors.Is(err, client.ErrSecret):
			reason = withKey
		}
		w.leaveOut(reason, c.place, false)
		return nil
	}
	kept := capture{at: c.at, part: list}
	switch {
	case c.operation.Keyword != "":
		kept.part = hit
	case c.operation.ID != "":
		kept.part = single
	}
	for range answer.Skipped {
		w.leaveOut(withoutID, c.place, false)
	}
	for _, raw := range answer.Records {
		id, err := wire.ID(raw)
		kind, failed := wire.Kind(c.operation.Group, raw)
		switch {
		case err != nil || failed != nil || id == "":
			w.leaveOut(withoutID, c.place, false)
		case kind == "":
			w.leaveOut(otherKind, c.place, false)
		default:
			kept.records = append(kept.records, piece{kind, raw})
		}
	}
	if len(kept.records) == 0 {
		return nil
	}
	return w.spool.add(kept)
}

// isToCome reports whether a capture is dated in the future: it would stay the newest.
func (w *webArchive) isToCome(r *warc.Record) bool {
	return r.Date.After(w.now.Add(24 * time.Hour))
}
