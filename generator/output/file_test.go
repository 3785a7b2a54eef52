package output_test

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"ayna/generator/output"
)

func TestDigest(t *testing.T) {
	keys := make(map[output.Key]string)
	for name, digest := range map[string]output.Digest{
		"a": output.NewDigest("a"), "b": output.NewDigest("b"),
		"a,b": output.NewDigest("a").Text("b"), "ab": output.NewDigest("ab"), "a,,b": output.NewDigest("a").Text("", "b"),
		"a,b,": output.NewDigest("a").Text("b", ""), "a,1": output.NewDigest("a").Number(1), "a,1,0": output.NewDigest("a").Number(1, 0),
		"a,256": output.NewDigest("a").Number(256), "a,\"1\"": output.NewDigest("a").Text("1"),
	} {
		key := digest.Key()
		if other, taken := keys[key]; taken {
			t.Errorf("%s and %s have one key", name, other)
		}
		keys[key] = name
	}
	if output.NewDigest("a").Text("b", "c").Key() != output.NewDigest("a").Text("b").Text("c").Key() {
		t.Error("texts added at once and one by one differ")
	}
}

func TestJoin(t *testing.T) {
	broken := errors.New("broken")
	failing := func(yield func(output.File, error) bool) { yield(output.File{}, broken) }
	var got bytes.Buffer
	for file, err := range output.Join(tree{"a": "1", "b": "2"}.files(nil), tree{}.files(nil), tree{"c": "3"}.files(nil), failing, tree{"d": "4"}.files(nil)) {
		fmt.Fprint(&got, file.Path, err, " ")
	}
	if want := "a<nil> b<nil> c<nil> broken "; got.String() != want {
		t.Errorf("got %q, want %q", got.String(), want)
	}
	for range output.Join(tree{"a": "1", "b": "2"}.files(nil), failing) {
		break // must not go on
	}
}
