package search

import (
	"encoding/binary"

	"ayna/generator/site"
)

// Store keeps what was made of segments from one build to the next.
type Store interface {
	Get(key site.Digest) ([]byte, bool)
	Put(key site.Digest, value []byte)
}

// keptSegment is what a build needs of a segment whose files are kept.
type keptSegment struct {
	files int // of terms
	words words
}

// stored returns what is stored of the segment of a key.
func (r *Renderer) stored(key site.Digest) (kept keptSegment, ok bool) {
	if r.options.Store == nil {
		return kept, false
	}
	value, ok := r.options.Store.Get(key)
	files, size := binary.Uvarint(value)
	if !ok || size <= 0 {
		return kept, false
	}
	return keptSegment{int(files), value[size:]}, true
}

// store stores a segment, unless something in it could not be read.
func (r *Renderer) store(key site.Digest, made keptSegment) {
	if r.options.Store != nil && r.whole() {
		r.options.Store.Put(key, append(binary.AppendUvarint(nil, uint64(made.files)), made.words...))
	}
}
