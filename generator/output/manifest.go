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
)

// The names under which a tree keeps what was written to it. The visible
// manifest is for people and sha256sum -c; the hidden one also holds the keys.
const (
	visibleManifest = "manifest.sha256"
	hiddenManifest  = ".ayna-manifest"
	// dirtyManifest stands in for the hidden manifest while a build writes. A
	// build that finds it knows which files are ours, but trusts none of them.
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
// is ours.
func loadManifest(root *os.Root) (manifest, error) {
	m, err := readManifest(root, dirtyManifest)
	if err == nil {
		for path, e := range m {
			m[path] = entry{sum: e.sum, size: -1}
		}
		return m, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if m, err = readManifest(root, hiddenManifest); errors.Is(err, fs.ErrNotExist) {
		return manifest{}, nil
	}
	return m, err
}

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
		e := m[path]
		fmt.Fprintf(&b, "%x %x %d %s\n", e.key, e.sum, e.size, path)
	}
	return b.Bytes()
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

// validPath reports whether a file may have that path: inside the tree, and
// not one of the names that are ours or the owner's (dot files).
func validPath(path string) bool {
	return fs.ValidPath(path) && path != "." && !strings.HasPrefix(path, ".") && !strings.Contains(path, "/.")
}
