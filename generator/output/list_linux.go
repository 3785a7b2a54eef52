package output

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// view is a directory that is only listed: a descriptor, where an [os.Root]
// takes several calls of the system. Most folders of a site stay as they are.
type view struct {
	fd   int
	name string // on this machine, for errors
}

// view opens the directory to be listed.
func (f *folder) view() (*view, error) {
	dir, err := f.fd()
	if err != nil {
		return nil, err
	}
	return (&view{dir, f.name}).child(".")
}

// child opens a directory in the directory, which is no link.
func (v *view) child(name string) (*view, error) {
	const flags = unix.O_RDONLY | unix.O_DIRECTORY | unix.O_NOFOLLOW | unix.O_CLOEXEC
	for {
		fd, err := unix.Openat(v.fd, name, flags, 0)
		switch {
		case err == nil:
			return &view{fd, filepath.Join(v.name, name)}, nil
		case err != unix.EINTR:
			return nil, &os.PathError{Op: "open", Path: filepath.Join(v.name, name), Err: err}
		}
	}
}

func (v *view) close() { unix.Close(v.fd) }

// list lists the directory, in no order, with what the directory itself says
// of its entries (getdents(2)): to ask for each of them would take much longer
// than all the rest that is done about a file that has not changed.
func (v *view) list() ([]listed, error) {
	var all []listed
	buffer := make([]byte, 32<<10)
	for {
		n, err := unix.ReadDirent(v.fd, buffer)
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return nil, os.NewSyscallError("list "+v.name, err)
		}
		if n == 0 {
			return all, nil
		}
		// One string for all the names: they are let go of together.
		records := string(buffer[:n])
		for at := 0; at < n; {
			length := int(binary.NativeEndian.Uint16(buffer[at+16:]))
			if e, ok := parseDirent(buffer[at:at+length], records[at:at+length]); ok {
				if e.kind == unknownKind {
					e.kind = v.kindOf(e.name)
				}
				all = append(all, e)
			}
			at += length
		}
	}
}

// kindOf asks for the kind of an entry of which the directory does not say it.
func (v *view) kindOf(name string) kind {
	var stat unix.Stat_t
	if err := unix.Fstatat(v.fd, name, &stat, unix.AT_SYMLINK_NOFOLLOW); err != nil {
		return otherKind
	}
	switch stat.Mode & unix.S_IFMT {
	case unix.S_IFDIR:
		return dirKind
	case unix.S_IFREG:
		return fileKind
	}
	return otherKind
}

// parseDirent reads a struct linux_dirent64: inode, offset, length, type, and
// a name that ends in a zero. text is the record again.
func parseDirent(record []byte, text string) (listed, bool) {
	name, _, _ := strings.Cut(text[19:], "\x00")
	e := listed{name: name, inode: binary.NativeEndian.Uint64(record)}
	switch record[18] {
	case unix.DT_DIR:
		e.kind = dirKind
	case unix.DT_REG:
		e.kind = fileKind
	case unix.DT_UNKNOWN:
		e.kind = unknownKind
	}
	return e, e.name != "." && e.name != ".."
}

// isFile reports whether a regular file of that size is there.
func (f *folder) isFile(name string, size int64) bool {
	dir, err := f.fd()
	if err != nil {
		return false
	}
	var stat unix.Stat_t
	err = unix.Fstatat(dir, name, &stat, unix.AT_SYMLINK_NOFOLLOW)
	return err == nil && stat.Mode&unix.S_IFMT == unix.S_IFREG && stat.Size == size
}
