package fetch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"ayna/archive"
)

var (
	errUnchangedFile = errors.New("the file has not changed")
	errTooLarge      = errors.New("the file is larger than attachments.largest")
	errPerRun        = errors.New("attachments.per_run is used up")
	errCutOff        = errors.New("the answer ended before the file did")
	errStalled       = errors.New("the answer is too slow")
	errRestart       = errors.New("the file has changed while it was fetched")
)

// statusError is the status of an answer that has no file.
type statusError int

func (e statusError) Error() string {
	return fmt.Sprintf("the file's host answered with status %d", int(e))
}

// isResumable reports whether the rest of a file may come later: the host or the network fails.
func isResumable(err error) bool {
	status, network, address := statusError(0), (*net.OpError)(nil), (*url.Error)(nil)
	switch {
	case errors.As(err, &status):
		return status >= 500 || status == http.StatusTooManyRequests
	case errors.Is(err, errNotPublic):
		return false
	case errors.As(err, &network), errors.Is(err, errCutOff), errors.Is(err, errStalled):
		return true
	}
	return errors.As(err, &address) && (address.Timeout() || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF))
}

const (
	chunkSize = 64 << 10 // read and written at a time
	syncSize  = 16 << 20 // after so many bytes the file is synced: a power cut loses no more
	// mostResumed is how often a file that is cut off goes on in one run, and mostInVain how
	// often in a row without a byte, or from its beginning since it has changed.
	mostResumed, mostInVain = 20, 2
)

// askSize asks for the size of a file, and reports whether it is to be fetched.
func (a *attacher) askSize(ctx context.Context, file *archive.Download) (keep bool, err error) {
	response, err := a.send(ctx, http.MethodHead, file, nil)
	status := statusError(0)
	switch {
	case err == nil:
		response.Body.Close()
		file.Length = lengthOf(response)
	case errors.As(err, &status) && (status == http.StatusMethodNotAllowed || status == http.StatusNotImplemented || status == http.StatusForbidden || status == http.StatusBadRequest):
		// it answers no HEAD
	case ctx.Err() != nil:
		return false, context.Cause(ctx)
	default:
		return false, a.failed(ctx, file, err)
	}
	if file.Length > a.Attachments.Largest {
		a.count.TooLarge++
	}
	return file.Length <= a.Attachments.Largest, a.put(ctx, *file)
}

// lengthOf returns the length of an answer's whole file, -1 if it is unknown.
func lengthOf(response *http.Response) int64 {
	if response.Header.Get("Content-Encoding") != "" {
		return -1
	}
	return response.ContentLength
}

// send sends a request for a file. An error without an answer is a [url.Error].
func (a *attacher) send(ctx context.Context, method string, file *archive.Download, header http.Header) (*http.Response, error) {
	u, err := url.Parse(file.URL)
	if err == nil {
		err = a.mayVisit(u)
	}
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, method, file.URL, nil)
	if err != nil {
		return nil, err
	}
	if header != nil {
		request.Header = header
	}
	request.Header.Set("Accept-Encoding", "identity") // lengths and ranges are those of the file
	request.Header.Set("User-Agent", cmp.Or(a.UserAgent, "ayna"))
	a.count.Requests++
	response, err := a.client.Do(request)
	if err != nil {
		return nil, err
	}
	switch response.StatusCode {
	case http.StatusOK, http.StatusPartialContent, http.StatusNotModified, http.StatusRequestedRangeNotSatisfiable:
		return response, nil
	}
	response.Body.Close()
	return nil, statusError(response.StatusCode)
}

// download fetches a file, resumes it where it is cut off, and stores it.
func (a *attacher) download(ctx context.Context, file *archive.Download) (archive.Media, error) {
	if err := a.checkRoom(max(0, file.Length-file.Received)); err != nil {
		return archive.Media{}, err
	}
	inVain, restarts := 0, 0
	for range mostResumed {
		before := file.Received
		err := a.receive(ctx, file)
		if err == nil {
			return a.keep(file)
		}
		if inVain++; file.Received > before {
			inVain = 0
		}
		isRestart := errors.Is(err, errRestart)
		if isRestart {
			restarts++
		}
		if !isResumable(err) && !isRestart || max(inVain, restarts) > mostInVain || ctx.Err() != nil {
			return archive.Media{}, err
		}
		select {
		case <-time.After(firstBackoff << inVain / 4):
		case <-a.quota.stop:
			return archive.Media{}, errStopped
		}
	}
	return archive.Media{}, errCutOff
}

// receive sends one request for a file, or for the rest of it, and writes what comes to its part
// on the disk. file says then how far that is.
func (a *attacher) receive(ctx context.Context, file *archive.Download) (err error) {
	part, err := a.open(file)
	if err != nil {
		return inArchive(err)
	}
	defer func() { err = errors.Join(err, inArchive(part.Close())) }()
	if file.Length > 0 && file.Received == file.Length { // its end was not noticed
		return nil
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	patience := cmp.Or(a.Timeout, time.Minute)
	stall := time.AfterFunc(2*patience, func() { cancel(errStalled) })
	defer stall.Stop()
	response, err := a.send(ctx, http.MethodGet, file, conditions(file))
	if err != nil {
		return cmp.Or(stalled(ctx), err)
	}
	defer response.Body.Close()
	if err := a.accept(ctx, file, part, response); err != nil {
		return err
	}
	return a.copy(ctx, file, part, response.Body, func() { stall.Reset(patience) })
}

// stalled returns errStalled if that has ended a request.
func stalled(ctx context.Context) error {
	if errors.Is(context.Cause(ctx), errStalled) {
		return errStalled
	}
	return nil
}

// open opens the part of a file, which ends where the last sync was.
func (a *attacher) open(file *archive.Download) (*os.File, error) {
	part, err := os.OpenFile(a.archive.Attachments.Partial(file.URL), os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	info, err := part.Stat()
	if err == nil && file.Received > 0 && (info.Size() < file.Received || validator(file) == "") {
		reset(file)
	}
	if err == nil {
		err = part.Truncate(file.Received)
	}
	if err == nil {
		_, err = part.Seek(0, io.SeekEnd)
	}
	if err != nil {
		return nil, errors.Join(err, part.Close())
	}
	return part, nil
}

// validator returns what an If-Range may name (RFC 9110, section 13.1.5), "" if nothing.
func validator(file *archive.Download) string {
	if file.ETag != "" && !strings.HasPrefix(file.ETag, "W/") {
		return file.ETag
	}
	return file.Modified
}

// conditions are the headers of a request for the rest of a file, or for one that has changed.
func conditions(file *archive.Download) http.Header {
	header := make(http.Header)
	switch {
	case file.Received > 0:
		header.Set("Range", fmt.Sprintf("bytes=%d-", file.Received))
		header.Set("If-Range", validator(file))
	case file.Mirrored && file.ETag != "":
		header.Set("If-None-Match", file.ETag)
	case file.Mirrored && file.Modified != "":
		header.Set("If-Modified-Since", file.Modified)
	}
	return header
}

// accept compares the head of an answer with what is known of the file. After an answer that has
// the file from its beginning, the part is empty.
func (a *attacher) accept(ctx context.Context, file *archive.Download, part *os.File, response *http.Response) error {
	h := response.Header
	now := archive.Download{ETag: h.Get("ETag"), Modified: h.Get("Last-Modified"), Length: lengthOf(response)}
	restart := func() error {
		reset(file)
		return errors.Join(errRestart, a.put(ctx, *file))
	}
	switch response.StatusCode {
	case http.StatusNotModified:
		return errUnchangedFile
	case http.StatusRequestedRangeNotSatisfiable:
		return restart()
	case http.StatusPartialContent:
		total, ok := strings.CutPrefix(h.Get("Content-Range"), fmt.Sprintf("bytes %d-", file.Received))
		_, total, _ = strings.Cut(total, "/")
		n, err := strconv.ParseInt(total, 10, 64)
		if !ok || total != "*" && (err != nil || file.Length >= 0 && n != file.Length) || now.ETag != "" && file.ETag != "" && now.ETag != file.ETag {
			return restart()
		}
		return nil
	}
	if file.Mirrored && file.Received == 0 && isSame(file, &now) {
		return errUnchangedFile
	}
	if reset(file); now.Length >= 0 {
		file.Length = now.Length
	}
	if encoding := h.Get("Content-Encoding"); encoding != "" && encoding != "identity" {
		return fmt.Errorf("the file is encoded as %q, which was not asked for", encoding)
	}
	if file.Length > a.Attachments.Largest {
		return errTooLarge
	}
	if err := a.put(ctx, *file); err != nil {
		return err
	}
	_, err := part.Seek(0, io.SeekStart)
	if err = errors.Join(err, part.Truncate(0)); err != nil {
		return inArchive(err)
	}
	if err := a.checkRoom(max(0, file.Length)); err != nil {
		return err
	}
	file.ETag, file.Modified, file.Length = now.ETag, now.Modified, now.Length // kept with the first bytes
	return nil
}

// reset has a file fetched from its beginning. The headers of a version that is not here must not
// stay beside an earlier one that is mirrored: it would pass for unchanged.
func reset(file *archive.Download) {
	file.Received, file.ETag, file.Modified, file.Length = 0, "", "", -1
}

// isSame reports whether two answers are of the same version of a file.
func isSame(a, b *archive.Download) bool {
	if a.ETag != "" || b.ETag != "" {
		return a.ETag == b.ETag
	}
	return a.Modified == b.Modified && a.Length == b.Length && (a.Modified != "" || a.Length >= 0)
}
