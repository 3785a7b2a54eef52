package cache_test

import (
	"context"
	"errors"
	"testing"

	"ayna/generator/cache"
)

func TestCache(t *testing.T) {
	values := cache.Cache[int, string]{MaxSize: 2}
	if _, ok := values.Get(1); ok {
		t.Error("something is there before anything was put")
	}
	values.Put(1, "bir")
	values.Put(2, "iki")
	values.Put(3, "üç") // 1 and 2 grow old
	if v, ok := values.Get(1); !ok || v != "bir" {
		t.Errorf("1 is %q, %t: it was among the last", v, ok)
	}
	values.Put(4, "dört") // 2 was not asked for
	if _, ok := values.Get(2); ok {
		t.Error("2 is still there")
	}
	if v, ok := values.Get(1); !ok || v != "bir" {
		t.Errorf("1 is %q, %t: it was asked for", v, ok)
	}
}

func TestSize(t *testing.T) {
	values := cache.Cache[int, string]{MaxSize: 10, Size: func(s string) int { return len(s) }}
	for i, text := range []string{"12345", "12345", "1", "1234567890", "1"} {
		values.Put(i, text)
	}
	for i, want := range []bool{false, false, false, true, true} {
		if _, ok := values.Get(i); ok != want {
			t.Errorf("%d: %t, want %t", i, ok, want)
		}
	}
}

func TestShared(t *testing.T) {
	made, failure := 0, errors.New("not yet")
	shared := cache.NewShared(2, func(context.Context) (int, error) {
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
