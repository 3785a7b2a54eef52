package prose_test

import (
	"encoding/json"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"ayna/generator/prose"
)

func TestLinked(t *testing.T) {
	for _, text := range []string{
		"D41 </script><script>alert(1)</script>", "D41 <!--<script>", "D36 ]]> & \u2028 \u2029 \x00", "D37 \u202egnp.exe", "Işık", `"\`,
	} {
		got, err := prose.Linked(map[string]string{"name": text})
		if err != nil {
			t.Fatal(err)
		}
		root, err := html.Parse(strings.NewReader("<body>" + string(got.HTML()) + "<p>after</p>"))
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
			var read map[string]string
			if err := json.Unmarshal([]byte(n.FirstChild.Data), &read); err != nil || read["name"] != text {
				t.Errorf("%q: %q, %v", text, read["name"], err)
			}
		}
		if scripts != 1 || !after {
			t.Errorf("%q: %d scripts, the rest of the page seen: %t", text, scripts, after)
		}
	}
	if _, err := prose.Linked(func() {}); err == nil {
		t.Error("what is no data was written")
	}
}
