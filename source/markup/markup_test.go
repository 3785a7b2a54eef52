package markup_test

import (
	"strings"
	"testing"

	"ayna/source/markup"
)

// What is too long for a tree is not parsed; of a line the beginning is.
func TestLong(t *testing.T) {
	longest := strings.Repeat("<i>ş</i>", markup.MaxText/9)
	if _, err := markup.Parse(longest); err != nil {
		t.Error(err)
	}
	if _, err := markup.Parse(longest + "<i>şşşş</i>"); err == nil {
		t.Error("a tree of more than MaxText")
	}
	if text := markup.Plain(strings.Repeat("ş", markup.MaxText)); text != strings.Repeat("ş", markup.MaxText/2) {
		t.Errorf("%d bytes", len(text))
	}
	if text := markup.Plain("a&amp;" + strings.Repeat("ş", markup.MaxText)); len(text) > markup.MaxText || !strings.HasPrefix(text, "a&ş") {
		t.Errorf("%d bytes: %.9s", len(text), text)
	}
}
