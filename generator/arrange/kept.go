package arrange

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/binary"
	"encoding/json"
	"errors"
	"hash"
	"hash/crc32"
	"io"
	"os"
	"slices"
	"strings"

	"ayna/archive"
	"ayna/generator/site"
)

// Kept is where a scan keeps what it read, so that the next one reads only what changed. The
// zero Kept is nowhere.
type Kept struct {
	Dir     *os.Root // nil keeps nothing
	Program string   // digest of the program and of all options; "" keeps nothing
	Anew    bool     // read everything
}

// KeptName is the file of [Kept.Dir] with the items as the last scan read them: a head, the
// items, what follows from them, and a checksum. One that does not fit is ignored, so it may be
// removed at any time.
const KeptName = "arranged"

const tempName = KeptName + ".new"

// tokensState is the name of the state with the tokens of the files that this archive still
// describes: of an archive that was replaced by an older copy, a file may know changes that
// never happened. Several sites may have one archive.
const tokensState = "arranged"

const maxTokens = 8

// scanned is what a scan makes of the items' rows, beside the collection.
type scanned struct {
	paths     table // folders as items name them
	bylines   table // writers as items name them
	hosts     table // origins of their addresses
	spellings table // of tags
	revised   map[int64]archive.RevisedRow
	replaced  int // rows that were read again since a scan read all of them
}

// extra is what the scan keeps of an item only to count it.
type extra struct {
	host  uint32
	also  uint8 // index in [site.Kinds], from 1, of the kind that it is also listed as
	state itemState
}

func (e extra) note() uint64 { return uint64(e.host)<<16 | uint64(e.also)<<8 | uint64(e.state) }

func extraOf(item site.Item) extra {
	n := item.Note()
	return extra{uint32(n >> 16), uint8(n >> 8), itemState(n)}
}

// itemState is what becomes of an item.
type itemState uint8

const (
	shown    itemState = iota
	standing           // as a standing page
	excluded           // the configuration excludes it
	absent             // it only keeps its address
)

// head begins the file.
type head struct {
	Format, Program, Token           string
	LastChange                       int64
	Replaced                         int
	Paths, Bylines, Hosts, Spellings []string
}

const keptFormat = "2"

func newScanned() scanned {
	return scanned{paths: newTable(nil), bylines: newTable(nil), hosts: newTable(nil), spellings: newTable(nil), revised: make(map[int64]archive.RevisedRow)}
}

// load takes what an earlier scan kept, without the rows that changed since, and returns these:
// they are to be read again. It returns nil if all are.
func (b *builder) load(ctx context.Context, a *archive.Archive) ([]int64, error) {
	kept := b.options.Kept
	if kept.Dir == nil || kept.Program == "" || kept.Anew || !a.Writable() {
		return nil, nil
	}
	tokens, err := a.State.Get(ctx, tokensState)
	if err != nil {
		return nil, err
	}
	h, items, found := readKept(kept, strings.Fields(tokens))
	if items.Len() == 0 {
		return nil, nil
	}
	rows, err := a.Catalog.Changed(ctx, h.LastChange)
	if err != nil || (len(rows)+h.Replaced)*8 > items.Len() { // replaced items leave their texts behind
		return nil, err
	}
	changed := make(map[int64]bool, len(rows))
	for _, row := range rows {
		changed[row] = true
		delete(found.revised, row)
	}
	items.Drop(func(item site.Item) bool { return changed[item.Row()] })
	items.DropFormer(func(row int64) bool { return changed[row] })
	found.replaced = h.Replaced + len(rows)
	b.scanned, b.site.Collection = found, items
	return rows, nil
}

// readKept reads the file, if it is sound and has one of the tokens.
func readKept(kept Kept, tokens []string) (h head, items site.Collection, found scanned) {
	info, err := kept.Dir.Lstat(KeptName)
	if err != nil || !info.Mode().IsRegular() || info.Size() < crc32.Size {
		return h, items, found
	}
	f, err := kept.Dir.Open(KeptName)
	if err != nil {
		return h, items, found
	}
	defer f.Close()
	size, sum := info.Size()-crc32.Size, newChecksum()
	l := site.NewLoader(bufio.NewReaderSize(io.TeeReader(io.LimitReader(f, size), sum), 1<<16), size)
	if json.Unmarshal(l.Bytes(), &h) != nil || h.Format != keptFormat || h.Program != kept.Program || !slices.Contains(tokens, h.Token) {
		return h, items, found
	}
	loaded := site.LoadCollection(l)
	var rows []int64
	found.revised = make(map[int64]archive.RevisedRow)
	l.Numbers(func(n int) { rows = make([]int64, n) }, func(i int, n uint64) { rows[i] = int64(n) })
	l.Numbers(func(n int) { rows = rows[:min(n, len(rows))] }, func(i int, n uint64) {
		if i < len(rows) {
			found.revised[rows[i]] = archive.RevisedRow{Row: rows[i], Last: int64(n)}
		}
	})
	var end [crc32.Size]byte
	if _, err := io.ReadFull(f, end[:]); err != nil || l.End() != nil || binary.LittleEndian.Uint32(end[:]) != sum.Sum32() {
		return h, items, found
	}
	found.paths, found.bylines, found.hosts, found.spellings = newTable(h.Paths), newTable(h.Bylines), newTable(h.Hosts), newTable(h.Spellings)
	return h, loaded, found
}

func newChecksum() hash.Hash32 { return crc32.New(crc32.MakeTable(crc32.Castagnoli)) }

// save keeps what the scan has read of an archive, which began after its last change, unless it is
// what was loaded. A failure only costs the next scan time.
func (b *builder) save(ctx context.Context, a *archive.Archive, last int64, changed []int64) error {
	kept := b.options.Kept
	if kept.Dir == nil || kept.Program == "" || !a.Writable() || changed != nil && len(changed) == 0 {
		return nil
	}
	token := rand.Text()
	if err := b.write(tempName, head{keptFormat, kept.Program, token, last, b.replaced, b.paths.texts, b.bylines.texts, b.hosts.texts, b.spellings.texts}); err != nil {
		ForgetKept(kept.Dir)
		return nil
	}
	if kept.Dir.Rename(tempName, KeptName) != nil {
		return nil
	}
	before, err := a.State.Get(ctx, tokensState)
	if err != nil {
		return err
	}
	tokens := append(strings.Fields(before), token)
	tokens = tokens[max(0, len(tokens)-maxTokens):]
	return a.Update(ctx, func(tx *archive.Tx) error { return tx.State.Set(tokensState, strings.Join(tokens, " ")) })
}

func (b *builder) write(name string, h head) error {
	f, err := b.options.Kept.Dir.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		return err
	}
	defer f.Close()
	encoded, err := json.Marshal(h)
	if err != nil {
		return err
	}
	sum := newChecksum()
	w := bufio.NewWriterSize(io.MultiWriter(f, sum), 1<<16)
	s := site.NewSaver(w)
	s.Bytes(encoded)
	b.site.Collection.Save(s)
	revised := make([]archive.RevisedRow, 0, len(b.revised))
	for _, r := range b.revised {
		revised = append(revised, r)
	}
	s.Numbers(len(revised), func(i int) uint64 { return uint64(revised[i].Row) })
	s.Numbers(len(revised), func(i int) uint64 { return uint64(revised[i].Last) })
	if err := s.Err(); err != nil {
		return err
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if _, err := f.Write(binary.LittleEndian.AppendUint32(nil, sum.Sum32())); err != nil {
		return err
	}
	return f.Close()
}

// ForgetKept removes what a scan kept in a directory: it may hold what is forgotten.
func ForgetKept(dir *os.Root) error {
	return errors.Join(dir.RemoveAll(KeptName), dir.RemoveAll(tempName))
}
