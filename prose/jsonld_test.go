package prose_test

import (
	"encoding/json"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"ayna/prose"
	"ayna/testrun/attack"
)

func TestJSONLD(t *testing.T) {
	for _, text := range attack.For(attack.Words) {
		value := map[string]any{"name": text, "words": []string{text, ""}}
		got := string(prose.JSONLD(value))
		root, err := html.Parse(strings.NewReader("<body>" + got + "<p>after</p>"))
		if err != nil {
			t.Fatal(err)
		}
		scripts, after := 0, false
		for n := range root.Descendants() {
			after = after || n.Type == html.ElementNode && n.Data == "p"
			if n.Type != html.ElementNode || n.Data != "script" {
				continue
			}
			scripts++
			var decoded map[string]any
			if err := json.Unmarshal([]byte(n.FirstChild.Data), &decoded); err != nil || decoded["name"] != string([]rune(text)) {
				t.Errorf("%q: %s, %v", text, n.FirstChild.Data, err)
			}
		}
		if scripts != 1 || !after {
			t.Errorf("%q: %d scripts, the rest of the page seen: %t", text, scripts, after)
		}
	}
}
