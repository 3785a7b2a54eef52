package prose

import (
	"encoding/xml"
	"io"
	"slices"
	"strings"
	"testing"
)

func TestXHTML(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"void elements", "bir<br>iki<hr><img src=https://e.example/x.png>", `<p>bir<br/>iki</p><hr/><figure><img src="https://e.example/x.png" alt=""/></figure>`},
		{"entities", "<p>a&nbsp;b &amp;amp; &lt;c&gt; &quot;d&quot;", "<p>a\u00a0b &amp;amp; &lt;c&gt; &#34;d&#34;</p>"},
		{"details", "<details><summary>Özet</summary><p>Metin</details>", `<div><p>Özet</p><p>Metin</p></div>`},
		{"a list of terms", "<dl><dt>ad<dd>anlam</dl>", `<div><p>ad</p><div>anlam</div></div>`},
		{"a date in words", "<p><time datetime='dün'>dün</time>", `<p>dün</p>`},
		{"a caption before", "<figure><figcaption>Altı</figcaption><img src=https://e.example/x.png></figure>", `<figure><p>Altı</p><img src="https://e.example/x.png" alt=""/></figure>`},
		{"two captions of a table", "<table><caption>1<caption>2<tr><td scope=row>x</table>", `<div class="table"><p>2</p><table><caption>1</caption><tbody><tr><td>x</td></tr></tbody></table></div>`},
		{"two heads of a table", "<table><thead><tr><th scope=col>1<thead><tr><td>2<tfoot><tr><td>3</table>", `<div class="table"><table><thead><tr><th scope="col">1</th></tr></thead><tbody><tr><td>2</td></tr></tbody><tbody><tr><td>3</td></tr></tbody></table></div>`},
		{"brackets in an address", "<a href='https://e.example/[a]?b[]=1'>x</a> <a href='http://[::1]'>y</a>", `<p><a href="https://e.example/%5Ba%5D?b%5B%5D=1">x</a> <a href="http://[::1]">y</a></p>`},
		{"right to left", "<p>\u202eسلام", "<p>\u202eسلام\u202c</p>"},
		{"a note", `<p>x<a href="#n">1</a></p><p id="n">y</p>`, `<p>x<a href="#text-1">1</a></p><p><span id="text-1"></span>y</p>`},
		{"no text", "<p> </p>", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := strings.ReplaceAll(string(Clean(test.text, testOptions).XHTML(asIs{})), "\n", ""); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

// FuzzXHTML: whatever a text is, a book gets well-formed XML of the elements and
// attributes that it allows.
func FuzzXHTML(f *testing.F) {
	for _, p := range payloads {
		f.Add(p)
	}
	f.Add(sample)
	f.Add("<table><caption>1<caption>2<thead><thead><tfoot>x<figure><figcaption>1<figcaption>2</figure><time datetime=x id=y id=z>")
	f.Fuzz(func(t *testing.T, text string) {
		book := string(Clean(text, testOptions).XHTML(asIs{}))
		decoder := xml.NewDecoder(strings.NewReader("<div>" + book + "</div>"))
		for {
			token, err := decoder.Token()
			if err == io.EOF {
				return
			}
			if err != nil {
				t.Fatalf("%v in %q of %q", err, book, text)
			}
			start, ok := token.(xml.StartElement)
			if !ok {
				continue
			}
			if tag := start.Name.Local; elements[tag].kind == 0 && tag != "span" || inBooks[tag] != "" && inBooks[tag] != tag {
				t.Errorf("element %s in %q of %q", tag, book, text)
			}
			for _, a := range start.Attr {
				if !slices.Contains(bookAttributes[start.Name.Local], a.Name.Local) {
					t.Errorf("attribute %s of %s in %q of %q", a.Name.Local, start.Name.Local, book, text)
				}
			}
		}
	})
}
