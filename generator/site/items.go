package site

import (
	"iter"
	"slices"
)

// Items is a sequence of items of one collection, in most lists newest first. It
// may be copied.
type Items struct {
	of      *Collection
	numbers []uint32
}

// Len returns the number of items.
func (s Items) Len() int { return len(s.numbers) }

// At returns the item at an index.
func (s Items) At(index int) Item { return Item{s.of, s.numbers[index]} }

// Slice returns the items from an index up to another one, exclusive.
func (s Items) Slice(from, to int) Items { return Items{s.of, s.numbers[from:to]} }

// First returns the first n items, or all if there are fewer.
func (s Items) First(n int) Items { return s.Slice(0, min(n, s.Len())) }

// All yields the items.
func (s Items) All() iter.Seq[Item] {
	return func(yield func(Item) bool) {
		for index := range s.numbers {
			if !yield(s.At(index)) {
				return
			}
		}
	}
}

// Backward yields the items from the last to the first.
func (s Items) Backward() iter.Seq[Item] {
	return func(yield func(Item) bool) {
		for index := len(s.numbers) - 1; index >= 0; index-- {
			if !yield(s.At(index)) {
				return
			}
		}
	}
}

// Chunks yields the items in sequences of at most size items.
func (s Items) Chunks(size int) iter.Seq[Items] {
	return func(yield func(Items) bool) {
		for from := 0; from < s.Len(); from += size {
			if !yield(s.Slice(from, min(from+size, s.Len()))) {
				return
			}
		}
	}
}

// Find returns the index of an item, or where it would be. The items must be in the
// order of the site.
func (s Items) Find(item Item) (index int, found bool) {
	return slices.BinarySearch(s.numbers, item.number)
}

// Has reports whether an item is in the sequence, in any order.
func (s Items) Has(item Item) bool {
	return slices.Contains(s.numbers, item.number)
}

// Append adds items of the same collection.
func (s *Items) Append(items ...Item) {
	for _, item := range items {
		s.of = item.of
		s.numbers = append(s.numbers, item.number)
	}
}

// Grow reserves space for exactly n more items.
func (s *Items) Grow(n int) {
	grown := make([]uint32, len(s.numbers), len(s.numbers)+n)
	copy(grown, s.numbers)
	s.numbers = grown
}
