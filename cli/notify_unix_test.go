//go:build unix

package cli

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"ayna/generator/config"
)

// An interrupted run ends notify.command with all processes that it started.
func TestNotifyCommandEndsWithItsProcesses(t *testing.T) {
	fifo := filepath.Join(t.TempDir(), "fifo")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	a := &app{stderr: io.Discard, config: new(config.Config)}
	a.config.Notify.Command = []string{"sh", "-c", `exec 3>"$0"; sleep 300 & echo >&3; wait`, fifo}
	a.spec.watched = true
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		a.notifyEnd(ctx, exitOK, "")
	}()
	held, err := os.Open(fifo)
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	if _, err := held.Read(make([]byte, 1)); err != nil { // waits for the command and its child
		t.Fatal(err)
	}
	cancel()
	<-ended
	if err := held.SetReadDeadline(time.Now().Add(20 * time.Second)); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadAll(held); err != nil { // it ends with the last process
		t.Errorf("a process goes on: %v", err)
	}
}

// What a failed command prints is shown without control characters and keys.
func TestNotifyCommandOutput(t *testing.T) {
	var problems strings.Builder
	a := &app{name: "build", stderr: &problems, config: new(config.Config)}
	a.config.Source.APIKey, a.config.Serve.APIKey = "kanarya-1", "kanarya-2"
	a.config.Notify.Command = []string{"sh", "-c", `printf '\033[2J kanarya-1 kanarya-2'; exit 1`}
	a.spec.watched = true
	a.notifyEnd(t.Context(), exitOK, "")
	if got, want := problems.String(), "build: notify.command: exit status 1: \uFFFD[2J **** ****; the run itself is not affected\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
