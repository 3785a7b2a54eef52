package prose_test

import (
	"encoding/json"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"ayna/generator/prose"
)

func TestJSONLD(t *testing.T) {
	for _, text := range []string{
		"</script><script>alert(1)</script>", "<!--<script>", "]]> & \u2028 \u2029 \x00", "\u202egnp.exe", "Işık", `"\`,
		"\xff\xe2\x80", "“a” – \u2027\u202a\u2028", "\u2029", "\x7f\t",
	} {
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
