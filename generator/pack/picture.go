package pack

import (
	"context"
	"errors"
	"io/fs"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"ayna/archive"
	"ayna/generator/sync"
	"ayna/generator/warc"
)

// pictures reads the files of a web archive once more, for pictures that records show:
// these are known now.
func (w *webArchive) pictures(ctx context.Context, files []warcFile) error {
	dir := w.archive.MediaDir()
	if dir == "" {
		return nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	reported := w.done.LeftOut // the second time reports it again
	w.again, w.done.LeftOut = true, nil
	defer func() {
		isOld := func(l LeftOut) bool { return l.Reason != damagedPicture }
		w.done.LeftOut = append(reported, slices.DeleteFunc(w.done.LeftOut, isOld)...)
	}()
	for _, file := range files {
		err := w.each(ctx, file, func(ctx context.Context, r *warc.Record, place string) error { return w.picture(ctx, r, place, dir) })
		if err != nil {
			return err
		}
	}
	return nil
}

// picture stores a picture that a record shows, unless the archive has one as new.
func (w *webArchive) picture(ctx context.Context, r *warc.Record, place, dir string) error {
	if r.Type != "response" || w.isToCome(r) {
		return nil
	}
	known, shown, err := w.archive.MediaAt(ctx, r.URI)
	if other, ok := strings.CutPrefix(r.URI, "https:"); err == nil && ok && !shown { // it may have moved there
		known, shown, err = w.archive.MediaAt(ctx, "http:"+other)
	}
	at := r.Date.UTC().Truncate(time.Millisecond)
	if err != nil || !shown || !known.Fetched.IsZero() && !at.After(known.Fetched) {
		return err
	}
	response, err := r.Response()
	if err != nil {
		w.leaveOut(damagedPicture, place, true)
		return nil
	}
	if response.Status != http.StatusOK {
		return nil
	}
	media, err := sync.StorePicture(dir, response.Body)
	if errors.As(err, new(*fs.PathError)) {
		return err
	}
	if err != nil {
		return nil // it is no picture, or one that no page shows
	}
	media.URL, media.Fetched = known.URL, at
	if err := w.archive.Update(ctx, func(tx *archive.Tx) error { return tx.PutMedia(media) }); err != nil {
		return err
	}
	w.done.Pictures++
	return nil
}
