package output_test

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"ayna/generator/output"
)

func TestJoin(t *testing.T) {
	broken := errors.New("broken")
	failing := func(yield func(output.File, error) bool) { yield(output.File{}, broken) }
	var got bytes.Buffer
	for file, err := range output.Join(files(tree{"a": "1", "b": "2"}), files(tree{}), files(tree{"c": "3"}), failing, files(tree{"d": "4"})) {
		fmt.Fprint(&got, file.Path, err, " ")
	}
	if want := "a<nil> b<nil> c<nil> broken "; got.String() != want {
		t.Errorf("got %q, want %q", got.String(), want)
	}
	for range output.Join(files(tree{"a": "1", "b": "2"}), failing) {
		break // must not go on
	}
}
