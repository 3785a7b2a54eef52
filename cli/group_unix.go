//go:build unix

package cli

import (
	"os/exec"
	"syscall"
)

// endWithGroup makes the end of the command's context end all processes that it started.
func endWithGroup(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
}
