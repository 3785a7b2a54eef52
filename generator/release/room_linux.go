package release

import (
	"fmt"
	"math"

	"golang.org/x/sys/unix"
)

// RoomAt returns the free space of the file system that holds a directory
// (statfs(2)).
func RoomAt(dir string) (Room, error) {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return Room{}, fmt.Errorf("look how much space is left at %s: %w", dir, err)
	}
	room := Room{Bytes: math.MaxUint64, Files: math.MaxUint64}
	if s.Blocks > 0 {
		room.Bytes = s.Bavail * uint64(s.Bsize)
	}
	if s.Files > 0 { // some file systems add inodes as they are needed
		room.Files = s.Ffree
	}
	return room, nil
}
