package archive

import (
	"archive/tar"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/gofrs/flock"
	"github.com/klauspost/compress/zstd"
)

// Names in a backup: the database, then the pictures.
const (
	backupDatabase = "archive.db"
	backupMedia    = "media/"
)

// Copied counts what a backup holds.
type Copied struct {
	Pictures int
	Missing  int   // pictures whose files are gone
	Bytes    int64 // of database and pictures
}

// Backup writes a copy of the archive file and its pictures to file: a tar archive (POSIX
// pax) with archive.db and media/, compressed with zstd (RFC 8878). The database is that
// of one moment, whatever another process writes meanwhile. The file appears when it is
// complete. What a killed Backup has left beside it, the next one removes. PostgreSQL has
// tools of its own: Backup refuses it.
func (a *Archive) Backup(ctx context.Context, file string) (n Copied, err error) {
	if _, ok := a.engine.(*sqlite); !ok {
		return n, fmt.Errorf("back up %s: only archives that are a file; copy the database with pg_dump, and the pictures in %s", a.Name(), a.MediaDir())
	}
	if n, err = a.backup(ctx, file); err != nil {
		return n, fmt.Errorf("back up %s to %s: %w", a.Name(), file, Explain(err))
	}
	return n, nil
}

func (a *Archive) backup(ctx context.Context, file string) (n Copied, err error) {
	work := filepath.Join(filepath.Dir(file), "."+filepath.Base(file)+".part")
	if err := os.Mkdir(work, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return n, err
	}
	lock := flock.New(filepath.Join(work, "lock"))
	if held, err := lock.TryLock(); err != nil || !held {
		return n, errors.Join(fmt.Errorf("another backup writes there: %w", ErrLocked), err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work), lock.Unlock()) }()
	database, packed := filepath.Join(work, backupDatabase), filepath.Join(work, "packed")
	if err := errors.Join(os.RemoveAll(database), os.RemoveAll(packed)); err != nil {
		return n, err
	}
	if _, err := a.readers.ExecContext(ctx, `VACUUM INTO ?`, database); err != nil {
		return n, err
	}
	out, err := os.Create(packed)
	if err != nil {
		return n, err
	}
	n, err = a.writeBackup(ctx, database, out)
	if err = errors.Join(err, out.Sync(), out.Close()); err == nil {
		err = os.Rename(packed, file)
	}
	return n, err
}

// writeBackup writes a copy of the database and the pictures to w.
func (a *Archive) writeBackup(ctx context.Context, database string, w io.Writer) (n Copied, err error) {
	compressed, err := zstd.NewWriter(w)
	if err != nil {
		return n, err
	}
	out := tar.NewWriter(compressed)
	if n.Bytes, err = addFile(ctx, out, backupDatabase, database); err != nil {
		return n, err
	}
	for name, err := range each(ctx, a.read, "read pictures", column[string], `SELECT DISTINCT name FROM media WHERE name <> '' ORDER BY name`) {
		if err != nil {
			return n, err
		}
		size, err := int64(0), fs.ErrNotExist
		if isPictureName(name) {
			size, err = addFile(ctx, out, backupMedia+name, filepath.Join(a.MediaDir(), name))
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
	return n, errors.Join(out.Close(), compressed.Close())
}

// isPictureName reports whether a name is that of a file in [Archive.MediaDir], and does
// not lead elsewhere: archives and backups may be of others.
func isPictureName(name string) bool {
	return filepath.IsLocal(name) && !strings.ContainsAny(name, `/\`) && !strings.HasPrefix(name, ".")
}

// addFile adds a file to a tar archive and returns its size.
func addFile(ctx context.Context, out *tar.Writer, name, file string) (int64, error) {
	f, err := os.Open(file)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	header := tar.Header{Name: name, Mode: 0o644, Size: info.Size(), ModTime: info.ModTime()}
	if err := out.WriteHeader(&header); err != nil {
		return 0, err
	}
	return io.Copy(out, cancellable{ctx, f})
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

// Errors of [Restore].
var (
	ErrBackup = errors.New("the file is no backup, or a damaged one")
	ErrExists = errors.New("there is an archive already; move it away, or name another archive in site.yaml")
)

// Restore creates the archive that name names from a backup. The archive must not
// exist, and appears when everything is in place: what a restore that was cut short has
// left, the next one replaces.
func Restore(ctx context.Context, name string, backup io.Reader) (n Copied, err error) {
	e, err := engineOf(name)
	if err != nil {
		return n, fmt.Errorf("create the archive: %w", err)
	}
	s, ok := e.(*sqlite)
	if !ok {
		return n, fmt.Errorf("create the archive %s: only archives that are a file; restore a database with pg_restore", e.name())
	}
	if n, err = s.restore(ctx, backup); err != nil {
		return n, fmt.Errorf("create the archive %s: %w", s.path, err)
	}
	return n, nil
}

func (s *sqlite) restore(ctx context.Context, backup io.Reader) (n Copied, err error) {
	if err := s.takeLock(); err != nil {
		return n, err
	}
	defer func() { err = errors.Join(err, s.release()) }()
	for _, file := range []string{s.path, s.path + "-wal"} {
		if _, err := os.Lstat(file); !errors.Is(err, fs.ErrNotExist) {
			return n, ErrExists
		}
	}
	if err := os.MkdirAll(s.media(), 0o755); err != nil {
		return n, err
	}
	part := s.path + ".part"
	defer os.Remove(part)
	if n, err = s.extract(ctx, backup, part); err != nil {
		return n, err
	}
	db, err := (&sqlite{path: part}).openReaders()
	if err != nil {
		return n, err
	}
	version, err := s.version(ctx, db)
	if err = errors.Join(err, db.Close()); err == nil {
		err = checkVersion(version)
	}
	if err != nil {
		return n, Explain(err)
	}
	return n, os.Rename(part, s.path)
}

// extract writes the database of a backup to the file part, and its pictures to their
// places.
func (s *sqlite) extract(ctx context.Context, backup io.Reader, part string) (n Copied, err error) {
	compressed, err := zstd.NewReader(backup)
	if err != nil {
		return n, fmt.Errorf("%w: %w", ErrBackup, err)
	}
	defer compressed.Close()
	files := tar.NewReader(compressed)
	complete := false
	for {
		header, err := files.Next()
		if errors.Is(err, io.EOF) && complete { // of the tar archive; the checksum follows
			_, err = io.Copy(io.Discard, compressed)
			if err == nil {
				return n, nil
			}
		}
		if err != nil {
			return n, fmt.Errorf("%w: %w", ErrBackup, err)
		}
		to := part
		picture, isPicture := strings.CutPrefix(header.Name, backupMedia)
		switch {
		case header.Name == backupDatabase && !complete:
			complete = true
		case isPicture && complete && isPictureName(picture):
			to = filepath.Join(s.media(), picture)
			n.Pictures++
		default:
			return n, fmt.Errorf("%w: %q does not belong into it", ErrBackup, header.Name)
		}
		if header.Typeflag != tar.TypeReg {
			return n, fmt.Errorf("%w: %q is no regular file", ErrBackup, header.Name)
		}
		size, err := writeSynced(to, cancellable{ctx, files})
		if err != nil {
			if path := (*fs.PathError)(nil); ctx.Err() == nil && !errors.As(err, &path) { // not of the disk
				err = fmt.Errorf("%w: %w", ErrBackup, err)
			}
			return n, err
		}
		n.Bytes += size
	}
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
