package prose_test

import (
	"encoding/json"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"ayna/generator/prose"
)

// said says a text in every way.
type said string

func (s said) Describe(o *prose.Object) {
	o.Text("name", string(s))
	o.Text("none", "")
	o.Number("position", len(s))
	o.Texts("words", []string{string(s), ""})
	o.Texts("nothing", nil)
	if s != "" {
		o.Thing("first", s[:0])
		o.Things("parts", 2, func(int) prose.Described { return s[:0] })
	}
	o.Things("nobody", 0, nil)
}

// written is the same for encoding/json.
type written struct {
	Name     string    `json:"name,omitempty"`
	Position int       `json:"position,omitempty"`
	Words    []string  `json:"words,omitempty"`
	First    *written  `json:"first,omitempty"`
	Parts    []written `json:"parts,omitempty"`
}

func TestLinked(t *testing.T) {
	for _, text := range []string{
		"D41 </script><script>alert(1)</script>", "D41 <!--<script>", "D36 ]]> & \u2028 \u2029 \x00", "D37 \u202egnp.exe", "Işık", `"\`,
		"\xff\xe2\x80", "“a” – \u2027\u202a\u2028", "\u2029", "\x7f\t",
	} {
		got := string(prose.Linked(said(text)).HTML())
		if appended := string(prose.Linked(said(text)).AppendHTML([]byte("x"))); appended != "x"+got {
			t.Errorf("%q: %s is appended, not %s", text, appended, got)
		}
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
			empty := written{Words: []string{"", ""}}
			want, err := json.Marshal(written{text, len(text), []string{text, ""}, &empty, []written{empty, empty}})
			if err != nil {
				t.Fatal(err)
			}
			if n.FirstChild.Data != string(want) {
				t.Errorf("%q: %s, want %s", text, n.FirstChild.Data, want)
			}
		}
		if scripts != 1 || !after {
			t.Errorf("%q: %d scripts, the rest of the page seen: %t", text, scripts, after)
		}
	}
}
