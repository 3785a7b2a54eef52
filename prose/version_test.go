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
	const version, want = 5, "c02b32db63ccadcc"
	h := sha256.New()
	for _, text := range append([]string{sample, strings.Repeat("<div>", 300) + "derin"}, payloads...) {
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
func (plainResolver) Plays() bool                       { return false }
