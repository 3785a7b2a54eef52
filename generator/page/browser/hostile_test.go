package browser

import (
	"io/fs"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestHostile opens package page's golden files, whose records try everything:
// nothing of them runs or loads.
func TestHostile(t *testing.T) {
	c := openTab(t)
	root, err := filepath.Abs("../testdata/golden")
	if err != nil {
		t.Fatal(err)
	}
	opened := 0
	err = filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		// The page for what is not there names the files of a server.
		if err != nil || path.Ext(file) != ".html" || filepath.Base(file) == "notfound.html" {
			return err
		}
		opened++
		c.do(t, chromedp.Navigate("file://"+file))
		messages, requests := c.heard()
		for _, message := range messages {
			// The golden files are without pictures.
			if !strings.Contains(message, "ERR_FILE_NOT_FOUND") {
				t.Errorf("%s: %s", file, message)
			}
		}
		for _, request := range requests {
			// Their addresses are relative to where the page is in a site, at most two folders down.
			if !strings.HasPrefix(request, "file://"+filepath.Join(root, "../..")) {
				t.Errorf("%s asks for %s", file, request)
			}
		}
		return nil
	})
	if err != nil || opened < 12 {
		t.Errorf("%d pages opened: %v", opened, err)
	}
}
