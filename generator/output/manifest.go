package output

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// The names under which a tree keeps what was written to it. The visible
// manifest is for people and sha256sum -c; the hidden one also holds the keys.
const (
	visibleManifest = "manifest.sha256"
	hiddenManifest  = ".ayna-manifest"
	// dirtyManifest stands in for the hidden manifest while a build writes, and
	// grows by each file that build adds. A build that finds it knows which
	// files are ours, but trusts none of them.
	dirtyManifest = ".ayna-manifest.dirty"
	temporary     = ".ayna-tmp-"
)

const manifestHeader = "ayna manifest 1"

// entry is what a manifest says of a file.
type entry struct {
	key  Key
	sum  [32]byte // SHA-256 of the bytes
	size int64
}

type manifest map[string]entry

// loadManifest reads the manifest of a tree. Without one, nothing in the tree
// is ours. The hidden manifest is written last: where it is, a dirty one beside
// it is out of date.
func loadManifest(root *os.Root) (manifest, error) {
	m, err := readManifest(root, hiddenManifest)
	if !errors.Is(err, fs.ErrNotExist) {
		return m, err
	}
	m, err = readManifest(root, dirtyManifest)
	if errors.Is(err, fs.ErrNotExist) {
		return manifest{}, nil
	}
	for path := range m {
		m[path] = entry{size: unknownSize}
	}
	return m, err
}

// unknownSize is the size of files that may be from before or after an aborted
// build.
const unknownSize = -1

func readManifest(root *os.Root, name string) (manifest, error) {
	f, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	m := make(manifest)
	lines := bufio.NewScanner(f)
	for number := 1; lines.Scan(); number++ {
		if number == 1 {
			if lines.Text() != manifestHeader {
				return nil, fmt.Errorf("read %s: unknown form %.40q; remove the file to have the site written anew", f.Name(), lines.Text())
			}
			continue
		}
		path, e, err := parseLine(lines.Text())
		if err != nil && name == dirtyManifest {
			continue // cut off with the build that wrote it
		}
		if err != nil {
			return nil, fmt.Errorf("read %s: line %d: %w; remove the file to have the site written anew", f.Name(), number, err)
		}
		m[path] = e
	}
	return m, lines.Err()
}

func parseLine(line string) (string, entry, error) {
	var e entry
	fields := strings.SplitN(line, " ", 4)
	if len(fields) != 4 || len(fields[0]) != 2*len(e.key) || len(fields[1]) != 2*len(e.sum) || !validPath(fields[3]) {
		return "", e, errors.New("is damaged")
	}
	_, err1 := hex.Decode(e.key[:], []byte(fields[0]))
	_, err2 := hex.Decode(e.sum[:], []byte(fields[1]))
	size, err3 := strconv.ParseInt(fields[2], 10, 64)
	e.size = size
	return fields[3], e, errors.Join(err1, err2, err3)
}

// paths returns the files of a manifest in order.
func (m manifest) paths() []string {
	paths := make([]string, 0, len(m))
	for path := range m {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	return paths
}

// hidden is the manifest as its hidden file holds it.
func (m manifest) hidden() []byte {
	var b bytes.Buffer
	b.WriteString(manifestHeader + "\n")
	for _, path := range m.paths() {
		b.WriteString(m[path].line(path))
	}
	return b.Bytes()
}

// line is what the hidden manifest says of a file.
func (e entry) line(path string) string {
	return fmt.Sprintf("%x %x %d %s\n", e.key, e.sum, e.size, path)
}

// visible is the manifest as sha256sum reads it.
func (m manifest) visible() []byte {
	var b bytes.Buffer
	for _, path := range m.paths() {
		if path != visibleManifest {
			fmt.Fprintf(&b, "%x  %s\n", m[path].sum, path)
		}
	}
	return b.Bytes()
}

// validPath reports whether a file may have that path: inside the tree, not one
// of the names that are ours or the owner's (dot files), and fit for a line of
// either manifest.
func validPath(path string) bool {
	return fs.ValidPath(path) && !strings.HasPrefix(path, ".") && !strings.Contains(path, "/.") &&
		!strings.ContainsFunc(path, func(r rune) bool { return r == '\\' || unicode.IsControl(r) })
}
