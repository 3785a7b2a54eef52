package output

// Room is what a file system has left for a process like this one. What is not
// known, or without a limit, is the largest number.
type Room struct{ Bytes, Files uint64 }

// Holds reports whether the room is enough for another.
func (r Room) Holds(need Room) bool { return r.Bytes >= need.Bytes && r.Files >= need.Files }
