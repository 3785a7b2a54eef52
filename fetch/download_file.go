package fetch

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"ayna/archive"
	"ayna/attachment"
	"ayna/durable"
)

// copy appends the body of an answer to the part of a file. goes is called when some of it has
// come.
func (a *attacher) copy(ctx context.Context, file *archive.Download, part *os.File, body io.Reader, goes func()) error {
	buffer, unsynced := make([]byte, chunkSize), int64(0)
	size := file.Received
	save := func() error {
		if err := part.Sync(); err != nil {
			return inArchive(err)
		}
		if file.Received, unsynced = size, 0; size == 0 {
			reset(file) // nothing is here of the version that the headers name
		}
		return a.put(ctx, *file)
	}
	for {
		n, err := fill(body, buffer)
		a.count.Bytes += int64(n)
		if size == 0 && (n > 0 || err != nil) {
			if _, err := attachment.Sniff(buffer[:min(n, attachment.HeadSize)], file.URL); err != nil && (n >= attachment.HeadSize || errors.Is(err, attachment.ErrWebPage)) {
				return err
			}
		}
		if _, err := part.Write(buffer[:n]); err != nil {
			return inArchive(fmt.Errorf("attachment %s: %w", file.URL, err))
		}
		size, unsynced = size+int64(n), unsynced+int64(n)
		over := a.limit(size)
		switch {
		case err != nil || over != nil:
			return cmp.Or(save(), over, a.ending(ctx, file, err))
		case unsynced >= syncSize:
			if err := cmp.Or(save(), a.checkRoom(max(0, file.Length-size))); err != nil {
				return err
			}
		}
		goes()
		a.progress("attachments", int(a.count.Bytes), int(max(a.planned, a.count.Bytes)))
	}
}

// fill reads until a buffer is full. Unlike io.ReadFull it returns the error as it came: whether an
// answer is whole.
func fill(body io.Reader, buffer []byte) (n int, err error) {
	for n < len(buffer) && err == nil {
		var more int
		more, err = body.Read(buffer[n:])
		n += more
	}
	return n, err
}

// limit returns why a file of a size must not go on.
func (a *attacher) limit(size int64) error {
	select {
	case <-a.quota.stop:
		return errStopped
	default:
	}
	switch {
	case size > a.Attachments.Largest:
		return errTooLarge
	case a.count.Bytes > a.Attachments.PerRun:
		return errPerRun
	}
	return nil
}

// ending says how an answer that ended with err has ended.
func (a *attacher) ending(ctx context.Context, file *archive.Download, err error) error {
	switch {
	case stalled(ctx) != nil:
		return errStalled
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.Is(err, io.EOF) && (file.Length < 0 || file.Received == file.Length):
		file.Length = file.Received
		return nil
	case file.Length >= 0 && file.Received > file.Length:
		return fmt.Errorf("%w: it has more bytes than announced", errRestart)
	}
	return fmt.Errorf("%w: %d of %d bytes", errCutOff, file.Received, file.Length)
}

// keep gives a whole file its name, after its digest and type, in the folder of pictures.
func (a *attacher) keep(file *archive.Download) (archive.Media, error) {
	partial := a.archive.Attachments.Partial(file.URL)
	name, format, err := nameOf(partial, file.URL)
	if errors.Is(err, attachment.ErrEmpty) || errors.Is(err, attachment.ErrFormat) || errors.Is(err, attachment.ErrWebPage) {
		return archive.Media{}, err
	}
	if err == nil {
		err = os.Chmod(partial, 0o644) // the umask may be stricter
	}
	if err == nil {
		err = durable.Rename(partial, filepath.Join(a.dir, name))
	}
	return archive.Media{Name: name, Type: format.Type, Bytes: file.Received}, inArchive(err)
}

// nameOf returns the name that a file gets, and its format.
func nameOf(path, address string) (string, attachment.Format, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", attachment.Format{}, err
	}
	defer f.Close()
	head := make([]byte, attachment.HeadSize)
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return "", attachment.Format{}, err
	}
	format, err := attachment.Sniff(head[:n], address)
	if err != nil {
		return "", format, err
	}
	h := sha256.New()
	h.Write(head[:n])
	if _, err := io.CopyBuffer(h, f, make([]byte, chunkSize)); err != nil {
		return "", format, err
	}
	return hex.EncodeToString(h.Sum(nil)[:16]) + "." + format.Extension, format, nil
}
