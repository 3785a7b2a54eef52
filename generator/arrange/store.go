package arrange

import (
	"strings"

	"ayna/generator/site"
)

// store is where the parts of a site lie, which are too many to be allocated
// one by one.
type store struct {
	items   pool[site.Item]
	tags    pool[*site.Tag]
	words   pool[*spelling]
	refs    pool[*site.Item]
	pending pool[site.Ref]
	texts   texts
}

// pool hands out slices of larger ones.
type pool[T any] struct{ free []T }

// poolSize is the number of elements that are allocated at once.
const poolSize = 4096

func (p *pool[T]) take(n int) []T {
	if n > len(p.free) {
		p.free = make([]T, max(n, poolSize))
	}
	taken := p.free[:n:n]
	p.free = p.free[n:]
	return taken
}

// keep returns a copy of a list.
func (p *pool[T]) keep(list []T) []T {
	kept := p.take(len(list))
	copy(kept, list)
	return kept
}

// texts keeps strings side by side.
type texts struct{ block strings.Builder }

const blockSize = 64 << 10

func (t *texts) keep(text string) string {
	if text == "" {
		return ""
	}
	if t.block.Cap()-t.block.Len() < len(text) {
		t.block = strings.Builder{}
		t.block.Grow(max(len(text), blockSize))
	}
	start := t.block.Len()
	t.block.WriteString(text)
	return t.block.String()[start:]
}

// table numbers the texts that many items share.
type table struct {
	numbers map[string]uint32
	texts   []string
	wanted  []bool // by number; of paths
}

func (t *table) number(text string) uint32 {
	if n, ok := t.numbers[text]; ok {
		return n
	}
	if t.numbers == nil {
		t.numbers = make(map[string]uint32)
	}
	n := uint32(len(t.texts))
	t.texts = append(t.texts, strings.Clone(text))
	t.numbers[t.texts[n]] = n
	return n
}
