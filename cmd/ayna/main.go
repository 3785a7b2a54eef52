// Ayna mirrors a paper (WordPress, Ghost, Read API) into an archive and a static site.
//
//	go run ./cmd/ayna --help
package main

import (
	"os"

	"ayna/cli"
)

func main() { os.Exit(cli.Ayna(os.Args[1:], os.Stdout, os.Stderr)) }
