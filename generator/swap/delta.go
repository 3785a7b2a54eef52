package swap

import (
	"bytes"
	"crypto/sha256"
	"encoding/gob"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path"
	"strings"
	"time"
)

// Delta holds how the previous tree differs from the published one, and how the directories of
// both were after the last build. [Target.Apply] needs it; without one, or if it does not fit, a
// build links all files into a fresh stage.
type Delta struct {
	Published, Previous Snapshot
	Changed             []string // paths of files of builds that differ, or that one of the trees lacks
}

// Snapshot is a tree as a build left it.
type Snapshot struct {
	Digest string           // of the file [Identity]
	Dirs   map[string]Stamp // all directories; nil if they are unknown
}

// Stamp identifies a version of a directory: it differs once an entry is added, removed or
// replaced.
type Stamp struct {
	Inode        uint64
	Mode         uint32
	Mtime, Ctime int64 // in nanoseconds
}

// deltaName is the file of the hidden directory with the delta: a line for its format and the
// digest of the rest, then the rest.
const (
	deltaName   = "delta"
	deltaFormat = "format 1 "
)

// Delta reads the delta. It is nil if it is missing, damaged, or that of another program.
func (t *Target) Delta() (*Delta, error) {
	content, err := t.hidden.ReadFile(deltaName)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	head, body, _ := strings.Cut(string(content), "\n")
	if head != deltaFormat+digestOf(body) {
		return nil, nil
	}
	d := new(Delta)
	if gob.NewDecoder(strings.NewReader(body)).Decode(d) != nil {
		return nil, nil
	}
	return d, nil
}

// PutDelta writes the delta of the trees as they are now named, or removes it if d is nil or
// lacks the directories of a tree.
func (t *Target) PutDelta(d *Delta) error {
	if d == nil || d.Published.Dirs == nil || d.Previous.Dirs == nil {
		if err := t.hidden.Remove(deltaName); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	for name, s := range map[string]Snapshot{Published: d.Published, Previous: d.Previous} {
		if err := t.restamp(name, s); err != nil {
			return err
		}
	}
	var body bytes.Buffer
	if err := gob.NewEncoder(&body).Encode(d); err != nil {
		return err
	}
	return t.Put(deltaName, deltaFormat+digestOf(body.String())+"\n"+body.String())
}

// restamp notes the change of a tree's own directory by the exchange, which renamed it.
func (t *Target) restamp(name string, s Snapshot) error {
	tree, err := t.Tree(name)
	if tree == nil || err != nil {
		return err
	}
	defer tree.Close()
	root := s.Dirs["."]
	return eachStamp(tree, []string{"."}, func(_ string, now Stamp, err error) bool {
		root.Ctime = now.Ctime
		s.Dirs["."] = root
		return true
	})
}

// Seal returns the stamps of a tree's directories among dirs, nil if it cannot. It sets
// their modification times back first: however coarse the clock of the file system is, a later
// change sets another time.
func Seal(tree *os.Root, dirs map[string]bool) map[string]Stamp {
	sealed := make(map[string]Stamp, len(dirs))
	if seal(tree, dirs, sealed) != nil {
		return nil
	}
	return sealed
}

// sealedBack is how far [Seal] sets times back.
const sealedBack = 2 * time.Second

// seal seals dirs, and updates their stamps in a map. It removes those that do not exist.
func seal(tree *os.Root, dirs map[string]bool, stamps map[string]Stamp) error {
	d, err := tree.Open(".")
	if err != nil {
		return err
	}
	defer d.Close()
	back := time.Now().Add(-sealedBack)
	for dir := range dirs {
		err := setTime(d, dir, back)
		if errors.Is(err, fs.ErrNotExist) {
			delete(stamps, dir)
			continue
		}
		if err == nil {
			stamps[dir], err = stampAt(d, dir)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// isRecent reports whether a directory may still change without another stamp.
func (s Stamp) isRecent() bool { return time.Since(time.Unix(0, s.Mtime)) < sealedBack }

// eachStamp calls do with the present stamps of directories, until it returns false.
func eachStamp(tree *os.Root, dirs []string, do func(dir string, now Stamp, err error) bool) error {
	d, err := tree.Open(".")
	if err != nil {
		return err
	}
	defer d.Close()
	for _, dir := range dirs {
		if now, err := stampAt(d, dir); !do(dir, now, err) {
			break
		}
	}
	return nil
}

func digestOf(content string) string {
	sum := sha256.Sum256([]byte(content))
	return hex.EncodeToString(sum[:])
}

// AddDirs adds the directories that lead to a file to a set.
func AddDirs(dirs map[string]bool, file string) {
	for dir := path.Dir(file); !dirs[dir]; dir = path.Dir(dir) {
		dirs[dir] = true
	}
}
