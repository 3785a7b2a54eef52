package output

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"slices"

	"ayna/generator/site"
)

// keysName is the file of the hidden directory with the key, the size and the place of each
// published file, in the order of the manifest. It begins with [Options.Program] and the digest of that
// manifest, and ends with its own SHA-256. One that does not fit is ignored, so it may be
// removed at any time: the next build renders all files.
const keysName = "keys"

// keySize is the size of an entry: a key, a file's size and its place.
const keySize = len(site.Digest{}) + 8 + 4

// sampled is how many kept files there are for each one that a build renders all the same.
const sampled = 1000

func keysHead(program, manifest string) []byte {
	return []byte("keys 2 " + program + " " + manifest + "\n")
}

// keyReader reads the keys of a manifest's files one after the other.
type keyReader struct {
	file io.Closer // nil if no keys fit
	from *bufio.Reader
}

// openKeys opens the keys of the published tree.
func (b *build) openKeys() keyReader {
	if b.options.Program == "" {
		return keyReader{}
	}
	f, err := openRegular(b.target.Hidden(), keysName)
	if err != nil { // missing, or not ours
		return keyReader{}
	}
	from, err := soundKeys(f, keysHead(b.options.Program, b.digest))
	if err != nil {
		f.Close()
		return keyReader{}
	}
	return keyReader{f, from}
}

// soundKeys checks the head and the checksum of a file, and returns a reader of its entries.
func soundKeys(f io.ReadSeeker, head []byte) (*bufio.Reader, error) {
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil || size < int64(len(head)+sha256.Size) {
		return nil, errors.Join(err, ErrDamaged)
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	from, sum, found := bufio.NewReaderSize(f, 1<<16), sha256.New(), make([]byte, len(head))
	whole := io.TeeReader(from, sum)
	_, err1 := io.ReadFull(whole, found)
	_, err2 := io.CopyN(io.Discard, whole, size-int64(len(head)+sha256.Size))
	end, err3 := io.ReadAll(from)
	if err := errors.Join(err1, err2, err3); err != nil || !bytes.Equal(found, head) || !bytes.Equal(end, sum.Sum(nil)) {
		return nil, errors.Join(err, ErrDamaged)
	}
	if _, err := f.Seek(int64(len(head)), io.SeekStart); err != nil {
		return nil, err
	}
	from.Reset(f)
	return from, nil
}

// next returns the key, the size and the place of the next file; the size is -1 if they are unknown.
func (r *keyReader) next() (key site.Digest, size int64, place uint32) {
	var entry [keySize]byte
	if r.file == nil {
		return key, -1, 0
	}
	if _, err := io.ReadFull(r.from, entry[:]); err != nil {
		return key, -1, 0
	}
	rest := entry[len(key):]
	return site.Digest(entry[:len(key)]), int64(binary.LittleEndian.Uint64(rest)), binary.LittleEndian.Uint32(rest[8:])
}

func (r *keyReader) close() {
	if r.file != nil {
		r.file.Close()
	}
}

// putKeys writes the keys of the published tree, whose manifest lists files and has a digest. It
// removes them if they cannot be relied on.
func (b *build) putKeys(files []file, manifest string) error {
	reliable := b.options.Program != "" && len(b.result.Differing) == 0 && (b.options.Whole == nil || b.options.Whole())
	if !reliable {
		if err := b.target.Hidden().Remove(keysName); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	content := slices.Grow(keysHead(b.options.Program, manifest), len(files)*keySize+sha256.Size)
	for _, f := range files {
		content = append(content, f.key[:]...)
		content = binary.LittleEndian.AppendUint64(content, uint64(f.size))
		content = binary.LittleEndian.AppendUint32(content, f.place)
	}
	sum := sha256.Sum256(content)
	content = append(content, sum[:]...)
	if before, err := b.target.Hidden().ReadFile(keysName); err == nil && bytes.Equal(before, content) {
		return nil
	}
	return b.target.Put(keysName, string(content))
}

// keeps reports whether a file and its variants were published with a key, so that they need
// not be rendered.
func (t *task) keeps() bool {
	for _, v := range t.variants {
		if t.key == (site.Digest{}) || v.row.key != t.key || v.row.was != live {
			return false
		}
	}
	return true
}

// isSampled reports whether a kept file is rendered all the same, with the others of its
// batch. Which are follows from the inputs of the site: each build takes others.
func (b *build) isSampled(file File) bool {
	if b.options.All {
		return true
	}
	const prime = 1_099_511_628_211 // FNV-1a
	h := b.sampling
	for _, c := range []byte(cmp.Or(file.Batch, file.Path)) {
		h = (h ^ uint64(c)) * prime
	}
	return h%sampled == 0
}
