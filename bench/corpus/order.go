package main

import (
	"errors"
	"iter"
	"math/rand/v2"
	"runtime"
	"sync"
	"time"
)

// order is an item to be made: as it was published, or edited.
type order struct {
	number int
	edit   *edit
}

// all orders every item, newest first, as a service lists them.
func (p *paper) all() iter.Seq[order] {
	return func(yield func(order) bool) {
		for number := range p.items {
			if !yield(order{number, nil}) {
				return
			}
		}
	}
}

// edited orders about the given share of the items, spread over all ages.
func (p *paper) edited(seed uint64, share float64) iter.Seq[order] {
	return func(yield func(order) bool) {
		for number := range p.items {
			e := &edit{rand.New(rand.NewPCG(p.seed<<8|ofEdit, seed<<32^uint64(number))), seed}
			if e.Float64() < share && !yield(order{number, e}) {
				return
			}
		}
	}
}

// edit is what happens to one item.
type edit struct {
	*rand.Rand
	seed uint64 // of the round of edits
}

// apply adds a paragraph, and gives one item of four another headline.
func (e *edit) apply(p *paper, it *item) {
	it.modified = newest.Add(time.Duration(1+e.seed%300) * time.Minute) // before arrival
	it.text = append(it.text, block{tag: "p", spans: []span{{text: p.sentence(e.Rand, 14)}}})
	if e.IntN(4) == 0 {
		it.title = p.title(e.Rand)
	}
}

// batch is how many items are made side by side and written together.
const batch = 500

// inBatches makes something of each item, side by side, and hands it to take in
// the items' order, a batch at a time, while the next batch is made.
func inBatches[T any](p *paper, orders iter.Seq[order], each func(item) (T, error), take func([]T) error) error {
	type made struct {
		list []T
		err  error
	}
	ready, stop := make(chan made), make(chan struct{})
	defer close(stop)
	go func() {
		defer close(ready)
		for some := range batches(orders) {
			list, err := sideBySide(p, some, each)
			select {
			case ready <- made{list, err}:
			case <-stop:
				return
			}
		}
	}()
	for m := range ready {
		if m.err != nil {
			return m.err
		}
		if err := take(m.list); err != nil {
			return err
		}
	}
	return nil
}

func batches(orders iter.Seq[order]) iter.Seq[[]order] {
	return func(yield func([]order) bool) {
		var some []order
		for o := range orders {
			if some = append(some, o); len(some) == batch {
				if !yield(some) {
					return
				}
				some = nil
			}
		}
		if len(some) > 0 {
			yield(some)
		}
	}
}

func sideBySide[T any](p *paper, orders []order, each func(item) (T, error)) ([]T, error) {
	list, errs := make([]T, len(orders)), make([]error, len(orders))
	var group sync.WaitGroup
	workers := runtime.GOMAXPROCS(0)
	for w := range workers {
		group.Go(func() {
			for i := w; i < len(orders); i += workers {
				list[i], errs[i] = each(p.item(orders[i]))
			}
		})
	}
	group.Wait()
	return list, errors.Join(errs...)
}
