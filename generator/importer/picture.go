package importer

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"ayna/archive"
	"ayna/generator/exchange"
	"ayna/generator/picture"
	"ayna/generator/sync"
	"ayna/generator/warc"
)

// ownPicture matches the names of mirrored pictures in a site.
var ownPicture = regexp.MustCompile(`^[0-9a-f]{32}\.(jpg|png|gif|webp)$`)

// storeOwnPicture stores a mirrored picture of a site, whose records follow.
func (w *webArchive) storeOwnPicture(r *warc.Record, name, place string) error {
	response, err := r.Response()
	if err != nil {
		return err
	}
	sum := sha256.Sum256(response.Body)
	if dir := w.archive.MediaDir(); dir != "" && strings.HasPrefix(name, hex.EncodeToString(sum[:16])+".") {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
		_, err = sync.StorePicture(dir, response.Body)
	} else if dir != "" {
		err = errors.New("its bytes do not have the digest in its name")
	}
	if err != nil && !errors.As(err, new(*fs.PathError)) {
		w.leaveOut(damagedPicture, place, true)
		return nil
	}
	return err
}

// mediaOf returns the pictures of a line that the file had.
func (w *webArchive) mediaOf(l exchange.Line, at time.Time) (all []archive.Media, err error) {
	dir := w.archive.MediaDir()
	for address, name := range l.Media {
		if dir == "" || !ownPicture.MatchString(name) {
			continue
		}
		media, err := readMedia(filepath.Join(dir, name))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		media.URL, media.Name, media.Fetched = address, name, at
		all = append(all, media)
	}
	return all, nil
}

func readMedia(path string) (archive.Media, error) {
	file, err := os.Open(path)
	if err != nil {
		return archive.Media{}, err
	}
	defer file.Close()
	shape, err := picture.ReadInfo(file)
	if err != nil {
		return archive.Media{}, err
	}
	info, err := file.Stat()
	if err != nil {
		return archive.Media{}, err
	}
	return archive.Media{Type: "image/" + shape.Format, Width: shape.Width, Height: shape.Height, Bytes: info.Size()}, nil
}

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
