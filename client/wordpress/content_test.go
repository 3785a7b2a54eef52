package wordpress

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// recorded reads the posts of a recorded answer.
func recorded(t *testing.T, name string) []post {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	if data[0] == '{' {
		data = []byte("[" + string(data) + "]")
	}
	var raw []json.RawMessage
	if err := json.Unmarshal(data, &raw); err != nil {
		t.Fatal(err)
	}
	var list []post
	for _, r := range raw {
		p, err := readPost(r)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, p)
	}
	return list
}

// A text is the same in each answer, whatever stands before it.
func TestTextWithOtherNeighbours(t *testing.T) {
	alone := recorded(t, "post-classic-alone.json")[0]
	after := recorded(t, "post-classic-after-blocks.json")[0]
	if alone.Content.Text == after.Content.Text {
		t.Fatal("the recorded texts do not differ")
	}
	for _, take := range []bool{false, true} {
		one, pictures := cleanText(alone.Content.Text, take)
		other, _ := cleanText(after.Content.Text, take)
		if one != other {
			t.Errorf("take %t: alone\n%s\nafter blocks\n%s", take, one, other)
		}
		if take && len(pictures) < 2 {
			t.Errorf("%d pictures of the gallery", len(pictures))
		}
	}
}

func TestCleanText(t *testing.T) {
	for _, test := range []struct{ name, in, want string }{
		{"largest size", `<img src="/a-300x200.jpg" srcset="/a-300x200.jpg 300w, /a.jpg 1600w, /a-768x512.jpg 768w">`, `<img src="/a.jpg"/>`},
		{"page of a picture", `<a href="/a/attachment/b/" rel="attachment wp-att-5"><img src="/b.jpg"></a>`, `<img src="/b.jpg"/>`},
		{"file of a picture", `<a href="/b.jpg" rel="attachment wp-att-5"><img src="/b.jpg"></a>`, `<a href="/b.jpg" rel="attachment wp-att-5"><img src="/b.jpg"/></a>`},
		{"link around a picture", `<a href="/c/"><img src="/b.jpg"></a>`, `<a href="/c/"><img src="/b.jpg"/></a>`},
		{"bare address of a player", `<div class="wp-block-embed__wrapper">` + "\nhttps://video.example/1\n</div>", `<div><a href="https://video.example/1">https://video.example/1</a></div>`},
		{"player", `<div class="wp-block-embed__wrapper"><iframe src="https://video.example/1"></iframe></div>`, `<div><iframe src="https://video.example/1"></iframe></div>`},
		{"shortcode with attributes", `<p>A [kod a=&#8221;1&#8243;] b</p>`, `<p>A  b</p>`},
		{"shortcode with an end", `<p>[kutu]iç[/kutu]</p>`, `<p>iç</p>`},
		{"words in brackets", `<p>[Foto: AA] [sic] [1]</p>`, `<p>[Foto: AA] [sic] [1]</p>`},
		{"script and comments", `<p>a</p><!--more--><script>b</script><style>c</style><p>d</p>`, `<p>a</p><p>d</p>`},
		{"empty", "\n\n", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got, _ := cleanText(test.in, false); got != test.want {
				t.Errorf("%s\nbecomes\n%s, want\n%s", test.in, got, test.want)
			}
		})
	}
}

// A nested text ends, and loses nothing.
func TestTextNestedDeep(t *testing.T) {
	in := strings.Repeat("<div>", 5000) + "word"
	if got, _ := cleanText(in, true); !strings.Contains(got, "word") {
		t.Error("the text is lost")
	}
}
