//go:build !unix

package cli

import "os/exec"

// endWithGroup does nothing where processes have no groups: the command alone ends.
func endWithGroup(*exec.Cmd) {}
