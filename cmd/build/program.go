package main

import (
	"crypto/sha256"
	"debug/elf"
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"ayna/generator"
)

// programDigest identifies the program, so that a newer one does not take its
// predecessor's files for its own. Without it everything is rendered again.
func programDigest() string {
	name, err := os.Executable()
	if err != nil {
		return ""
	}
	f, err := os.Open(name)
	if err != nil {
		return ""
	}
	defer f.Close()
	if id := buildID(f); id != "" {
		return id
	}
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return ""
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}

// buildID returns the digest that the linker wrote into a program of what it was
// made of, "" if there is none. To read all of the program would take half the
// time of a run that finds nothing to do.
func buildID(f io.ReaderAt) string {
	program, err := elf.NewFile(f)
	if err != nil {
		return ""
	}
	note := program.Section(".note.go.buildid")
	if note == nil {
		return ""
	}
	const head = 16 // lengths, type and the name "Go"
	data, err := note.Data()
	if err != nil || len(data) <= head {
		return ""
	}
	return fmt.Sprintf("%x", sha256.Sum256(data[head:]))
}

// program returns what the compiler noted of this program's sources.
func program() (p generator.Program) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return p
	}
	p.Version, p.Go = info.Main.Version, info.GoVersion
	changed := ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			p.Revision = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			changed = "+"
		}
	}
	if p.Revision != "" {
		p.Revision += changed
	}
	return p
}
