package cli

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// A program is identified by what its linker wrote, and by all its bytes where
// that is not to be found.
func TestIdentity(t *testing.T) {
	name, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	identify := func(content []byte) []byte {
		t.Helper()
		name := filepath.Join(t.TempDir(), "program")
		if err := os.WriteFile(name, content, 0o644); err != nil {
			t.Fatal(err)
		}
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		id, err := io.ReadAll(buildID(f))
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	id := identify(program)
	if short := len(id) < 1000; short != (runtime.GOOS == "linux") || len(id) == 0 {
		t.Errorf("on %s the build id has %d bytes", runtime.GOOS, len(id))
	}
	for _, other := range []string{"", "#!/bin/sh\n"} {
		if got := identify([]byte(other)); string(got) != other {
			t.Errorf("%q has the build id %q", other, got)
		}
	}
	if at := bytes.Index(program, []byte("Go\x00\x00")); at > 0 {
		program[at+len("Go\x00\x00")] ^= 1
		if bytes.Equal(identify(program), id) {
			t.Error("another program has the same identity")
		}
	}
}
