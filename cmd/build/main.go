// Build is the command build of ayna as a program of its own: it brings the
// archive up to date and publishes the site.
//
//	go run ./cmd/build [flags]
package main

import (
	"os"

	"ayna/cli"
)

func main() { os.Exit(cli.Build(os.Args[1:], os.Stdout, os.Stderr)) }
