package story

import (
	"encoding/binary"
	"errors"
	"hash/fnv"

	"ayna/archive"
	"ayna/generator/prose"
	"ayna/generator/wire"
)

// kept is what is made of a record's text once and kept in the archive.
type kept struct {
	waiting  bool // the text has not arrived yet
	body     prose.Body
	words    int
	opening  string // the beginning of the plain text, in one line
	files    []wire.File
	related  []archive.Reference
	markdown string // "" if it was not wanted
	outcome  uint64 // digest of the addresses that stand in markdown
}

// form is the version of what marshal writes. It is raised when that changes.
const form = 4

// maker tells what one version of the program keeps from what another does, or
// the same with other settings.
func (r *Reader) maker() int64 {
	h := fnv.New32a()
	h.Write([]byte(r.Site.Words.Table))
	if r.Site.Markdown {
		h.Write([]byte{1})
	}
	return int64(form)<<48 | int64(prose.Version)<<32 | int64(h.Sum32())
}

func (k *kept) marshal() []byte {
	flag := byte(0)
	if k.waiting {
		flag = 1
	}
	b := binary.AppendUvarint([]byte{flag}, uint64(k.words))
	text := func(s string) { b = append(binary.AppendUvarint(b, uint64(len(s))), s...) }
	text(k.opening)
	b = binary.AppendUvarint(b, uint64(len(k.files)))
	for _, f := range k.files {
		text(f.URL)
		text(f.Title)
		text(f.Caption)
	}
	b = binary.AppendUvarint(b, uint64(len(k.related)))
	for _, r := range k.related {
		text(r.ID)
		text(r.Title)
		text(r.URL)
	}
	b = binary.LittleEndian.AppendUint64(b, k.outcome)
	text(k.markdown)
	text(k.body.Marshal())
	return b
}

var errKept = errors.New("what was kept of a text is damaged")

// unmarshal reads what marshal wrote. What it returns shares the memory of data.
func unmarshal(data string) (k kept, err error) {
	number := func() int {
		n, size := uvarint(data)
		if size <= 0 || n > uint64(len(data)) {
			err, data = errKept, ""
			return 0
		}
		data = data[size:]
		return int(n)
	}
	text := func() string {
		n := number()
		if n > len(data) {
			err, data = errKept, ""
			return ""
		}
		s := data[:n]
		data = data[n:]
		return s
	}
	if len(data) == 0 {
		return k, errKept
	}
	k.waiting = data[0] == 1
	data = data[1:]
	k.words, k.opening = number(), text()
	for range number() {
		k.files = append(k.files, wire.File{URL: text(), Title: text(), Caption: text()})
	}
	for range number() {
		k.related = append(k.related, archive.Reference{ID: text(), Title: text(), URL: text()})
	}
	if len(data) < 8 {
		return kept{}, errKept
	}
	k.outcome = binary.LittleEndian.Uint64([]byte(data[:8]))
	data = data[8:]
	k.markdown = text()
	body := text()
	if err != nil || len(data) > 0 {
		return kept{}, errKept
	}
	k.body, err = prose.Unmarshal(body)
	return k, err
}

// uvarint is binary.Uvarint of a string.
func uvarint(s string) (uint64, int) {
	return binary.Uvarint([]byte(s[:min(len(s), binary.MaxVarintLen64)]))
}
