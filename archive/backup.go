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
	if _, ok := a.engine.(*sqlite); !ok {
		return n, fmt.Errorf("back up %s: only archives that are a file; copy the database with pg_dump, and the pictures in %s", a.Name(), a.MediaDir())
	}
	if n, err = a.backup(ctx, &sqlite{path: filepath.Join(dir, backupDatabase)}, ready); err != nil {
		return n, fmt.Errorf("back up %s to %s: %w", a.Name(), dir, Explain(err))
	}
	return n, nil
}

func (a *Archive) backup(ctx context.Context, to *sqlite, ready func() error) (n Copied, err error) {
	if err := to.takeLock(); err != nil {
		return n, err
	}
	defer func() { err = errors.Join(err, to.release()) }()
	part := &sqlite{path: to.path + ".part"}
	if err := os.Remove(part.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return n, err
	}
	if _, err := a.readers.ExecContext(ctx, `VACUUM INTO ?`, part.path); err != nil {
		return n, errors.Join(err, removed(part.path))
	}
	names, size, err := part.pictures(ctx)
	if err == nil {
		n, err = copyPictures(ctx, names, a.MediaDir(), to.media())
	}
	if err == nil {
		n.Bytes += size
		err = ready()
	}
	if err != nil {
		return n, errors.Join(err, removed(part.path))
	}
	// The log of the database before would be taken for one of the new database.
	if err := errors.Join(removed(to.path+"-wal"), removed(to.path+"-shm"), os.Rename(part.path, to.path), syncDir(filepath.Dir(to.path))); err != nil {
		return n, err
	}
	return n, keepPictures(to.media(), names)
}

// removed removes a file that need not exist.
func removed(name string) error {
	if err := os.Remove(name); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// pictures flushes a complete database to the disk, and returns its size and the names of
// its pictures.
func (s *sqlite) pictures(ctx context.Context) (names map[string]bool, size int64, err error) {
	f, err := os.OpenFile(s.path, os.O_RDWR, 0)
	if err != nil {
		return nil, 0, err
	}
	info, err := f.Stat()
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return nil, 0, err
	}
	db, err := s.openReaders()
	if err != nil {
		return nil, 0, err
	}
	defer db.Close() // its file could not be renamed on every system
	names = make(map[string]bool)
	for name, err := range each(ctx, db, "read pictures", column[string], `SELECT DISTINCT name FROM media WHERE name <> ''`) {
		if err != nil {
			return nil, 0, err
		}
		names[name] = true
	}
	return names, info.Size(), nil
}

// copyPictures copies the pictures that are not in a folder yet. Their names follow from
// their bytes.
func copyPictures(ctx context.Context, names map[string]bool, from, to string) (n Copied, err error) {
	if err := os.MkdirAll(to, 0o755); err != nil {
		return n, err
	}
	for name := range names {
		if err := ctx.Err(); err != nil {
			return n, context.Cause(ctx)
		}
		size, err := int64(0), fs.ErrNotExist
		if isPictureName(name) {
			size, err = copyPicture(ctx, filepath.Join(from, name), filepath.Join(to, name))
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
	return n, syncDir(to)
}

// isPictureName reports whether a name is that of a file in [Archive.MediaDir], and does
// not lead elsewhere: archives may be of others.
func isPictureName(name string) bool {
	return filepath.IsLocal(name) && !strings.ContainsAny(name, `/\`) && !strings.HasPrefix(name, ".")
}

// copyPicture copies a file that the place does not have in its size, and returns that.
func copyPicture(ctx context.Context, from, to string) (int64, error) {
	info, err := os.Lstat(from)
	if err == nil && !info.Mode().IsRegular() {
		return 0, fs.ErrNotExist // nothing that a build has written
	}
	if err != nil {
		return 0, err
	}
	if there, err := os.Lstat(to); err == nil && there.Mode().IsRegular() && there.Size() == info.Size() {
		return info.Size(), nil
	}
	f, err := os.Open(from)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	return writeSynced(to, cancellable{ctx, f})
}

// keepPictures removes the other files of a folder of pictures: those of records that are
// gone, and what a killed backup has left.
func keepPictures(dir string, names map[string]bool) error {
	entries, err := os.ReadDir(dir)
	for _, entry := range entries {
		if !names[entry.Name()] && entry.Type().IsRegular() {
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

// writeSynced writes a file that is whole or has the name.tmp, and returns its size.
func writeSynced(name string, content io.Reader) (int64, error) {
	temp := name + ".tmp"
	f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		return 0, err
	}
	n, err := io.Copy(f, content)
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = os.Rename(temp, name)
	}
	if err != nil {
		os.Remove(temp)
	}
	return n, err
}

// syncDir makes the names in a folder outlast a power cut. Some systems cannot.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	if err := d.Sync(); err != nil && !errors.Is(err, errors.ErrUnsupported) && !errors.Is(err, fs.ErrInvalid) && !errors.Is(err, fs.ErrPermission) {
		return err
	}
	return nil
}
