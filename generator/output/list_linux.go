package output

import (
	"bytes"
	"encoding/binary"
	"os"

	"golang.org/x/sys/unix"
)

// list lists a directory, in no order, with what the directory itself says of
// its entries (getdents(2)): to ask for each of them would take much longer
// than all the rest that is done about a file that has not changed.
func (f *folder) list() ([]listed, error) {
	dir, err := f.root.Open(".")
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	var all []listed
	buffer := make([]byte, 32<<10)
	for {
		n, err := unix.ReadDirent(int(dir.Fd()), buffer)
		if err != nil {
			return nil, os.NewSyscallError("list "+f.name, err)
		}
		if n == 0 {
			return all, nil
		}
		for record := buffer[:n]; len(record) > 0; {
			length := binary.NativeEndian.Uint16(record[16:])
			if e, ok := parseDirent(record[:length]); ok {
				if e.kind == unknownKind {
					e.kind = f.kindOf(e.name)
				}
				all = append(all, e)
			}
			record = record[length:]
		}
	}
}

// parseDirent reads a struct linux_dirent64: inode, offset, length, type, and
// a name that ends in a zero.
func parseDirent(record []byte) (listed, bool) {
	name, _, _ := bytes.Cut(record[19:], []byte{0})
	e := listed{name: string(name), inode: binary.NativeEndian.Uint64(record)}
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
