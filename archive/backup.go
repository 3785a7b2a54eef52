package archive

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"ayna/archive/database"
	"ayna/durable"
)

// backupDatabase is the name of the database in a backup. Its pictures are beside it, as
// those of each archive.
const backupDatabase = "archive.db"

// Copied counts what a backup holds.
type Copied struct {
	Pictures int
	Missing  int   // pictures whose files are gone
	Bytes    int64 // of database and pictures
}

// Backup writes a copy of the archive file and its pictures to a folder, as archive.db and
// media/, of one moment, whatever another process writes meanwhile. Pictures that an
// earlier backup has are not copied again, and those that no record has any more are
// removed. The database appears, or replaces the one before, when everything else is in
// place; ready is called before that. What a killed Backup has left, the next one uses or
// removes. PostgreSQL has tools of its own: Backup refuses it.
func (a *Archive) Backup(ctx context.Context, dir string, ready func() error) (n Copied, err error) {
	if !a.db.IsFile() {
		return n, fmt.Errorf("back up %s: only archives that are a file; copy the database with pg_dump, and the pictures in %s", a.Name(), a.Pictures.Dir())
	}
	if n, err = a.backup(ctx, dir, ready); err != nil {
		return n, fmt.Errorf("back up %s to %s: %w", a.Name(), dir, database.Classify(err))
	}
	return n, nil
}

func (a *Archive) backup(ctx context.Context, dir string, ready func() error) (n Copied, err error) {
	path := filepath.Join(dir, backupDatabase)
	_, media, err := database.Locate(path)
	if err != nil {
		return n, err
	}
	c, err := a.db.Copy(ctx, path)
	if err != nil {
		return n, err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	var sizes map[string]int64
	err = c.Read(func(q database.Reader) error {
		sizes, err = pictureSizes(ctx, q)
		return err
	})
	if err == nil {
		n, err = copyPictures(ctx, sizes, a.Pictures.Dir(), media)
	}
	if err == nil {
		n.Bytes += c.Bytes
		err = ready()
	}
	if err == nil {
		err = c.Publish()
	}
	if err != nil {
		return n, err
	}
	return n, keepPictures(media, sizes)
}

// copyPictures copies the pictures that are not in a folder yet. Their names follow from
// their bytes.
func copyPictures(ctx context.Context, sizes map[string]int64, from, to string) (n Copied, err error) {
	if err := os.MkdirAll(to, 0o755); err != nil {
		return n, err
	}
	for name, size := range sizes {
		if err := ctx.Err(); err != nil {
			return n, context.Cause(ctx)
		}
		err := fs.ErrNotExist
		if isPictureName(name) {
			err = copyPicture(ctx, filepath.Join(from, name), filepath.Join(to, name), size)
		}
		switch {
		case errors.Is(err, fs.ErrNotExist):
			n.Missing++
		case err != nil:
			return n, err
		default:
			n.Pictures++
			n.Bytes += size
		}
	}
	return n, nil
}

// isPictureName reports whether a name is that of a file in [Pictures.Dir], and does
// not lead elsewhere: archives may be of others.
func isPictureName(name string) bool {
	return filepath.IsLocal(name) && !strings.ContainsAny(name, `/\`) && !strings.HasPrefix(name, ".")
}

// copyPicture copies a file of that size, unless the place has it. One of another size is
// damaged, and counts as missing.
func copyPicture(ctx context.Context, from, to string, size int64) error {
	if !isFile(from, size) {
		return fs.ErrNotExist
	}
	if isFile(to, size) {
		return nil
	}
	f, err := os.Open(from)
	if err != nil {
		return err
	}
	defer f.Close()
	return durable.Write(to, func(copied *durable.File) error {
		_, err := io.Copy(copied, cancellable{ctx, f})
		return err
	})
}

// keepPictures removes the other files of a folder of pictures: those of records that are
// gone, and what a killed backup has left.
func keepPictures(dir string, sizes map[string]int64) error {
	entries, err := os.ReadDir(dir)
	for _, entry := range entries {
		if _, is := sizes[entry.Name()]; !is && entry.Type().IsRegular() {
			err = errors.Join(err, os.Remove(filepath.Join(dir, entry.Name())))
		}
	}
	return err
}

// cancellable is a reader that ends when its context does.
type cancellable struct {
	ctx context.Context
	io.Reader
}

func (r cancellable) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, context.Cause(r.ctx)
	}
	return r.Reader.Read(p)
}
