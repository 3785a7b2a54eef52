package fetch_test

import (
	"os"
	"testing"

	"ayna/testrun"
)

func TestMain(m *testing.M) {
	testrun.SpendMemory()
	testrun.Offline()
	os.Exit(m.Run())
}
