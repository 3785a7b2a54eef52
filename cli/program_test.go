package cli

import (
	"bytes"
	"os"
	"runtime"
	"testing"
)

// A program is told from another by what its linker wrote, and by all its bytes
// where that is not to be found.
func TestBuildID(t *testing.T) {
	name, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	id := buildID(bytes.NewReader(program))
	if has := id != ""; has != (runtime.GOOS == "linux") {
		t.Errorf("on %s a build id is %q", runtime.GOOS, id)
	}
	for name, other := range map[string][]byte{"nothing": nil, "no program": []byte("#!/bin/sh\n"), "half a program": program[:len(program)/2]} {
		if got := buildID(bytes.NewReader(other)); got != "" && got != id {
			t.Errorf("%s has the build id %q", name, got)
		}
	}
	at := bytes.Index(program, []byte("Go\x00\x00"))
	if id == "" || at < 0 {
		return
	}
	changed := bytes.Clone(program)
	changed[at+len("Go\x00\x00")] ^= 1
	if buildID(bytes.NewReader(changed)) == id {
		t.Error("another program has the same build id")
	}
}
