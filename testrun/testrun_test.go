package testrun_test

import (
	"net"
	"strings"
	"testing"

	"ayna/testrun"
)

func TestOffline(t *testing.T) {
	testrun.Offline()
	if _, err := net.DefaultResolver.LookupHost(t.Context(), "ornek.example"); err == nil || !strings.Contains(err.Error(), "tests ask no name server") {
		t.Errorf("a name server was asked: %v", err)
	}
	if addresses, err := net.DefaultResolver.LookupHost(t.Context(), "localhost"); err != nil {
		t.Errorf("localhost: %v, %v", addresses, err)
	}
}
