package prose_test

import (
	"fmt"

	"ayna/prose"
)

// A site that has mirrored one article and none of the pictures.
type site struct{}

func (site) Link(source string) string {
	if source == "https://haber.example/gundem/liman-41010102" {
		return "../gundem/liman-41010102.html"
	}
	return source
}

func (site) Image(string) (prose.Image, bool) { return prose.Image{}, false }

func (site) Anchor(id string) (string, bool) { return "#" + id, true }

func (site) Plays() bool { return false }

func (site) Card(string) (title, note string, picture prose.Image) { return "", "", prose.Image{} }

func (site) File(string) (href, note string) { return "", "" }

func Example() {
	body := prose.Clean(`<p><p onclick="x()">Vapur <a href="/gundem/liman-41010102">limanda</a>.</p></p><img src="/r/1.jpg" alt="Vapur">`,
		prose.Options{Base: "https://haber.example/gundem/vapur-41010101"})
	fmt.Print(body.HTML(site{}))
	fmt.Println(body.Text())
	fmt.Println(body.Images())
	// Output:
	// <p>Vapur <a href="../gundem/liman-41010102.html">limanda</a>.</p>
	// <figure><a href="https://haber.example/r/1.jpg" rel="nofollow noopener"><span class="missing">Vapur</span></a></figure>
	// Vapur limanda.
	// [https://haber.example/r/1.jpg]
}

func ExamplePlain() {
	fmt.Println(prose.Plain(" Ali &amp; Veli: <b>5 < 6</b>&nbsp;mı? "))
	// Output: Ali & Veli: 5 < 6 mı?
}
