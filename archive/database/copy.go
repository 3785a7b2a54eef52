package database

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"ayna/durable"
)

// Copy is a copy of a file's database that is being made. It holds the lock of the place where
// it will appear.
type Copy struct {
	Bytes int64

	part, to *sqlite
}

// IsFile reports whether the database is a file, or in memory.
func (d *DB) IsFile() bool {
	_, ok := d.engine.(*sqlite)
	return ok
}

// Copy copies the database of a file to a place beside path, as of one moment, whatever another
// process writes meanwhile. Close it. What a killed copy has left, the next one removes.
func (d *DB) Copy(ctx context.Context, path string) (*Copy, error) {
	c := &Copy{part: &sqlite{path: path + ".part"}, to: &sqlite{path: path}}
	if err := c.to.takeLock(); err != nil {
		return nil, err
	}
	err := c.part.remove()
	if err == nil {
		_, err = d.readers.ExecContext(ctx, `VACUUM INTO $1`, c.part.path)
	}
	if err == nil {
		c.Bytes, err = sizeOf(c.part.path)
	}
	if err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

func sizeOf(name string) (int64, error) {
	info, err := os.Stat(name)
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// Path returns the place where the copy will appear.
func (c *Copy) Path() string { return c.to.path }

// Read calls read with the content of the copy.
func (c *Copy) Read(read func(Reader) error) error {
	db, err := c.part.openReaders()
	if err != nil {
		return err
	}
	defer db.Close() // its file could not be renamed on every system
	return read(db)
}

// Publish has the copy appear in its place, or replace the database there.
func (c *Copy) Publish() error {
	// The log of the database before would be taken for one of the new database.
	return errors.Join(removed(c.to.path+"-wal"), removed(c.to.path+"-shm"), durable.Rename(c.part.path, c.to.path))
}

// Close removes a copy that was not published, and releases the lock.
func (c *Copy) Close() error { return errors.Join(c.part.remove(), c.to.release()) }

// remove removes a database that is not in use, and the journal that a killed process has
// left: SQLite would apply it to the next database of that name.
func (s *sqlite) remove() error {
	return errors.Join(removed(s.path+"-journal"), removed(s.path))
}

// removed removes a file that need not exist.
func removed(name string) error {
	if err := os.Remove(name); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
