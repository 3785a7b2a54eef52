package story

import (
	"encoding/binary"
	"errors"
	"hash/fnv"

	"ayna/archive"
	"ayna/generator/prose"
	"ayna/generator/wire"
)

// kept is what is prepared of a record once and cached in the archive.
type kept struct {
	title    string
	spot     string
	source   string // address of the original, if it is safe
	editor   string
	hash     string // of the record's JSON, hexadecimal
	lead     string // address of the lead picture at the source
	waiting  bool   // the text has not arrived yet
	body     prose.Body
	words    int
	opening  string // the beginning of the plain text, in one line, if there is no spot
	files    []wire.File
	related  []archive.Reference
	markdown string // "" if it was not wanted
	outcome  uint64 // digest of the addresses that stand in markdown
}

// form is the version of what marshal writes. It is raised when that changes.
const form = 5

// maker identifies the program version and the settings that prepared a text.
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
	for _, s := range []string{k.title, k.spot, k.source, k.editor, k.hash, k.lead, k.opening} {
		text(s)
	}
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
func unmarshal(data string) (kept, error) {
	if len(data) == 0 {
		return kept{}, errKept
	}
	k, r := kept{waiting: data[0] == 1}, remainder{data: data[1:]}
	k.words = r.number()
	for _, s := range []*string{&k.title, &k.spot, &k.source, &k.editor, &k.hash, &k.lead, &k.opening} {
		*s = r.text()
	}
	k.files = make([]wire.File, r.number())
	for i := range k.files {
		k.files[i] = wire.File{URL: r.text(), Title: r.text(), Caption: r.text()}
	}
	k.related = make([]archive.Reference, r.number())
	for i := range k.related {
		k.related[i] = archive.Reference{ID: r.text(), Title: r.text(), URL: r.text()}
	}
	if len(r.data) < 8 {
		return kept{}, errKept
	}
	k.outcome, r.data = binary.LittleEndian.Uint64([]byte(r.data[:8])), r.data[8:]
	k.markdown = r.text()
	body := r.text()
	if r.broken || r.data != "" {
		return kept{}, errKept
	}
	var err error
	k.body, err = prose.Unmarshal(body)
	return k, err
}

// remainder is what is still to be read of something kept.
type remainder struct {
	data   string
	broken bool
}

// number reads a number that is no more than the bytes that follow.
func (r *remainder) number() int {
	n, size := binary.Uvarint([]byte(r.data[:min(len(r.data), binary.MaxVarintLen64)]))
	if size <= 0 || n > uint64(len(r.data)-size) {
		r.broken, r.data = true, ""
		return 0
	}
	r.data = r.data[size:]
	return int(n)
}

func (r *remainder) text() string {
	n := r.number()
	s := r.data[:n]
	r.data = r.data[n:]
	return s
}
