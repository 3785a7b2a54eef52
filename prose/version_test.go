package prose

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"
)

// The archive keeps the results of Clean and Markdown for as long as Version stays the same,
// so Version has to change with them.
func TestVersion(t *testing.T) {
	const version, want = 9, "2194b54dbf67782e"
	h := sha256.New()
	const parts = `<p id="a">a <a href="#a">b</a> <img src="/r/1.png" width="16"></p><iframe data-late-src="//www.youtube.com/embed/ornekvideo1"></iframe>`
	for _, text := range append([]string{sample, parts, strings.Repeat("<div>", 300) + "derin"}, payloads...) {
		body := Clean(text, testOptions)
		markdown, err := body.Markdown(plainResolver{})
		fmt.Fprintf(h, "%q %q %v\n", body.Marshal(), markdown, err)
	}
	if got := fmt.Sprintf("%x", h.Sum(nil)[:8]); Version != version || got != want {
		t.Errorf("Clean and Markdown of version %d give %s, those of version %d gave %s: raise Version, and write both here", Version, got, version, want)
	}
}

// plainResolver leaves addresses as they are.
type plainResolver struct{}

func (plainResolver) Link(source string) string         { return source }
func (plainResolver) Image(source string) (Image, bool) { return Image{Src: source}, true }
func (plainResolver) Anchor(id string) (string, bool)   { return "#" + id, true }
func (plainResolver) Plays() bool                       { return false }

func (plainResolver) Card(string) (title, note string, picture Image) { return "", "", Image{} }
func (plainResolver) File(string) (href, note string)                 { return "", "" }
