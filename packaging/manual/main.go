// Command manual writes the manual pages of ayna into a folder. It is not part of ayna, whose
// users would have to compile what it needs.
package main

import (
	"log"
	"os"

	"github.com/spf13/cobra/doc"

	"ayna/cli"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("usage: go run ./packaging/manual DIR")
	}
	if err := write(os.Args[1]); err != nil {
		log.Fatal(err)
	}
}

func write(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	root := cli.Root()
	root.DisableAutoGenTag = true // it would hold today's date
	if err := doc.GenManTree(root, &doc.GenManHeader{Section: "1", Source: "ayna"}, dir); err != nil {
		return err
	}
	return writeConfiguration(dir)
}
