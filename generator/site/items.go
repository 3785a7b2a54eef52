package site

import (
	"iter"
	"slices"
)

// Items is a sequence of items of one collection. Those of most lists follow
// each other as in the site, newest first. It is not changed by others once it
// is in a site, and may be copied.
type Items struct {
	of      *Collection
	numbers []uint32
}

// Len returns the number of items.
func (s Items) Len() int { return len(s.numbers) }

// At returns the item at a place.
func (s Items) At(place int) Item { return Item{s.of, s.numbers[place] &^ lastOne} }

// Slice returns the items from a place up to another one, exclusive.
func (s Items) Slice(from, to int) Items { return Items{s.of, s.numbers[from:to]} }

// First returns the first n items, or all if there are fewer.
func (s Items) First(n int) Items { return s.Slice(0, min(n, s.Len())) }

// All yields the items.
func (s Items) All() iter.Seq[Item] {
	return func(yield func(Item) bool) {
		for place := range s.numbers {
			if !yield(s.At(place)) {
				return
			}
		}
	}
}

// Backward yields the items from the last to the first.
func (s Items) Backward() iter.Seq[Item] {
	return func(yield func(Item) bool) {
		for place := len(s.numbers) - 1; place >= 0; place-- {
			if !yield(s.At(place)) {
				return
			}
		}
	}
}

// Chunks yields the items in sequences of at most so many.
func (s Items) Chunks(most int) iter.Seq[Items] {
	return func(yield func(Items) bool) {
		for from := 0; from < s.Len(); from += most {
			if !yield(s.Slice(from, min(from+most, s.Len()))) {
				return
			}
		}
	}
}

// Find returns where an item is in a sequence that is in the order of the site,
// or would be: one of a list, but neither what is related to an item nor what it
// links.
func (s Items) Find(item Item) (place int, found bool) {
	return slices.BinarySearch(s.numbers, item.number)
}

// Has reports whether an item is in a sequence of any order.
func (s Items) Has(item Item) bool {
	return slices.ContainsFunc(s.numbers, func(number uint32) bool { return number&^lastOne == item.number })
}

// Append adds items, which are all of one collection.
func (s *Items) Append(items ...Item) {
	for _, item := range items {
		s.of = item.of
		s.numbers = append(s.numbers, item.number)
	}
}

// Grow makes room for n more items, and no more.
func (s *Items) Grow(n int) {
	grown := make([]uint32, len(s.numbers), len(s.numbers)+n)
	copy(grown, s.numbers)
	s.numbers = grown
}
