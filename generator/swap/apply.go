package swap

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"
)

// Changes are what makes the previous tree the next one.
type Changes struct {
	Keep   []string // directories that stay, although they may become empty
	Remove []string // files
	Move   []string // files of the stage, sorted; they replace files of the same path
}

// encode returns the redo record.
func (c Changes) encode() string {
	var b strings.Builder
	for mark, paths := range map[string][]string{"=": c.Keep, "-": c.Remove, "+": c.Move} {
		for _, file := range paths {
			b.WriteString(mark + file + "\x00")
		}
	}
	return b.String()
}

func parseChanges(record string) (c Changes) {
	for line := range strings.SplitSeq(strings.TrimSuffix(record, "\x00"), "\x00") {
		switch {
		case strings.HasPrefix(line, "="):
			c.Keep = append(c.Keep, line[1:])
		case strings.HasPrefix(line, "-"):
			c.Remove = append(c.Remove, line[1:])
		case strings.HasPrefix(line, "+"):
			c.Move = append(c.Move, line[1:])
		}
	}
	return c
}

// dirs returns the directories that the changes touch.
func (c Changes) dirs() map[string]bool {
	dirs := map[string]bool{".": true}
	for _, paths := range [][]string{c.Keep, c.Remove, c.Move} {
		for _, file := range paths {
			AddDirs(dirs, file)
		}
	}
	return dirs
}

// Fits reports whether the changes can be made in the previous tree of a delta: no directory is
// where a file goes, or the other way round, and the owner has closed none.
func (c Changes) Fits(previous *os.Root, d *Delta) bool {
	dirs := c.dirs()
	for _, file := range c.Move {
		if _, isDir := d.Previous.Dirs[file]; isDir || dirs[file] {
			return false
		}
	}
	for dir := range dirs {
		stamp, known := d.Previous.Dirs[dir]
		if known && stamp.Mode&0o700 != 0o700 {
			return false
		}
		if known {
			continue
		}
		if _, err := previous.Lstat(dir); !errors.Is(err, fs.ErrNotExist) {
			return false
		}
	}
	return true
}

// Apply changes the previous tree into the one with that digest, and publishes it. The published
// tree becomes the previous one; d is made that of the two, but for its list of files. The stage
// must hold the files to move, among them [Identity].
//
// The record of the changes on disk is the point of no return: if the process is killed later,
// the next Open makes the changes again, and publishes. After an error no previous tree is left,
// if it was half changed.
func (t *Target) Apply(d *Delta, digest string, c Changes) error {
	if err := t.promise(digest, c.encode()); err != nil {
		return errors.Join(err, t.hidden.RemoveAll(nextName), t.recover())
	}
	if err := t.redo(c, d); err != nil {
		return errors.Join(err, t.abandon())
	}
	if err := t.publishApplied(); err != nil {
		return errors.Join(err, t.recover())
	}
	d.Published, d.Previous = Snapshot{digest, d.Previous.Dirs}, d.Published
	return nil
}

// promise writes all that recover needs to disk.
func (t *Target) promise(digest, record string) error {
	if err := t.Put(redoName, record); err != nil {
		return err
	}
	if err := SyncTree(t.hidden); err != nil {
		return err
	}
	if err := t.Put(nextName, applying+" "+digest+" "+digestOf(record)+"\n"); err != nil {
		return err
	}
	return t.sync()
}

// redo makes the changes in the previous tree; it may have made some of them before. It seals
// the directories for d, which may be nil.
func (t *Target) redo(c Changes, d *Delta) (err error) {
	stage, err := t.Tree(Stage)
	if err != nil {
		return err
	}
	if stage == nil {
		return fmt.Errorf("the stage is missing: %w", fs.ErrNotExist)
	}
	defer stage.Close()
	previous, err := t.Tree(Previous)
	if err != nil {
		return err
	}
	if previous == nil {
		return fmt.Errorf("the previous tree is missing: %w", fs.ErrNotExist)
	}
	defer previous.Close()
	if err := c.removeFrom(previous); err != nil {
		return err
	}
	l := NewLinker(stage, previous)
	defer l.Close()
	for _, file := range c.Move {
		if err := l.move(file); err != nil {
			return err
		}
	}
	if d != nil && seal(previous, c.dirs(), d.Previous.Dirs) != nil {
		d.Previous.Dirs = nil
	}
	return SyncTree(previous)
}

// removeFrom removes the files to remove, and the directories that become empty.
func (c Changes) removeFrom(tree *os.Root) error {
	keep := make(map[string]bool)
	for _, dir := range c.Keep {
		keep[dir] = true
	}
	for _, file := range c.Remove {
		if err := tree.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		for dir := path.Dir(file); dir != "." && !keep[dir]; dir = path.Dir(dir) {
			if err := tree.Remove(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
				break // it is not empty
			}
		}
	}
	return nil
}

// move moves a file of the stage, or finds that it is moved already.
func (l *Linker) move(file string) error {
	if err := l.open(path.Dir(file)); err != nil {
		return err
	}
	err := rename(l.source, l.target, path.Base(file))
	if errors.Is(err, fs.ErrNotExist) {
		_, err = l.to.Lstat(file)
	}
	return err
}

// publishApplied exchanges the published tree with the previous one, which is changed.
func (t *Target) publishApplied() error {
	if err := t.exchange(Previous); err != nil {
		return err
	}
	if err := t.sync(); err != nil {
		return err
	}
	return t.finish(Previous)
}

// resume finishes an [Target.Apply] that was interrupted. If the changes cannot be made, the
// published tree stays, and the previous one, which may be half changed, is removed.
func (t *Target) resume(digest, recordDigest string) error {
	record, err := t.hidden.ReadFile(redoName)
	if err != nil || digestOf(string(record)) != recordDigest {
		return t.abandon()
	}
	if err := t.redo(parseChanges(string(record)), nil); err != nil {
		return t.abandon()
	}
	if changed, err := t.Digest(Previous); err != nil || changed != digest {
		return t.abandon()
	}
	return t.publishApplied()
}

// abandon gives up an [Target.Apply] that cannot be finished.
func (t *Target) abandon() error {
	if err := t.Discard(Previous); err != nil {
		return err
	}
	if err := t.sync(); err != nil { // before the note of the changes is removed
		return err
	}
	return t.finish(Previous)
}
