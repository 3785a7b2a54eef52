package lru_test

import (
	"context"
	"errors"
	"testing"

	"ayna/generator/lru"
)

func TestShared(t *testing.T) {
	made, failure := 0, errors.New("not yet")
	shared := lru.NewShared(2, func(context.Context) (int, error) {
		if made++; made == 1 {
			return 0, failure
		}
		return made, nil
	})
	for i, want := range []int{0, 2, 2, 3, 4} { // the third use is the last one announced
		got, err := shared.Get(t.Context())
		if got != want || (err != nil) != (i == 0) {
			t.Errorf("use %d: %d, %v; want %d", i, got, err, want)
		}
	}
}
