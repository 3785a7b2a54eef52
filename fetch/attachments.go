package fetch

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ayna/archive"
	"ayna/attachment"
	"ayna/record"
)

// Attachments are the settings for documents, sounds and films.
type Attachments struct {
	Kinds   []attachment.Kind // without one nothing is fetched
	Largest int64             // bytes of a file
	PerRun  int64             // bytes of all files that a run fetches
	Free    func(dir string) (bytes uint64, err error)
}

// ErrRoom ends a run after everything else: attachments do not fit on the disk. The site can be
// published.
var ErrRoom = errors.New("there is too little space for attachments")

// IsComplete reports whether the site can be published although a run ended with an error: its
// limits, or the space for attachments, left something to later runs.
func IsComplete(err error) bool { return errors.Is(err, ErrBudget) || errors.Is(err, ErrRoom) }

// AttachmentCount counts the attachments of a run.
type AttachmentCount struct {
	Fetched   int   `json:"fetched"`
	Unchanged int   `json:"unchanged"` // asked for again
	Failed    int   `json:"failed"`
	TooLarge  int   `json:"too_large"` // not fetched
	Waiting   int   `json:"waiting"`   // for later runs
	Requests  int   `json:"requests"`
	Bytes     int64 `json:"bytes"` // received
}

const (
	// mostFiles is the number of files that a run begins with, and mostAgain of those that it asks
	// for again.
	mostFiles, mostAgain = 1000, 100
	// askAgain is the time until a file is asked for again; it doubles with each time that it had
	// not changed, or failed, mostDoubled times at most.
	askAgain    = 24 * time.Hour
	mostDoubled = 6
	// spare is the space that attachments leave on a disk, in bytes.
	spare = 32 << 20
	// announced is the number of bytes from which a run says what is to come.
	announced = 10_000_000
)

// attacher fetches the attachments of a run, one after the other.
type attacher struct {
	*syncer
	dir     string
	client  *http.Client
	hosts   []string // the source's own
	count   AttachmentCount
	planned int64 // bytes
	down    int   // failures in a row of the kind that other files would have, too
}

// mirrorAttachments fetches the documents, sounds and films that records link or play at the
// source's own hosts, those of the newest records first. Then it asks whether some of those that
// are mirrored have changed.
func (s *syncer) mirrorAttachments(ctx context.Context) (err error) {
	dir := s.archive.Pictures.Dir()
	if len(s.Attachments.Kinds) == 0 || dir == "" {
		return nil
	}
	a := &attacher{syncer: s, dir: dir, client: s.webClient(0)}
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.report.Attachments = &a.count
	}()
	if err := a.begin(ctx); err != nil {
		return err
	}
	files, err := a.plan(ctx)
	if err != nil {
		return err
	}
	again, err := checked(s.archive.Attachments.Again(ctx, s.Now(), mostAgain, s.Attachments.Kinds))
	if err != nil {
		return err
	}
	for i, file := range slices.Concat(files, again) {
		if a.isOver() {
			a.count.Waiting += max(0, len(files)-i)
			break
		}
		if err := a.mirror(ctx, file); err != nil {
			a.count.Waiting += max(0, len(files)-i)
			return err
		}
	}
	return nil
}

// begin makes the folders, has lost files fetched again, and removes parts of files that no
// record links any more.
func (a *attacher) begin(ctx context.Context) error {
	if err := os.MkdirAll(filepath.Dir(a.archive.Attachments.Partial("")), 0o755); err != nil {
		return inArchive(err)
	}
	if !a.Pictures { // otherwise mirrorPictures has done it
		if err := a.archive.Pictures.RefetchLost(ctx); err != nil {
			return inArchive(err)
		}
	}
	unlinked, err := checked(a.archive.Attachments.Unlinked(ctx))
	if err != nil {
		return err
	}
	for _, address := range unlinked {
		if err := os.RemoveAll(a.archive.Attachments.Partial(address)); err != nil {
			return inArchive(err)
		}
		if err := a.put(ctx, archive.Download{URL: address, Length: -1}); err != nil {
			return err
		}
	}
	a.hosts, err = checked(a.archive.Attachments.Hosts(ctx))
	return err
}

// isOwn reports whether an address is at a host of the source: its own one with those below it,
// or one where many of its records or pictures are.
func (a *attacher) isOwn(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	host, own := strings.ToLower(u.Host), strings.TrimPrefix(strings.ToLower(a.origin.Host), "www.")
	return host == own || strings.HasSuffix(host, "."+own) || slices.Contains(a.hosts, host)
}

// isOver reports whether no further file is to be fetched in this run.
func (a *attacher) isOver() bool {
	select {
	case <-a.quota.stop:
		return true
	default:
		return a.down >= breakerLimit || a.count.Bytes >= a.Attachments.PerRun
	}
}

// plan returns the files that fit into this run. It asks for the sizes of those that it has not
// heard of, and says how much is to come.
func (a *attacher) plan(ctx context.Context) (files []archive.Download, err error) {
	missing, more, err := a.archive.Attachments.Missing(ctx, a.Now(), a.Attachments.Largest, mostFiles, func(kind record.Kind, paths []string, file record.Attachment) bool {
		return slices.Contains(a.Attachments.Kinds, file.Kind) && a.wants(kind, paths) && a.isOwn(file.URL)
	})
	if err != nil {
		return nil, inArchive(err)
	}
	a.count.Waiting = more
	unknown := 0
	for i, file := range missing {
		if a.isOver() {
			a.count.Waiting += len(missing) - i
			break
		}
		if file.Length < 0 && file.Tries == 0 {
			keep, err := a.askSize(ctx, &file)
			if err != nil {
				return nil, err
			}
			if !keep {
				continue
			}
		}
		rest := max(0, file.Length-file.Received)
		if a.planned+rest > a.Attachments.PerRun {
			a.count.Waiting += len(missing) - i
			break
		}
		if file.Length < 0 {
			unknown++
		}
		a.planned += rest
		files = append(files, file)
	}
	return files, a.announce(len(files), unknown)
}

// announce says how much is to come and whether it fits.
func (a *attacher) announce(files, unknown int) error {
	free, err := a.free()
	if err != nil || a.planned < announced && uint64(a.planned)+spare <= free {
		return err
	}
	note := fmt.Sprintf("attachments: %d files to fetch, %.1f MB", files, float64(a.planned)/1e6)
	if unknown > 0 {
		note += fmt.Sprintf(" and %d of unknown size", unknown)
	}
	if a.count.Waiting > 0 {
		note += fmt.Sprintf("; %d wait for later runs", a.count.Waiting)
	}
	if free < noLimit {
		note += fmt.Sprintf("; %.1f MB are free in %s", float64(free)/1e6, a.dir)
	}
	if uint64(a.planned)+spare > free {
		note += ", which is too little for all of them"
	}
	a.Progress(Progress{Stage: "attachments", Note: note, Left: -1})
	return nil
}

// noLimit is the free space where it is not known.
const noLimit = 1 << 62

func (a *attacher) free() (uint64, error) {
	if a.Attachments.Free == nil {
		return noLimit, nil
	}
	bytes, err := a.Attachments.Free(a.dir)
	return min(bytes, noLimit), inArchive(err)
}

// checkRoom returns [ErrRoom] if so many more bytes do not fit on the disk.
func (a *attacher) checkRoom(rest int64) error {
	free, err := a.free()
	if err != nil || uint64(rest)+spare <= free {
		return err
	}
	return fmt.Errorf("%w: the next file takes %.1f MB, and %.1f MB are free in %s, of which %d MB are kept; make room, or lower attachments.per_run",
		ErrRoom, float64(rest)/1e6, float64(free)/1e6, a.dir, spare>>20)
}

// put stores what is known of a file.
func (a *attacher) put(ctx context.Context, file archive.Download) error {
	return a.update(ctx, func(tx *archive.Tx) error { return tx.PutDownload(file) })
}

// mirror fetches a file, or what it lacks of it, and stores the outcome. The error ends the run.
func (a *attacher) mirror(ctx context.Context, file archive.Download) error {
	media, err := a.download(ctx, &file)
	switch {
	case err == nil:
		a.down = 0
		a.count.Fetched++
		file.Due, file.Tries, file.Received = a.Now().Add(askAgain), 0, 0
		media.URL, media.Fetched = file.URL, a.Now()
		return inArchive(a.archive.Attachments.Put(context.WithoutCancel(ctx), media, file))
	case errors.Is(err, errUnchangedFile):
		a.down = 0
		a.count.Unchanged++
		if err := os.RemoveAll(a.archive.Attachments.Partial(file.URL)); err != nil {
			return inArchive(err)
		}
		return a.postpone(ctx, &file)
	case errors.Is(err, errPerRun), errors.Is(err, errStopped):
		a.count.Waiting++
		return nil
	case errors.Is(err, ErrRoom), errors.Is(err, errArchive), ctx.Err() != nil:
		return err
	case isOutOfFiles(err):
		return fmt.Errorf("%w: attachment %s: %w", errMachine, file.URL, err)
	}
	return a.failed(ctx, &file, err)
}

// postpone schedules a file, later with each time.
func (a *attacher) postpone(ctx context.Context, file *archive.Download) error {
	file.Due = a.Now().Add(askAgain << min(file.Tries, mostDoubled))
	file.Tries++
	return a.put(ctx, *file)
}

// failed stores and reports why a file is not mirrored, or not its latest version.
func (a *attacher) failed(ctx context.Context, file *archive.Download, reason error) error {
	if errors.Is(reason, errTooLarge) {
		a.count.TooLarge++
	} else {
		a.count.Failed++
		a.fail(Failure{ID: file.URL, Operation: "attachment"}, reason)
	}
	if a.down++; !isResumable(reason) {
		a.down = 0
		length := file.Length
		if reset(file); errors.Is(reason, errTooLarge) && !file.Mirrored {
			file.Length = length // and it is not asked for again until attachments.largest is more
		}
		if err := os.RemoveAll(a.archive.Attachments.Partial(file.URL)); err != nil {
			return inArchive(err)
		}
	}
	if err := a.postpone(ctx, file); err != nil || file.Mirrored {
		return err
	}
	problem := archive.Media{URL: file.URL, Fetched: a.Now(), Problem: a.source.KeyGuard().Hide(reason.Error())}
	return a.update(ctx, func(tx *archive.Tx) error { return tx.PutMedia(problem) })
}
