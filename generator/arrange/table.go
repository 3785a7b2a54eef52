package arrange

import "strings"

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
