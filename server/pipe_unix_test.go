//go:build unix

package server_test

import (
	"net/http/httptest"
	"path/filepath"
	"syscall"
	"testing"
)

// A named pipe in the tree is not served. Opening it would wait for a writer.
func TestPreviewPipe(t *testing.T) {
	public := t.TempDir()
	put(t, filepath.Join(public, "index.html"), "ana sayfa", old)
	if err := syscall.Mkfifo(filepath.Join(public, "pipe"), 0o644); err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	preview(t, public).ServeHTTP(w, httptest.NewRequest("GET", "/pipe", nil))
	if w.Code != 404 {
		t.Errorf("/pipe: status %d", w.Code)
	}
}
