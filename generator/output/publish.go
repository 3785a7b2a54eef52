package output

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"
)

// Options says how to publish.
type Options struct {
	Jobs     int            // files rendered side by side; at least 1
	Progress func(done int) // called as files are done, from any goroutine; may be nil
}

// Result says what publishing did.
type Result struct {
	Written   int
	Unchanged int
	Removed   int
	Failed    []Failure // files that could not be rendered, by path
}

// Files returns the number of files of the site.
func (r Result) Files() int { return r.Written + r.Unchanged }

// Failure is a file that could not be rendered. If an earlier build wrote it,
// that version stays.
type Failure struct {
	Path string
	Err  error
}

// Publish makes the tree at dir hold the files: those whose key is in the
// tree's manifest are left alone, the others are rendered, and written if
// their bytes differ. Files that an earlier build wrote and that are not among
// them are removed; files that no build wrote are not touched.
//
// A file that cannot be rendered is reported and does not stop the others. An
// error of the sequence or of the file system does; the next call then
// finishes the work.
func Publish(ctx context.Context, dir string, files iter.Seq2[File, error], options Options) (Result, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return Result{}, fmt.Errorf("publish: %w", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return Result{}, fmt.Errorf("publish: %w", err)
	}
	defer root.Close()
	p := &publication{root: root, options: options, next: make(manifest)}
	defer p.closeJournal()
	if err := p.sweep(); err != nil {
		return Result{}, fmt.Errorf("publish to %s: %w", dir, err)
	}
	if p.old, err = loadManifest(root); err != nil {
		return Result{}, fmt.Errorf("publish to %s: %w", dir, err)
	}
	if err := p.run(ctx, files); err != nil {
		return p.result, fmt.Errorf("publish to %s: %w", dir, err)
	}
	return p.result, nil
}

// publication is one run of Publish.
type publication struct {
	root    *os.Root
	options Options
	old     manifest

	mu      sync.Mutex // guards what follows
	next    manifest
	result  Result
	journal *os.File // the dirty manifest, open once the tree changes
	number  int      // of temporary files
}

// sweep removes what a build left that was ended in the middle of a file.
func (p *publication) sweep() error {
	entries, err := fs.ReadDir(p.root.FS(), ".")
	if err != nil {
		return err
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), temporary) {
			if err := p.root.Remove(e.Name()); err != nil {
				return err
			}
		}
	}
	return nil
}

func (p *publication) run(ctx context.Context, files iter.Seq2[File, error]) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(max(1, p.options.Jobs))
	feedErr := p.feed(ctx, group, files)
	if err := cmp.Or(group.Wait(), feedErr); err != nil {
		return err
	}
	for _, path := range p.old.paths() {
		if _, ok := p.next[path]; !ok && path != visibleManifest {
			if err := p.remove(path); err != nil {
				return err
			}
		}
	}
	slices.SortFunc(p.result.Failed, func(a, b Failure) int { return strings.Compare(a.Path, b.Path) })
	return p.finish()
}

// feed hands the files to the group. It is the only place that adds to it.
func (p *publication) feed(ctx context.Context, group *errgroup.Group, files iter.Seq2[File, error]) error {
	seen := map[string]bool{visibleManifest: true}
	for file, err := range files {
		if err != nil {
			return err
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if !validPath(file.Path) {
			return fmt.Errorf("%q is no address of the site", file.Path)
		}
		if fold := strings.ToLower(file.Path); seen[fold] {
			return fmt.Errorf("two files claim the address %s", file.Path)
		} else {
			seen[fold] = true
		}
		if e, ok := p.current(file); ok {
			p.keep(file.Path, e)
			continue
		}
		group.Go(func() error { return p.render(ctx, file) })
	}
	return nil
}

// current returns what the manifest says of a file that need not be rendered.
func (p *publication) current(file File) (entry, bool) {
	e, ok := p.old[file.Path]
	if !ok || e.key != file.Key {
		return e, false
	}
	info, err := p.root.Lstat(file.Path)
	return e, err == nil && info.Mode().IsRegular() && info.Size() == e.size
}

func (p *publication) keep(path string, e entry) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.next[path] = e
	p.result.Unchanged++
	p.progress()
}

// progress is called with the lock held.
func (p *publication) progress() {
	if p.options.Progress != nil {
		p.options.Progress(p.result.Files() + len(p.result.Failed))
	}
}

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// render renders one file, and writes it if its bytes are new.
func (p *publication) render(ctx context.Context, file File) error {
	buffer := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buffer)
	buffer.Reset()
	if err := file.Write(ctx, buffer); err != nil {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		p.fail(file.Path, err)
		return nil
	}
	e := entry{key: file.Key, sum: sha256.Sum256(buffer.Bytes()), size: int64(buffer.Len())}
	if p.holds(file.Path, buffer.Bytes()) {
		p.keep(file.Path, e)
		return nil
	}
	if err := p.write(file.Path, buffer.Bytes()); err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.next[file.Path] = e
	p.result.Written++
	p.progress()
	return nil
}

func (p *publication) fail(path string, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.result.Failed = append(p.result.Failed, Failure{path, err})
	if _, ours := p.old[path]; ours {
		if there, err := p.root.ReadFile(path); err == nil {
			p.next[path] = entry{sum: sha256.Sum256(there), size: int64(len(there))}
		}
	}
	p.progress()
}

// holds reports whether the tree's file has these bytes.
func (p *publication) holds(path string, content []byte) bool {
	info, err := p.root.Lstat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() != int64(len(content)) {
		return false
	}
	there, err := p.root.ReadFile(path)
	return err == nil && bytes.Equal(there, content)
}

// write puts a file in its place in one step: readers see the old bytes or the
// new ones, and a symbolic link in its place is replaced, not followed.
func (p *publication) write(name string, content []byte) error {
	temp, err := p.begin(name)
	if err != nil {
		return err
	}
	if err := p.put(temp, name, content); err != nil {
		p.root.Remove(temp)
		return err
	}
	return nil
}

func (p *publication) put(temp, name string, content []byte) error {
	f, err := p.root.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	if err := p.root.MkdirAll(path.Dir(name), 0o755); err != nil {
		return err
	}
	return p.root.Rename(temp, name)
}

// begin is called before each change of the tree. It returns a name for a
// temporary file. If the build is ended in the middle, the next one learns from
// the journal that the tree is not as its manifest said, and which files are
// ours.
func (p *publication) begin(name string) (string, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.journal == nil {
		if err := p.openJournal(); err != nil {
			return "", err
		}
	}
	if _, ours := p.old[name]; !ours && name != hiddenManifest {
		if _, err := p.journal.WriteString(entry{size: unknownSize}.line(name)); err != nil {
			return "", err
		}
	}
	p.number++
	return fmt.Sprintf("%s%d", temporary, p.number), nil
}

func (p *publication) openJournal() error {
	err := p.root.Rename(hiddenManifest, dirtyManifest)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if p.journal, err = p.root.OpenFile(dirtyManifest, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644); err != nil {
		return err
	}
	info, err := p.journal.Stat()
	if err != nil {
		return err
	}
	begin := "\n" // the last line may be cut off
	if info.Size() == 0 {
		begin = manifestHeader + "\n"
	}
	_, err = p.journal.WriteString(begin)
	return err
}

func (p *publication) closeJournal() {
	if p.journal != nil {
		p.journal.Close()
	}
}

// remove takes a file out of the tree, and directories that it leaves empty.
func (p *publication) remove(name string) error {
	if _, err := p.begin(name); err != nil {
		return err
	}
	switch err := p.root.Remove(name); {
	case err == nil:
		p.result.Removed++
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		if p.root.Remove(dir) != nil { // not empty: someone needs it
			break
		}
	}
	return nil
}

// finish writes the manifests, if the tree has changed.
func (p *publication) finish() error {
	visible := p.next.visible()
	if !p.holds(visibleManifest, visible) {
		if err := p.write(visibleManifest, visible); err != nil {
			return err
		}
	}
	p.next[visibleManifest] = entry{sum: sha256.Sum256(visible), size: int64(len(visible))}
	if hidden := p.next.hidden(); !p.holds(hiddenManifest, hidden) {
		if err := p.write(hiddenManifest, hidden); err != nil {
			return err
		}
	}
	p.closeJournal()
	if err := p.root.Remove(dirtyManifest); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
