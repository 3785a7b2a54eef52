package client_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"syscall"
	"testing"
	"time"

	"ayna/client"
)

// A machine that does not answer a connection at all takes no longer than the
// time-out of a request.
func TestNobodyAccepts(t *testing.T) {
	c, err := client.New(client.Config{BaseURL: "http://" + deaf(t), Timeout: 100 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	err = list(c)
	var e *client.Error
	if !errors.As(err, &e) || e.Status != 0 || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%T %v", err, err)
	}
}

// deaf returns an address where connections are neither accepted nor refused:
// its queue is full, so that the kernel drops what comes.
func deaf(t *testing.T) string {
	t.Helper()
	socket, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { syscall.Close(socket) })
	if err := syscall.Bind(socket, &syscall.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Listen(socket, 0); err != nil {
		t.Fatal(err)
	}
	name, err := syscall.Getsockname(socket)
	if err != nil {
		t.Fatal(err)
	}
	address := fmt.Sprintf("127.0.0.1:%d", name.(*syscall.SockaddrInet4).Port)
	for range 16 {
		queued, err := net.DialTimeout("tcp", address, 100*time.Millisecond)
		if err != nil {
			return address
		}
		t.Cleanup(func() { queued.Close() })
	}
	t.Skip("this kernel's queue of connections is never full")
	return ""
}
